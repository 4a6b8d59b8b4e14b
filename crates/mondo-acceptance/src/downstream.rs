//! A workspace outside this one, whose own xtask calls mondo-build.

use camino::Utf8Path;
use mondo_build::exec::Tool;
use mondo_build::{Error, ErrorKind, Result, compile};
use mondo_testbed::files::wheel_in;
use mondo_testbed::{Context, Venv};

use crate::backend::program;

/// Does what the CI file of `examples/downstream` does: lists the jobs, builds the wheel with the
/// downstream's own xtask, compares it with pip's, installs it and runs the downstream's tests.
///
/// # Errors
///
/// If a result is not the expected one.
pub fn check(context: &Context<'_>) -> Result<()> {
    let downstream = context.workspace.join("examples/downstream");
    let xtask = |purpose: &str| -> Tool {
        compile::cargo(purpose)
            .fails_as(ErrorKind::Check)
            .arg("xtask")
            .cwd(&downstream)
            .env(
                "CARGO_TARGET_DIR",
                context.scratch().join("downstream-target"),
            )
    };
    let jobs = xtask("list the downstream's jobs").arg("matrix").output()?;
    let matrix: serde_json::Value = serde_json::from_str(&jobs.stdout).unwrap_or_default();
    let llvm = matrix["include"][0]["llvm"].as_str();
    let llvm = llvm.ok_or_else(|| failed("its matrix has no job").because(&jobs.stdout))?;
    let dist = downstream.join("dist");
    if dist.exists() {
        fs_err::remove_dir_all(&dist)?;
    }
    xtask("build the downstream's wheel")
        .args(["bundle", llvm])
        .stream()?;
    let log = fs_err::read_to_string(dist.join("audit.sarif"))?;
    let log: serde_json::Value = serde_json::from_str(&log).unwrap_or_default();
    if log["version"] != "2.1.0" {
        return Err(failed("its audit left no SARIF log"));
    }
    let wheel = wheel_in(&dist)?;
    let venv = Venv::for_tests(context, "downstream")?;
    by_pip(&wheel, &downstream, &venv, context)?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    venv.pytest("pass the downstream's tests", &[&downstream.join("tests")])
        .stream()?;
    let said = venv
        .python("run the downstream's package")
        .args(["-m", "tinyc", "6 * 7"])
        .output()?;
    if said.stdout.contains("arith.constant 42") {
        return Ok(());
    }
    Err(failed("its package gave a wrong answer").because(said.stdout))
}

/// pip, which calls the build backend, makes the same wheel.
fn by_pip(
    wheel: &Utf8Path,
    downstream: &Utf8Path,
    venv: &Venv,
    context: &Context<'_>,
) -> Result<()> {
    let out = context.empty_folder("downstream-by-pip")?;
    venv.python("build the downstream with pip")
        .env("MONDO", program(context)?)
        .env("PYTHONPATH", context.workspace.join("crates/mondo/python"))
        .env(
            "CARGO_TARGET_DIR",
            context.scratch().join("downstream-target"),
        )
        .args([
            "-m",
            "pip",
            "--disable-pip-version-check",
            "wheel",
            "--no-deps",
        ])
        .args(["--no-build-isolation", "--wheel-dir", out.as_str()])
        .arg(downstream)
        .output()?;
    let other = wheel_in(&out)?;
    if other.file_name() == wheel.file_name() && fs_err::read(&other)? == fs_err::read(wheel)? {
        return Ok(());
    }
    Err(failed("its xtask and pip make different wheels").details([wheel.to_owned(), other]))
}

fn failed(why: &str) -> Error {
    Error::new(ErrorKind::Check, format!("the downstream: {why}"))
}
