//! Hostile input: nothing ends the process, and nothing takes more than its share of time or memory.

use mondo_acceptance::{attack, projects};
use mondo_build::Result;
use mondo_build::exec::Tool;
use mondo_testbed::cargo::cargo;
use mondo_testbed::{Context, Extent, Valgrind, Venv, damage};

use super::python::pytest;

/// Runs the command in hostile surroundings, and the attacks on the default wheel, each case in a process of its own. The
/// gate runs the cases that take less than a second.
pub(super) fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    attack::check(extent, context)?;
    let wheel = context.bundle("default")?.wheel;
    let venv = Venv::for_tests(context, "attack")?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    python(extent, context, &venv)?;
    rust_api(extent, context, &venv)?;
    differential(extent, context, &venv)
}

/// The attacks on the Python layer. With `--all` the cases of the guards run under memcheck, too.
fn python(extent: Extent, context: &Context<'_>, venv: &Venv) -> Result<()> {
    let mut env = vec![("MONDO_IMPORT_ROOT", "mlir")];
    if !extent.is_all() {
        env.push(("MONDO_EXTENT", "gate"));
        return pytest(context, venv, &env, "attack");
    }
    let valgrind = Valgrind::find(context)?;
    let runner = valgrind.runner();
    let folder = valgrind.variable();
    env.extend([("MONDO_EXTENT", "all"), ("MONDO_VALGRIND", runner.as_str())]);
    env.extend(
        folder
            .as_ref()
            .map(|(name, folder)| (*name, folder.as_str())),
    );
    pytest(context, venv, &env, "attack")
}

/// The attacks on the Rust API. `--all` runs those across trees under memcheck, too, and has valgrind count how the cost of
/// calls grows.
fn rust_api(extent: Extent, context: &Context<'_>, venv: &Venv) -> Result<()> {
    let test = |purpose: &str, name: &str| -> Tool {
        cargo(context, purpose)
            .env("MONDO_LIBRARY_DIR", venv.dir.as_str())
            .args(["test", "--quiet", "--locked", "--profile", "xtask"])
            .args(["--package", "mondo-ir", "--test", name])
    };
    test("survive attacks on the Rust API", "attack").stream()?;
    if !extent.is_all() {
        return Ok(());
    }
    let valgrind = Valgrind::find(context)?;
    let under_valgrind = |tool: Tool| match valgrind.variable() {
        Some((name, value)) => tool.env(name, value),
        None => tool,
    };
    under_valgrind(test(
        "find no call that takes time out of proportion",
        "growth",
    ))
    .env("MONDO_VALGRIND", valgrind.runner())
    .stream()?;
    // Memcheck needs a stack of its own, so deep trees are not among these.
    under_valgrind(test(
        "find no memory error in attacks on the Rust API",
        "attack",
    ))
    .env("MONDO_PLAIN_MALLOC", "1")
    .env(
        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER",
        format!("{} --trace-children=yes", valgrind.runner()),
    )
    .args(["--", "uses"])
    .stream()
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
