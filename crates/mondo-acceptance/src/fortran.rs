//! The bundle of Flang's dialects: made, installed, and used from Python.

use mondo_build::Result;
use mondo_testbed::{Context, Venv};

/// Makes the wheel of `manifests/fortran.toml` and runs its tests. Its toolchain has a package more than that of
/// the others.
///
/// # Errors
///
/// If a test fails.
pub fn check(context: &Context<'_>) -> Result<()> {
    let wheel = context.bundle("fortran")?.wheel;
    let venv = Venv::for_tests(context, "fortran")?;
    venv.pip_install(&["--no-deps", wheel.as_str()])?;
    let python = context.workspace.join("tests/python");
    let tests = python.join("fortran");
    venv.pytest("run the tests of FIR", &[&tests])
        // The module `mondo_fixtures` is there.
        .env("PYTHONPATH", &python)
        .output()
        .map(drop)
}
