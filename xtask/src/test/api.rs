//! Our package against upstream's of the same LLVM, which an index has as a wheel.

use mondo_build::Result;
use mondo_testbed::{Context, Extent, Venv};

use super::python::pytest;

/// Runs the programs that both packages have to run, and compares names, signatures and what programs do,
/// statement by statement; with `--all`, behaviour by some fifteen thousand probes, too.
pub(super) fn check(context: &Context<'_>, extent: Extent) -> Result<()> {
    let theirs = Venv::kept(context, "peer")?;
    let ours = Venv::with_wheels(context, "api", [&context.bundle("default")?.wheel])?;
    for venv in [&theirs, &ours] {
        pytest(context, venv, &[("MONDO_IMPORT_ROOT", "mlir")], "drop_in")?;
    }
    let comparisons = [
        ("have upstream's names and signatures", None),
        ("run programs as upstream's does", Some("--programs")),
        ("behave as upstream's package", Some("--probes")),
    ];
    for (purpose, option) in extent.first(2, &comparisons) {
        ours.python(purpose)
            .env("PYTHONPATH", context.workspace.join("tests"))
            .args(["-m", "api_diff", "--theirs"])
            .arg(theirs.interpreter())
            .arg("--ours")
            .arg(ours.interpreter())
            .args(*option)
            .stream()?;
    }
    Ok(())
}
