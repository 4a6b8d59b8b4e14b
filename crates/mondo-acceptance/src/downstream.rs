//! A workspace outside this one, whose own xtask calls mondo-build.

use camino::Utf8Path;
use mondo_build::exec::Tool;
use mondo_build::{ErrorKind, Result, compile};
use mondo_testbed::files::{expect_same, wheel_in};
use mondo_testbed::verdict::{expect, failed, json};
use mondo_testbed::{Context, Venv};

use crate::backend::program;

/// Does what the CI file of `examples/downstream` does: lists the jobs, builds the wheel with the
/// downstream's own xtask, compares it with pip's, installs it and runs the downstream's tests.
pub fn check(context: &Context<'_>) -> Result<()> {
    let downstream = context.workspace.join("examples/downstream");
    let target = context.scratch().join("downstream-target");
    let xtask = |purpose: &str| -> Tool {
        compile::cargo(purpose)
            .fails_as(ErrorKind::Check)
            .arg("xtask")
            .cwd(&downstream)
            .env("CARGO_TARGET_DIR", &target)
    };
    let jobs = xtask("list the downstream's jobs").arg("matrix").output()?;
    let matrix = json(&jobs.stdout)?;
    let llvm = matrix["include"][0]["llvm"].as_str();
    let llvm = llvm.ok_or_else(|| failed("its matrix has no job").because(&jobs.stdout))?;
    let dist = downstream.join("dist");
    if dist.exists() {
        fs_err::remove_dir_all(&dist)?;
    }
    xtask("build the downstream's wheel")
        .args(["bundle", llvm])
        .stream()?;
    let log = json(&fs_err::read_to_string(dist.join("audit.sarif"))?)?;
    let what = "its audit left no SARIF log";
    expect(log["version"] == "2.1.0", what, log.to_string())?;
    let wheel = wheel_in(&dist)?;
    let venv = Venv::for_tests(context, "downstream")?;
    by_pip(&wheel, &downstream, &target, &venv, context)?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    venv.pytest("pass the downstream's tests", &[&downstream.join("tests")])
        .stream()?;
    let said = venv
        .python("run the downstream's package")
        .args(["-m", "tinyc", "6 * 7"])
        .output()?;
    let is_right = said.stdout.contains("arith.constant 42");
    expect(is_right, "its package gave a wrong answer", said.stdout)
}

/// pip, which calls the build backend, makes the same wheel.
fn by_pip(
    wheel: &Utf8Path,
    downstream: &Utf8Path,
    target: &Utf8Path,
    venv: &Venv,
    context: &Context<'_>,
) -> Result<()> {
    let out = context.empty_folder("downstream-by-pip")?;
    venv.python("build the downstream with pip")
        .env("MONDO", program(context)?)
        .env("PYTHONPATH", context.workspace.join("crates/mondo/python"))
        .env("CARGO_TARGET_DIR", target)
        .args(["-m", "pip", "--disable-pip-version-check", "wheel"])
        .args(["--no-deps", "--no-build-isolation"])
        .args(["--wheel-dir", out.as_str()])
        .arg(downstream)
        .output()?;
    let what = "its xtask and pip make different wheels";
    expect_same(&wheel_in(&out)?, wheel, what)
}
