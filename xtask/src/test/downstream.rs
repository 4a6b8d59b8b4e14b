//! A workspace outside this one, whose own xtask calls mondo-build.

use mondo_build::{Error, ErrorKind, Result, compile};

use super::Context;
use super::python::Venv;

/// Builds `examples/downstream` with its own xtask, installs its wheel and runs its program.
pub(super) fn check(context: &Context<'_>) -> Result<()> {
    let downstream = context.workspace.join("examples/downstream");
    compile::cargo("build the downstream's wheel")
        .fails_as(ErrorKind::Check)
        .args(["run", "--quiet", "--locked", "--package", "xtask"])
        .cwd(&downstream)
        .env(
            "CARGO_TARGET_DIR",
            context.scratch().join("downstream-target"),
        )
        .stream()?;
    let mut wheel = None;
    for entry in downstream.join("dist").read_dir_utf8()? {
        let path = entry?.into_path();
        if path.extension() == Some("whl") {
            wheel = Some(path);
        }
    }
    let wheel =
        wheel.ok_or_else(|| Error::new(ErrorKind::Check, "the downstream made no wheel"))?;
    let venv = Venv::fresh(context, "downstream")?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    let said = venv
        .python("run the downstream's package")
        .args(["-m", "tinyc", "6 * 7"])
        .output()?;
    if said.stdout.contains("arith.constant 42") {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Check,
        "the downstream's package gave a wrong answer",
    )
    .because(said.stdout))
}
