//! The files that `mondo new` begins a project with: those of CI, of git and of tests.

use mondo_build::exec::Tool;
use mondo_build::{ErrorKind, Result};
use mondo_testbed::Venv;

use super::bench::{Bench, failed};

/// The files of every kind of project.
const FILES: [&str; 6] = [
    ".github/workflows/wheel.yml",
    ".gitignore",
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "tests/test_package.py",
];

/// Each kind has them, its file of CI satisfies the schema and zizmor, and git takes the whole.
pub(super) fn files(bench: &Bench<'_>) -> Result<()> {
    for file in FILES {
        if !bench.project.join(file).is_file() {
            return Err(failed("a new project lacks a file").at(bench.project.join(file)));
        }
    }
    let tools = Venv::tools(bench.context)?;
    let workflow = bench.project.join(FILES[0]);
    tools
        .python("satisfy the schema of workflows")
        .args(["-m", "check_jsonschema", "--quiet"])
        .args(["--builtin-schema", "vendor.github-workflows"])
        .arg(&workflow)
        .output()?;
    Tool::new(tools.dir.join("bin/zizmor"), "satisfy zizmor")
        .fails_as(ErrorKind::Check)
        .args(["--offline", "--quiet", "--no-progress"])
        .arg(&workflow)
        .output()?;
    git(bench, &["init", "--quiet"])?;
    git(bench, &["add", "--all"]).map(drop)
}

/// After builds, tests and edits that were taken back, git sees no file that is new or different.
pub(super) fn left_clean(bench: &Bench<'_>) -> Result<()> {
    let status = git(bench, &["status", "--porcelain"])?;
    // Files that were added at the beginning, as nothing is committed.
    let other = status.lines().filter(|line| !line.starts_with("A  "));
    let other: Vec<String> = other.map(str::to_owned).collect();
    if other.is_empty() {
        return Ok(());
    }
    Err(failed("builds and tests leave files that git sees").details(other))
}

fn git(bench: &Bench<'_>, arguments: &[&str]) -> Result<String> {
    let tool = Tool::new("git", "keep the project under git")
        .fails_as(ErrorKind::Check)
        .args(["-C", bench.project.as_str()]);
    Ok(tool.args(arguments).output()?.stdout)
}
