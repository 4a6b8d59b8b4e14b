//! Runs of cargo in the workspace.

use mondo_build::exec::Tool;
use mondo_build::{ErrorKind, Result, compile};

use crate::Context;

/// cargo in the workspace, with what the runtime crates need to compile.
#[must_use]
pub fn cargo(context: &Context<'_>, purpose: &str) -> Tool {
    let mut tool = compile::cargo(purpose)
        .fails_as(ErrorKind::Check)
        .cwd(context.workspace);
    for (key, value) in compile::environment(&context.toolchain) {
        tool = tool.env(key, value);
    }
    tool
}

/// The variable with the program that cargo starts tests and programs with.
pub const RUNNER: &str = "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER";

/// `cargo test` with xtask's profile, so that what both have in common is compiled once.
#[must_use]
pub fn cargo_test(context: &Context<'_>, purpose: &str) -> Tool {
    cargo(context, purpose).args(["test", "--quiet", "--locked", "--profile", "xtask"])
}

/// One test program of the command, `crates/mondo/tests/<name>.rs`. Each of its tests has folders of its own.
pub fn test_program(context: &Context<'_>, name: &str, purpose: &str) -> Result<()> {
    cargo_test(context, purpose)
        .args(["--package", "mondo", "--test", name])
        .stream()
}
