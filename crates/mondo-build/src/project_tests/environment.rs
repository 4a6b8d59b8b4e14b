//! The environment that a project's tests run in, and the result of a test.

use camino::Utf8PathBuf;
use mondo_plan::manifest::Project;
use mondo_project::BuildTree;
use mondo_toolchain::Toolchain;
use serde::Serialize;

/// The result of one test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestResult {
    /// Its name, as its runner gives it.
    pub name: String,
    /// `PASS`, `FAIL`, `UNSUPPORTED`, …
    pub result: String,
    /// The output of one that failed.
    pub output: Option<String>,
}

impl TestResult {
    /// True if it neither passed nor was left out.
    #[must_use]
    pub fn failed(&self) -> bool {
        !matches!(
            self.result.as_str(),
            "PASS" | "XFAIL" | "FLAKYPASS" | "UNSUPPORTED" | "EXCLUDED" | "SKIPPED"
        )
    }
}

/// The environment that the tests run in.
pub(super) struct Environment<'a> {
    pub(super) project: &'a Project,
    pub(super) tree: &'a BuildTree,
    pub(super) toolchain: &'a Toolchain,
    /// The interpreter of the fresh environment.
    pub(super) python: Utf8PathBuf,
    /// A folder for what the runners write.
    pub(super) work: Utf8PathBuf,
}

impl Environment<'_> {
    /// The folders of programs, those of the bundle first.
    pub(super) fn path(&self) -> String {
        let folders = [
            self.python.with_file_name(""),
            self.tree.build.join("bin"),
            self.toolchain.prefix.join("bin"),
        ];
        let folders: Vec<&str> = folders.iter().map(|it| it.as_str()).collect();
        folders.join(":")
    }
}

/// The end of a test's output.
pub(super) fn tail(text: &str) -> String {
    const LINES: usize = 40;
    let lines: Vec<&str> = text.trim().lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}
