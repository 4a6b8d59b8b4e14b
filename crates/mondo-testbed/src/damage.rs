//! The differential run over damaged inputs: a wheel's package and upstream's read the same ones.

use camino::Utf8Path;
use mondo_build::{ErrorKind, Result};

use crate::context::Context;
use crate::venv::Venv;

/// Runs `tests/python/damage/differential.py` with the package in `venv`, and prints its totals. The texts below
/// `corpus` are seeds; `arguments` are further ones of the program.
pub fn differential(
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
        .arg(peer.dir.join("bin/python"))
        .arg("--corpus")
        .arg(corpus)
        .args(arguments)
        .stream()
}
