//! `cargo xtask bench`: mondo's Python layer and upstream's bindings of the same LLVM, in turn.

use mondo_build::Result;
use mondo_testbed::{Context, Venv};

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
