//! `cargo xtask tidy`: runs the rules of the architecture, which are tests of mondo-tidy. That crate is no
//! dependency of ours, so that `cargo xtask bundle` does not compile it.

use camino::Utf8Path;
use mondo_build::progress::Sink;
use mondo_build::{ErrorKind, Result, compile};

/// Runs the tests.
///
/// # Errors
/// It fails with the list of complaints where a rule is broken.
pub(crate) fn run(workspace: &Utf8Path, sink: &dyn Sink) -> Result<()> {
    compile::cargo("keep the architecture's rules")
        .fails_as(ErrorKind::Check)
        .args(["test", "--quiet", "--locked", "--profile", "xtask"])
        .args(["--package", "mondo-tidy", "--lib"])
        .env("MONDO_WORKSPACE_DIR", workspace)
        .cwd(workspace)
        .output()?;
    sink.note("the architecture's rules hold");
    Ok(())
}
