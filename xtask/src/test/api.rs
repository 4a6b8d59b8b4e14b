//! Our package against upstream's of the same LLVM, which an index has as a wheel.

use mondo_build::Result;
use mondo_testbed::{Context, Venv};

use super::python::pytest;

/// Runs the programs that both packages have to run, and compares names and signatures. Behaviour
/// (`python -m api_diff --probes`) is compared by hand until its differences are all listed.
///
/// # Errors
///
/// If a program fails, or there is a difference that neither list of `tests/api_diff` has.
pub(super) fn check(context: &Context<'_>) -> Result<()> {
    let tests = context.workspace.join("tests");
    let theirs = Venv::kept(context, "peer", &tests.join("python/peer.txt"))?;
    let ours = Venv::for_tests(context, "api")?;
    let wheel = context.bundle("default")?.wheel;
    ours.pip_install(&["--no-index", wheel.as_str()])?;
    for venv in [&theirs, &ours] {
        pytest(context, venv, &[("MONDO_IMPORT_ROOT", "mlir")], "drop_in")?;
    }
    ours.python("find the names and signatures of upstream's package")
        .env("PYTHONPATH", &tests)
        .args(["-m", "api_diff", "--theirs"])
        .arg(theirs.dir.join("bin/python"))
        .arg("--ours")
        .arg(ours.dir.join("bin/python"))
        .stream()
}
