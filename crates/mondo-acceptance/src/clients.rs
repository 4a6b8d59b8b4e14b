//! Programs over other people's packages, with upstream's package and with mondo's.

use mondo_build::Result;
use mondo_testbed::{Context, Venv};

/// Installs the packages of `tests/python/clients/packages.txt` beside each of the two packages, runs the
/// programs of that folder, and prints how many pass with each.
pub fn check(context: &Context<'_>) -> Result<()> {
    let tests = context.workspace.join("tests/python");
    let packages = tests.join("clients/packages.txt");
    // An environment of its own, because the packages would stay in the one of the group `api`.
    let theirs = Venv::fresh(context, "clients-theirs")?;
    theirs.pip_install(&["--requirement", tests.join("peer.txt").as_str()])?;
    let ours = Venv::fresh(context, "clients")?;
    ours.pip_install(&["--requirement", tests.join("requirements.txt").as_str()])?;
    let wheel = context.bundle("default")?.wheel;
    ours.pip_install(&["--no-index", "--no-deps", wheel.as_str()])?;
    for venv in [&theirs, &ours] {
        venv.pip_install(&["--no-deps", "--requirement", packages.as_str()])?;
    }
    ours.python("run the programs with both packages")
        .arg(tests.join("clients/table.py"))
        .arg("--theirs")
        .arg(theirs.interpreter())
        .arg("--ours")
        .arg(ours.interpreter())
        .stream()
}
