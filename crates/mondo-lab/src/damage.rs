//! `cargo lab damage`: reads damaged bytecode and generated texts with a bundle, to find inputs that crash
//! MLIR's readers.

use mondo_build::{ErrorKind, Result};
use mondo_testbed::{Context, Venv};

use crate::args::DamageArgs;

/// Runs `tests/python/damage` with a wheel, for bytecode and for text, and prints the totals of each.
///
/// # Errors
///
/// If an input crashes or hangs.
pub(crate) fn run(args: &DamageArgs, context: &Context<'_>) -> Result<()> {
    let wheel = match &args.wheel {
        Some(wheel) => wheel.clone(),
        None => context.bundle("core")?.wheel,
    };
    let venv = Venv::fresh(context, "damage")?;
    venv.pip_install(&["--no-index", "--no-deps", wheel.as_str()])?;
    for kind in ["bytecode", "text"] {
        venv.python(&format!("read damaged {kind}"))
            .fails_as(ErrorKind::Check)
            .env("PYTHONPATH", context.workspace.join("tests/python"))
            .args(["-m", "damage", kind])
            .args(["--inputs", &args.inputs.to_string()])
            .args(["--seed", &args.seed.to_string()])
            .args(["--out", context.scratch().join("damage").as_str()])
            .stream()?;
    }
    Ok(())
}
