//! The input of the cases.

use camino::Utf8Path;
use mondo_build::Result;
use mondo_testbed::verdict::tool;

/// The manifest of a small bundle.
pub(super) const MANIFEST: &str = "manifest = 1\n\
    [package]\ndistribution = \"stranger\"\nlabel = \"stranger\"\nlicense = \"MIT\"\n\
    [llvm]\nversion = \"22\"\ntargets = []\n\
    [contents]\ndialects = [\"func\"]\n";

/// Links a library in which the audit finds nothing worse than warnings.
pub(super) fn library(folder: &Utf8Path) -> Result<()> {
    fs_err::write(folder.join("a.c"), "int a_one(void) { return 1; }\n")?;
    tool("gcc", "link a library")
        .cwd(folder)
        .args(["-shared", "-fPIC", "-nostdlib", "a.c", "-o", "liba.so"])
        .arg("-Wl,-soname,liba.so,-z,now,-z,noexecstack")
        .output()
        .map(drop)
}
