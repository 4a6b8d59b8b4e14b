//! Hostile input: nothing ends the process, and nothing takes more than its share of time or memory.

use mondo_acceptance::projects;
use mondo_build::Result;
use mondo_testbed::{Context, Extent, Venv, damage};

use super::python::pytest;

/// Runs the attacks on the default wheel, each case in a process of its own. The gate runs the cases that take less than
/// a second.
pub(super) fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let wheel = context.bundle("default")?.wheel;
    let venv = Venv::for_tests(context, "attack")?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    let name = if extent.is_all() { "all" } else { "gate" };
    let env = [("MONDO_IMPORT_ROOT", "mlir"), ("MONDO_EXTENT", name)];
    pytest(context, &venv, &env, "attack")?;
    differential(extent, context, &venv)
}

/// Damaged inputs that upstream's package reads or refuses do not end the process. The gate takes the seeds from a part of
/// upstream's tests, because reading all of them takes longer than the inputs.
fn differential(extent: Extent, context: &Context<'_>, venv: &Venv) -> Result<()> {
    let corpus = projects::llvm_sources(context)?.join("test");
    let arguments = if extent.is_all() {
        ["--inputs", "200000", "--every", "1"]
    } else {
        ["--inputs", "5000", "--every", "40"]
    };
    damage::differential(context, venv, &corpus, &arguments)
}
