//! Hostile surroundings: the command where users have no rights, no home and no clock. Each case ends as it does elsewhere,
//! or with a typed error.

mod cache;
mod clocks;
mod strangers;

use camino::Utf8Path;
use mondo_build::exec::Tool;
use mondo_build::{ErrorKind, Result};
use mondo_testbed::{Context, Extent};

use crate::backend;

/// The manifest of a small bundle.
const MANIFEST: &str = "manifest = 1\n\
    [package]\ndistribution = \"stranger\"\nlabel = \"stranger\"\nlicense = \"MIT\"\n\
    [llvm]\nversion = \"22\"\ntargets = []\n\
    [contents]\ndialects = [\"func\"]\n";

/// Runs the command as a user without anything, with a damaged cache, and with `--all` under wrong clocks.
///
/// # Errors
///
/// If a result is not the expected one.
pub fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let program = backend::program(context)?;
    strangers::check(&program)?;
    cache::check(&program, extent, context)?;
    if extent.is_all() {
        clocks::check(&program, context)?;
    }
    Ok(())
}

/// Links a library in which the audit finds nothing worse than warnings.
fn library(folder: &Utf8Path) -> Result<()> {
    fs_err::write(folder.join("a.c"), "int a_one(void) { return 1; }\n")?;
    Tool::new("gcc", "link a library")
        .fails_as(ErrorKind::Check)
        .cwd(folder)
        .args(["-shared", "-fPIC", "-nostdlib", "a.c", "-o", "liba.so"])
        .arg("-Wl,-soname,liba.so,-z,now,-z,noexecstack")
        .output()
        .map(drop)
}
