//! The Python layer against upstream's bindings of the same LLVM.

use mondo_build::Result;
use mondo_testbed::{Context, Venv};

/// Times what `tests/python/bench/items.py` lists, in both packages in turn; with `instructions`, counts
/// instructions as well.
pub(super) fn times(context: &Context<'_>, json: bool, instructions: bool) -> Result<()> {
    let tests = context.workspace.join("tests/python");

    let wheel = context.bundle("default")?.wheel;
    let peers = tests.join("peer.txt");
    let ours = Venv::fresh(context, "bench")?;
    // numpy is what a program has beside us; whether we import it is measured.
    ours.pip_install(&["numpy", "--constraint", peers.as_str()])?;
    ours.pip_install(&["--no-index", wheel.as_str()])?;
    let peer = Venv::kept(context, "peer", &peers)?;

    let python = |venv: &Venv| venv.dir.join("bin/python");
    let mut tool = ours
        .python("measure the bindings")
        .arg(tests.join("bench/compare.py"))
        .arg(python(&peer))
        .arg("mlir")
        .arg(python(&ours))
        .arg("mlir");
    if json {
        tool = tool.arg("--json");
    }
    if instructions {
        tool = tool.arg("--instructions");
    }
    tool.stream()
}
