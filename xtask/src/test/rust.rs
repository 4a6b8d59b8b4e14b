//! rustfmt, clippy and cargo test.

use mondo_build::exec::Tool;
use mondo_build::{ErrorKind, Result, compile};

use super::Context;

/// cargo in the workspace, with what the runtime tower needs to compile.
fn cargo(context: &Context<'_>, purpose: &str) -> Tool {
    let mut tool = compile::cargo(purpose)
        .fails_as(ErrorKind::Check)
        .cwd(context.workspace);
    for (key, value) in compile::environment(&context.toolchain) {
        tool = tool.env(key, value);
    }
    tool
}

pub(super) fn fmt(context: &Context<'_>) -> Result<()> {
    cargo(context, "check the formatting")
        .args(["fmt", "--all", "--check"])
        .stream()?;
    // A workspace of its own.
    cargo(context, "check the formatting of the fuzz targets")
        .args(["fmt", "--check", "--manifest-path"])
        .arg("crates/mondo-audit/fuzz/Cargo.toml")
        .stream()
}

/// Over everything with all features, over the extension of a bundle whose dialects have none, and
/// over its code for an interpreter without a global lock.
pub(super) fn clippy(context: &Context<'_>) -> Result<()> {
    let clippy = |purpose: &str, what: &[&str], rustc: &[&str]| {
        cargo(context, purpose)
            .args(["clippy", "--quiet", "--locked"])
            .args(what)
            .args(["--", "--deny", "warnings"])
            .args(rustc)
            .stream()
    };
    clippy(
        "satisfy clippy",
        &["--workspace", "--all-targets", "--all-features"],
        &[],
    )?;
    clippy(
        "satisfy clippy without the extension's features",
        &["--package", "mondo-py"],
        &[],
    )?;
    clippy(
        "satisfy clippy without a global lock",
        &["--package", "mondo-py", "--all-features"],
        &["--cfg", "Py_GIL_DISABLED"],
    )
}

/// The build tower's tests, those marked as needing LLVM included. They are built like xtask itself,
/// so that what both depend on is compiled once.
pub(super) fn unit(context: &Context<'_>) -> Result<()> {
    let test = |purpose: &str| {
        cargo(context, purpose).args([
            "test",
            "--quiet",
            "--locked",
            "--no-fail-fast",
            "--profile",
            "xtask",
        ])
    };
    test("pass cargo test")
        .args(["--package", "mondo-audit", "--package", "mondo-build"])
        .args(["--lib", "--tests", "--", "--include-ignored"])
        .stream()?;
    test("pass xtask's own tests")
        .args(["--package", "xtask", "--bins"])
        .stream()
}

/// The tests that compare what we say of an LLVM with the one of `context`.
pub(super) fn against_llvm(context: &Context<'_>) -> Result<()> {
    cargo(context, "agree with this LLVM")
        .args(["test", "--quiet", "--locked", "--no-fail-fast"])
        .args(["--profile", "xtask", "--package", "mondo-build", "--lib"])
        .args([
            "--",
            "--include-ignored",
            "against_llvm",
            "every_dialect_of",
        ])
        .stream()
}

/// What of the SDK and of dialects in Rust can be tested without MLIR.
pub(super) fn dialects(context: &Context<'_>) -> Result<()> {
    cargo(context, "pass the tests of dialects in Rust")
        .args(["test", "--quiet", "--locked", "--no-fail-fast"])
        .args(["--package", "mondo-dialect"])
        .args(["--package", "mondo-dialect-units"])
        .args(["--lib", "--tests"])
        .stream()
}

/// `xtask/tests`: the command line under bad input, on the real toolchain.
pub(super) fn bad_input(context: &Context<'_>) -> Result<()> {
    for name in super::MANIFESTS {
        context.bundle(name)?;
    }
    cargo(context, "survive bad input")
        .args([
            "test",
            "--quiet",
            "--locked",
            "--profile",
            "xtask",
            "--package",
            "xtask",
        ])
        .args(["--test", "bad_input", "--", "--test-threads", "1"])
        .stream()
}
