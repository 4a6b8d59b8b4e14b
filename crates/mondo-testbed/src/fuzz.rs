//! The seeds of the fuzz targets of mondo-audit, and the targets' functions over them.

use camino::Utf8Path;
use mondo_build::exec::Tool;
use mondo_build::{ErrorKind, Result, bundle, compile};

/// Calls each target's own function with each of its seeds, in a test of mondo-audit: this takes
/// seconds, and compiles nothing for libFuzzer.
///
/// # Errors
///
/// If a function fails over a seed.
pub fn over_seeds(workspace: &Utf8Path) -> Result<()> {
    let folder = bundle::work_dir(workspace).join("fuzz/seeds");
    seeds(&folder, workspace)?;
    audit_test("pass the fuzz targets' functions", &folder, workspace)
        .fails_as(ErrorKind::Check)
        .args(["--test", "fuzz_targets", "--", "--ignored"])
        .stream()
}

/// Makes the seeds in `folder`: a test of mondo-audit links small images for every system, and leaves them where it is told to.
///
/// # Errors
///
/// If that test fails.
pub fn seeds(folder: &Utf8Path, workspace: &Utf8Path) -> Result<()> {
    audit_test("make what fuzzing begins with", folder, workspace)
        .args(["--test", "audit", "--", "seeds"])
        .output()
        .map(drop)
}

/// All build crates are compiled, as for the unit tests: with mondo-audit alone, its dependencies have
/// other features, and are compiled again.
fn audit_test(purpose: &str, seeds: &Utf8Path, workspace: &Utf8Path) -> Tool {
    compile::cargo(purpose)
        .cwd(workspace)
        .env("MONDO_FUZZ_SEEDS", seeds)
        .args(["test", "--quiet", "--locked", "--profile", "xtask"])
}
