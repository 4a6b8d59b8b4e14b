//! Hostile input: nothing ends the process, and nothing takes more than its share of time or memory.

use mondo_acceptance::attack;
use mondo_build::Result;
use mondo_testbed::{Context, Extent, Venv};

use super::python::pytest;

/// Runs the command in hostile surroundings, and the attacks on the default wheel, each case in a process of its own. The gate runs the cases that take less than
/// a second.
pub(super) fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    attack::check(extent, context)?;
    let wheel = context.bundle("default")?.wheel;
    let venv = Venv::for_tests(context, "attack")?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    let extent = if extent.is_all() { "all" } else { "gate" };
    let env = [("MONDO_IMPORT_ROOT", "mlir"), ("MONDO_EXTENT", extent)];
    pytest(context, &venv, &env, "attack")
}
