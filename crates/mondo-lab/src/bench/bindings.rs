//! The Python layer against upstream's bindings as `iree-base-compiler` ships them.

use mondo_build::Result;
use mondo_testbed::{Context, Venv};

/// Times what `tests/python/bench/items.py` lists, in both packages in turn.
pub(super) fn times(context: &Context<'_>, json: bool) -> Result<()> {
    let folder = context.workspace.join("tests/python/bench");

    let wheel = context.bundle("default")?.wheel;
    let ours = Venv::fresh(context, "bench")?;
    // numpy is what a program has beside us; whether we import it is measured.
    ours.pip_install(&["numpy", "--constraint", folder.join("peer.txt").as_str()])?;
    ours.pip_install(&["--no-index", wheel.as_str()])?;
    let peer = Venv::kept(context, "bench-peer", &folder.join("peer.txt"))?;

    let python = |venv: &Venv| venv.dir.join("bin/python");
    let mut tool = ours
        .python("measure the bindings")
        .arg(folder.join("compare.py"))
        .arg(python(&peer))
        .arg("iree.compiler")
        .arg(python(&ours))
        .arg("mlir");
    if json {
        tool = tool.arg("--json");
    }
    tool.stream()
}
