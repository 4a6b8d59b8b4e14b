//! The proofs that no Python object dangles, over the default wheel.

use mondo_build::Result;
use mondo_testbed::{Context, Venv};

use super::python::pytest;

/// Every way to get an object against every way it can die; random edits against a model of them; a
/// million operations fetched and dropped. The gate has all of it.
pub(super) fn check(context: &Context<'_>) -> Result<()> {
    let wheel = context.bundle("default")?.wheel;
    let venv = Venv::for_tests(context, "lifetime")?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    let env = [("MONDO_IMPORT_ROOT", "mlir")];
    for folder in ["lifetime", "model"] {
        pytest(context, &venv, &env, folder)?;
    }
    Ok(())
}
