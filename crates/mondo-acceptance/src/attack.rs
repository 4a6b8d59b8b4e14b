//! Hostile surroundings: the command where users have no rights, no home and no clock. Each case ends as it does elsewhere,
//! or with a typed error.

mod cache;
mod clocks;
mod strangers;

use camino::Utf8Path;
use mondo_build::exec::{Output, Tool};
use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::{Context, Extent};

use crate::backend;

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

/// The manifest of a small bundle.
const MANIFEST: &str = "manifest = 1\n\
    [package]\ndistribution = \"stranger\"\nlabel = \"stranger\"\nlicense = \"MIT\"\n\
    [llvm]\nversion = \"22\"\ntargets = []\n\
    [contents]\ndialects = [\"func\"]\n";

/// A library that the audit accepts, but for warnings.
fn library(folder: &Utf8Path) -> Result<()> {
    fs_err::write(folder.join("a.c"), "int a_one(void) { return 1; }\n")?;
    Tool::new("gcc", "link a library")
        .fails_as(ErrorKind::Check)
        .cwd(folder)
        .args(["-shared", "-fPIC", "-nostdlib", "a.c", "-o", "liba.so"])
        .arg("-Wl,-soname,liba.so,-z,now,-z,noexecstack")
        .output()?;
    Ok(())
}

/// Checks that a run ended with this exit code and these words, and did not panic.
fn expect(case: &str, output: &Output, code: i32, words: &[&str]) -> Result<()> {
    let said = format!("{}{}", output.stdout, output.stderr);
    let good = output.status.code() == Some(code)
        && words.iter().all(|word| said.contains(word))
        && !said.contains("panicked");
    if good {
        return Ok(());
    }
    let what = format!(
        "{case}: {}, and not exit code {code} with {words:?}",
        output.status
    );
    Err(Error::new(ErrorKind::Check, what).because(said))
}
