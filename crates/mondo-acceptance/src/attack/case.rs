//! The input of a case, and the check of how it ended.

use camino::Utf8Path;
use mondo_build::exec::{Output, Tool};
use mondo_build::{Error, ErrorKind, Result};

/// The manifest of a small bundle.
pub(super) const MANIFEST: &str = "manifest = 1\n\
    [package]\ndistribution = \"stranger\"\nlabel = \"stranger\"\nlicense = \"MIT\"\n\
    [llvm]\nversion = \"22\"\ntargets = []\n\
    [contents]\ndialects = [\"func\"]\n";

/// Links a library in which the audit finds nothing worse than warnings.
pub(super) fn library(folder: &Utf8Path) -> Result<()> {
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
pub(super) fn expect(case: &str, output: &Output, code: i32, words: &[&str]) -> Result<()> {
    let text = format!("{}{}", output.stdout, output.stderr);
    let good = output.status.code() == Some(code)
        && words.iter().all(|word| text.contains(word))
        && !text.contains("panicked");
    if good {
        return Ok(());
    }
    let what = format!(
        "{case}: {}; expected exit code {code} and the words {words:?}",
        output.status
    );
    Err(Error::new(ErrorKind::Check, what).because(text))
}
