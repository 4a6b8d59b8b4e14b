//! Our package against upstream's of the same LLVM, which an index has as a wheel.

use mondo_build::Result;
use mondo_testbed::api_diff::{Facts, Packages};
use mondo_testbed::{Context, Extent};

use super::python::pytest;

/// Runs the programs that both packages have to run, and compares names, signatures and what programs do,
/// statement by statement; with `--all`, behaviour by some fifteen thousand probes, too.
///
/// # Errors
///
/// If a program fails, or there is a difference that neither list of `tests/api_diff` has.
pub(super) fn check(context: &Context<'_>, extent: Extent) -> Result<()> {
    let packages = Packages::install(context)?;
    for venv in [&packages.theirs, &packages.ours] {
        pytest(context, venv, &[("MONDO_IMPORT_ROOT", "mlir")], "drop_in")?;
    }
    packages.compare(context, Facts::Names)?;
    packages.compare(context, Facts::Programs)?;
    if extent.is_all() {
        packages.compare(context, Facts::Probes)?;
    }
    Ok(())
}
