//! Runs of `cargo lab`. Its crate is no dependency of ours, so that `cargo xtask` does not compile it.

use camino::Utf8Path;
use mondo_build::{ErrorKind, Result, compile};

/// Runs a command of `cargo lab`, which prints its own results and errors.
pub(crate) fn run(workspace: &Utf8Path, command: &str, arguments: &[&str]) -> Result<()> {
    compile::cargo(&format!("finish `cargo lab {command}`"))
        .fails_as(ErrorKind::Check)
        .cwd(workspace)
        .args(["lab", command])
        .args(arguments)
        .stream()
}
