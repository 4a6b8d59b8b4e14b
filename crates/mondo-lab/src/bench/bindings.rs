//! The Python layer against upstream's bindings as `iree-base-compiler` ships them.

use camino::Utf8Path;
use mondo_build::{Result, digest};

use mondo_testbed::{Context, Venv};

/// Times what `tests/python/bench/items.py` lists, in both packages in turn.
pub(super) fn times(context: &Context<'_>, json: bool) -> Result<()> {
    let folder = context.workspace.join("tests/python/bench");

    let wheel = context.bundle("default")?.wheel;
    let ours = Venv::fresh(context, "bench")?;
    // numpy is what a program has beside us; whether we import it is measured.
    ours.pip_install(&["numpy", "--constraint", folder.join("peer.txt").as_str()])?;
    ours.pip_install(&["--no-index", wheel.as_str()])?;
    let peer = peer(context, &folder.join("peer.txt"))?;

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

/// The peer's environment, made again only when its list changes.
fn peer(context: &Context<'_>, list: &Utf8Path) -> Result<Venv> {
    let name = format!(
        "bench-peer-{}",
        digest::short(fs_err::read_to_string(list)?)
    );
    let dir = context.scratch().join("venvs").join(&name);
    let stamp = dir.join("complete");
    if stamp.exists() {
        return Ok(Venv { dir });
    }
    let venv = Venv::fresh(context, &name)?;
    venv.pip_install(&["--requirement", list.as_str()])?;
    fs_err::write(stamp, "")?;
    Ok(venv)
}
