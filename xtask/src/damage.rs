//! `cargo xtask damage`: reads damaged bytecode and generated texts with a bundle, to find inputs that crash
//! MLIR's readers.

use camino::{Utf8Path, absolute_utf8};
use mondo_build::{ErrorKind, Result};
use mondo_testbed::{Context, Venv};

use crate::args::DamageArgs;

/// Runs `tests/python/damage` with a wheel, for bytecode and for text, and prints the totals of each. With `--upstream`,
/// upstream's package reads the inputs, too.
pub(crate) fn run(args: &DamageArgs, context: &Context<'_>) -> Result<()> {
    let manifest = args.upstream.as_ref().map_or("core", |_| "default");
    let wheel = match &args.wheel {
        Some(wheel) => wheel.clone(),
        None => context.bundle(manifest)?.wheel,
    };
    let venv = Venv::fresh(context, "damage")?;
    venv.pip_install(&["--no-index", "--no-deps", wheel.as_str()])?;
    let out = args.out.clone().unwrap_or(context.scratch().join("damage"));
    // The interpreter starts in another folder.
    let out = absolute_utf8(out)?;
    let (inputs, seed) = (args.inputs.to_string(), args.seed.to_string());
    let arguments = ["--inputs", &inputs, "--seed", &seed, "--out", out.as_str()];
    if let Some(corpus) = &args.upstream {
        return differential(context, &venv, &absolute_utf8(corpus)?, &arguments);
    }
    for kind in ["bytecode", "text"] {
        venv.python(&format!("read damaged {kind}"))
            .fails_as(ErrorKind::Check)
            .env("PYTHONPATH", context.workspace.join("tests/python"))
            .args(["-m", "damage", kind])
            .args(arguments)
            .stream()?;
    }
    Ok(())
}

/// Runs `tests/python/damage/differential.py` with the package in `venv`, and prints its totals. The texts below
/// `corpus` are seeds; `arguments` are further ones of the program.
pub(crate) fn differential(
    context: &Context<'_>,
    venv: &Venv,
    corpus: &Utf8Path,
    arguments: &[&str],
) -> Result<()> {
    let tests = context.workspace.join("tests/python");
    let peer = Venv::kept(context, "peer")?;
    venv.python("read what upstream's package reads")
        .fails_as(ErrorKind::Check)
        .env("PYTHONPATH", tests)
        .args(["-m", "damage.differential", "--peer"])
        .arg(peer.interpreter())
        .arg("--corpus")
        .arg(corpus)
        .args(arguments)
        .stream()
}
