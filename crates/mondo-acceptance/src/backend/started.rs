//! The files that `mondo new` begins a project with: those of CI, of git and of tests.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use mondo_testbed::Context;
use mondo_testbed::verdict::{expect, failed, tool};

use super::bench::Bench;
use crate::workflow::steps;

/// The files of every kind of project.
const FILES: [&str; 8] = [
    ".github/workflows/wheel.yml",
    ".gitignore",
    ".vscode/extensions.json",
    ".vscode/settings.json",
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "tests/test_package.py",
];

/// Checks that a project of each kind begins with these files, and that git takes all files.
pub(super) fn files(bench: &Bench<'_>) -> Result<()> {
    for file in FILES {
        let path = bench.project.join(file);
        expect(path.is_file(), "a new project lacks a file", path)?;
    }
    git(bench, &["init", "--quiet"])?;
    git(bench, &["add", "--all"]).map(drop)
}

/// A git repository with what this checkout has committed, and its revision, as `--mondo` names it.
pub(super) fn repository(context: &Context<'_>, scratch: &Utf8Path) -> Result<String> {
    let workspace = context.workspace.as_str();
    let git = |purpose: &str| tool("git", purpose);
    let folder = scratch.join("mondo.git");
    git("clone this checkout")
        .args(["clone", "--quiet", "--bare", workspace, folder.as_str()])
        .output()?;
    let head = git("name this checkout's revision")
        .args(["-C", workspace, "rev-parse", "HEAD"])
        .output()?
        .stdout;
    Ok(format!("file://{folder}#{}", head.trim()))
}

/// Runs the step of the project's file of CI that gets mondo's sources, in the project's folder. Returns the folder that
/// the step hands to the next ones.
pub(super) fn sources(bench: &Bench<'_>) -> Result<Utf8PathBuf> {
    const STEP: &str = "Get mondo's sources";
    let workflow = bench.project.join(FILES[0]);
    let step = steps(&workflow)?.into_iter().find(|step| step.name == STEP);
    let step =
        step.ok_or_else(|| failed("the file of CI does not get mondo's sources").at(&workflow))?;
    let variables = bench.project.with_extension("env");
    tool("sh", "get mondo's sources as CI does")
        .args(["-e", "-c", &step.script])
        .cwd(&bench.project)
        .env("GITHUB_ENV", &variables)
        .output()?;
    let said = fs_err::read_to_string(&variables)?;
    let folder = said.trim().strip_prefix("MONDO_SOURCE_DIR=");
    let what = "the file of CI does not say where mondo's sources are";
    folder
        .map(Utf8PathBuf::from)
        .ok_or_else(|| failed(what).because(&said))
}

/// After builds, tests and edits that were taken back, git sees no file that is new or different.
pub(super) fn left_clean(bench: &Bench<'_>) -> Result<()> {
    let status = git(bench, &["status", "--porcelain"])?;
    // Files that were added at the beginning, as nothing is committed.
    let other = status.lines().filter(|line| !line.starts_with("A  "));
    let other: Vec<&str> = other.collect();
    let what = "builds and tests leave files that git sees";
    expect(other.is_empty(), what, other.join("\n"))
}

fn git(bench: &Bench<'_>, arguments: &[&str]) -> Result<String> {
    let tool = tool("git", "keep the project under git").args(["-C", bench.project.as_str()]);
    Ok(tool.args(arguments).output()?.stdout)
}
