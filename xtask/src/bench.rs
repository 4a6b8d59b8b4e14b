//! `cargo xtask bench`: mondo's Python layer and upstream's bindings of the same LLVM, in turn; with `--rust`, the Rust API and the
//! C API.

use mondo_build::Result;
use mondo_testbed::cargo::{RUNNER, cargo};
use mondo_testbed::verdict::failed;
use mondo_testbed::{Context, Venv, valgrind};

/// Times the items of `tests/python/bench/items.py` in both packages; with `instructions`, counts
/// instructions as well.
pub(crate) fn run(context: &Context<'_>, json: bool, instructions: bool) -> Result<()> {
    let tests = context.workspace.join("tests/python");
    let wheel = context.bundle("default")?.wheel;
    let ours = Venv::fresh(context, "bench")?;
    // numpy is installed because programs have it; the measurement shows whether mondo's package imports it.
    ours.pip_install(&["numpy", "--constraint", tests.join("peer.txt").as_str()])?;
    ours.pip_install(&["--no-index", wheel.as_str()])?;
    let upstream = Venv::kept(context, "peer")?.interpreter();
    ours.python("measure the bindings")
        .arg(tests.join("bench/compare.py"))
        .args([upstream.as_str(), "mlir"])
        .args([ours.interpreter().as_str(), "mlir"])
        .args(json.then_some("--json"))
        .args(instructions.then_some("--instructions"))
        .stream()
}

/// The items of `mondo-ir/benches/instructions.rs`, the items that they are compared with, and two numbers of times.
const ITEMS: &[(&str, Option<&str>, [u64; 2])] = &[
    ("build-c", None, [1000, 3000]),
    ("build-c-infer", None, [1000, 3000]),
    ("build-generic", Some("build-c"), [1000, 3000]),
    ("build-generic-infer", Some("build-c-infer"), [1000, 3000]),
    ("build-typed", Some("build-c-infer"), [1000, 3000]),
    ("walk-c", None, [10, 30]),
    ("walk", Some("walk-c"), [10, 30]),
    ("parse", None, [1000, 3000]),
    ("rewrite", None, [1000, 3000]),
    ("convert", None, [1000, 3000]),
];

/// Counts the instructions of the Rust API's items, each as the difference of two numbers of times.
pub(crate) fn rust(context: &Context<'_>) -> Result<()> {
    let wheel = context.bundle("default")?.wheel;
    let venv = Venv::fresh(context, "bench-rust")?;
    venv.pip_install(&["--no-index", "--no-deps", wheel.as_str()])?;
    let program = valgrind(context)?;
    let program = program.split(' ').next().unwrap_or_default();
    let counts = context.scratch().join("callgrind");
    let count = |item: &str, times: u64| -> Result<u64> {
        let runner = format!("{program} --quiet --tool=callgrind --callgrind-out-file={counts}");
        cargo(context, "count the instructions of mondo-ir")
            .env("MONDO_LIBRARY_DIR", venv.dir.as_str())
            .env(RUNNER, runner)
            .args(["bench", "--quiet", "--locked", "--package", "mondo-ir"])
            .args(["--features", "operations", "--bench", "instructions"])
            .args(["--", item, &times.to_string()])
            .output()?;
        let text = fs_err::read_to_string(&counts)?;
        let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
        let total = total.and_then(|total| total.trim().parse().ok());
        total.ok_or_else(|| failed("callgrind wrote no total").at(&counts))
    };
    let mut found = Vec::new();
    for (item, than, [few, many]) in ITEMS {
        let each = count(item, *many)?.saturating_sub(count(item, *few)?) / (many - few);
        found.push((item, each));
        let base = than.and_then(|than| found.iter().find(|(one, _)| **one == than));
        let ratio = base.map(|(_, base)| format!("{:6.2}", each as f64 / *base as f64));
        println!("{item:20} {each:8} {}", ratio.unwrap_or_default());
    }
    Ok(())
}
