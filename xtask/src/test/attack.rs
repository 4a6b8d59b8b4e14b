//! Hostile input: nothing ends the process, and nothing takes more than its share of time or memory.

use mondo_build::Result;
use mondo_build::exec::Tool;
use mondo_testbed::cargo::cargo;
use mondo_testbed::{Context, Extent, Valgrind, Venv};

use super::python::pytest;

/// Runs the attacks on the default wheel, each case in a process of its own. The gate runs the cases that take less than
/// a second.
pub(super) fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let wheel = context.bundle("default")?.wheel;
    let venv = Venv::for_tests(context, "attack")?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    let environment = [
        ("MONDO_IMPORT_ROOT", "mlir"),
        ("MONDO_EXTENT", if extent.is_all() { "all" } else { "gate" }),
    ];
    pytest(context, &venv, &environment, "attack")?;
    rust_api(extent, context, &venv)
}

/// Attacks on the Rust API, and the growth of its calls, which valgrind counts. `--all` runs the attacks under memcheck,
/// too.
fn rust_api(extent: Extent, context: &Context<'_>, venv: &Venv) -> Result<()> {
    let valgrind = Valgrind::find(context)?;
    let test = |purpose: &str, name: &str| -> Tool {
        let tool = cargo(context, purpose)
            .env("MONDO_LIBRARY_DIR", venv.dir.as_str())
            .args(["test", "--quiet", "--locked", "--profile", "xtask"])
            .args(["--package", "mondo-ir", "--test", name]);
        match valgrind.variable() {
            Some((name, value)) => tool.env(name, value),
            None => tool,
        }
    };
    test("survive attacks on the Rust API", "attack").stream()?;
    test("find no call that takes time out of proportion", "growth")
        .env("MONDO_VALGRIND", valgrind.runner())
        .stream()?;
    if extent.is_all() {
        // Its stack has a guard of its own, so that what is deep is not a part of this.
        test("find no memory error in attacks on the Rust API", "attack")
            .env("MONDO_PLAIN_MALLOC", "1")
            .env(
                "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER",
                format!("{} --trace-children=yes", valgrind.runner()),
            )
            .args(["--", "uses"])
            .stream()?;
    }
    Ok(())
}
