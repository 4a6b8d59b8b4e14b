//! Hostile input: nothing ends the process, and nothing takes more than its share of time or memory.

use mondo_acceptance::{attack, projects};
use mondo_build::Result;
use mondo_build::exec::Tool;
use mondo_testbed::cargo::{RUNNER, cargo_test};
use mondo_testbed::{Context, Extent, Venv, valgrind};

use super::python::pytest;
use crate::damage;

/// Runs the command in hostile surroundings, and the attacks on the default wheel, each case in a process of its own. The
/// gate runs the cases that take less than a second.
pub(super) fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    attack::check(extent, context)?;
    let wheel = context.bundle("default")?.wheel;
    let venv = Venv::with_wheels(context, "attack", [&wheel])?;
    python(extent, context, &venv)?;
    rust_api(extent, context, &venv)?;
    differential(extent, context, &venv)
}

/// The attacks on the Python layer. With `--all` the cases of the guards run under memcheck, too.
fn python(extent: Extent, context: &Context<'_>, venv: &Venv) -> Result<()> {
    let env = [
        ("MONDO_IMPORT_ROOT", "mlir"),
        ("MONDO_EXTENT", extent.name()),
    ];
    if !extent.is_all() {
        return pytest(context, venv, &env, "attack");
    }
    let under_valgrind = [("MONDO_VALGRIND", &*valgrind(context)?)];
    pytest(
        context,
        venv,
        &[&env[..], &under_valgrind].concat(),
        "attack",
    )
}

/// The attacks on the Rust API. `--all` runs those across trees under memcheck, too, and has valgrind count how the cost of
/// calls grows.
fn rust_api(extent: Extent, context: &Context<'_>, venv: &Venv) -> Result<()> {
    let test = |purpose: &str, name: &str| -> Tool {
        cargo_test(context, purpose)
            .env("MONDO_LIBRARY_DIR", venv.dir.as_str())
            .args(["--package", "mondo-ir", "--test", name])
    };
    test("survive attacks on the Rust API", "attack").stream()?;
    if !extent.is_all() {
        return Ok(());
    }
    let valgrind = valgrind(context)?;
    test("find no call that takes time out of proportion", "growth")
        .env("MONDO_VALGRIND", &valgrind)
        .stream()?;
    // Memcheck needs a stack of its own, so deep trees are not among these.
    test("find no memory error in attacks on the Rust API", "attack")
        .env("MONDO_PLAIN_MALLOC", "1")
        .env(RUNNER, format!("{valgrind} --trace-children=yes"))
        .args(["--", "uses"])
        .stream()
}

/// Damaged inputs that upstream's package reads or refuses do not end the process. The gate takes the seeds from a part of
/// upstream's tests, because reading all of them takes longer than the inputs.
fn differential(extent: Extent, context: &Context<'_>, venv: &Venv) -> Result<()> {
    let corpus = projects::llvm_sources(context)?.join("test");
    let [inputs, every] = match extent {
        Extent::Gate => ["5000", "40"],
        Extent::All => ["200000", "1"],
    };
    let arguments = ["--inputs", inputs, "--every", every];
    damage::differential(context, venv, &corpus, &arguments)
}
