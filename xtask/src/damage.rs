//! `cargo xtask damage`: reads damaged bytecode and generated texts with a bundle, to find inputs that crash
//! MLIR's readers.

use camino::Utf8Path;
use mondo_build::{ErrorKind, Result};
use mondo_testbed::{Context, Venv, damage};

use crate::args::DamageArgs;

/// Runs `tests/python/damage` with a wheel, for bytecode and for text, and prints the totals of each.
///
/// # Errors
///
/// If an input crashes or hangs.
pub(crate) fn run(args: &DamageArgs, context: &Context<'_>) -> Result<()> {
    let manifest = if args.upstream.is_some() {
        "default"
    } else {
        "core"
    };
    let wheel = match &args.wheel {
        Some(wheel) => wheel.clone(),
        None => context.bundle(manifest)?.wheel,
    };
    let venv = Venv::fresh(context, "damage")?;
    venv.pip_install(&["--no-index", "--no-deps", wheel.as_str()])?;
    if let Some(corpus) = &args.upstream {
        return differential(args, context, &venv, corpus);
    }
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

/// Reads the inputs with upstream's package, too.
fn differential(
    args: &DamageArgs,
    context: &Context<'_>,
    venv: &Venv,
    corpus: &Utf8Path,
) -> Result<()> {
    let (inputs, seed) = (args.inputs.to_string(), args.seed.to_string());
    let kept = context.scratch().join("differential");
    // The interpreter starts in another folder.
    let out = camino::absolute_utf8(args.out.as_deref().unwrap_or(&kept))?;
    let arguments = ["--inputs", &inputs, "--seed", &seed, "--out", out.as_str()];
    damage::differential(context, venv, &camino::absolute_utf8(corpus)?, &arguments)
}
