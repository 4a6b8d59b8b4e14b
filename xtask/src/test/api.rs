//! Our package against upstream's of the same LLVM, which an index has as a wheel.

use mondo_build::Result;
use mondo_testbed::{Context, Extent, Venv};

use super::python::pytest;

/// Runs the programs that both packages have to run, and compares names, signatures and what programs do,
/// statement by statement; with `--all`, behaviour by some ten thousand probes, too.
///
/// # Errors
///
/// If a program fails, or there is a difference that neither list of `tests/api_diff` has.
pub(super) fn check(context: &Context<'_>, extent: Extent) -> Result<()> {
    let tests = context.workspace.join("tests");
    let theirs = Venv::kept(context, "peer", &tests.join("python/peer.txt"))?;
    let ours = Venv::for_tests(context, "api")?;
    let wheel = context.bundle("default")?.wheel;
    ours.pip_install(&["--no-index", wheel.as_str()])?;
    for venv in [&theirs, &ours] {
        pytest(context, venv, &[("MONDO_IMPORT_ROOT", "mlir")], "drop_in")?;
    }
    let compare = |purpose: &str| {
        ours.python(purpose)
            .env("PYTHONPATH", &tests)
            .args(["-m", "api_diff", "--theirs"])
            .arg(theirs.dir.join("bin/python"))
            .arg("--ours")
            .arg(ours.dir.join("bin/python"))
    };
    compare("find the names and signatures of upstream's package").stream()?;
    compare("run programs as upstream's package does")
        .arg("--programs")
        .stream()?;
    if extent.is_all() {
        compare("behave as upstream's package")
            .arg("--probes")
            .stream()?;
    }
    Ok(())
}
