//! The environment that a project's tests run in, and the result of a test.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::manifest::{Project, ProjectTool};
use mondo_plan::plan::tool_command;
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
    /// The output of a failed test.
    pub output: Option<String>,
    /// The packages that a failed test imports and that its environment does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

impl TestResult {
    /// True unless the test passed, was expected to fail, or was not run.
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
    /// Tools of the bundle that replace programs of the project.
    pub(super) tools: Tools,
    /// The files and folders whose tests are run. Empty for all.
    pub(super) chosen: Vec<Utf8PathBuf>,
}

/// The tools of the bundle that run in place of programs that the project would build.
pub(super) struct Tools {
    /// Pairs of the name of a program and the path of the tool that replaces it.
    pub(super) programs: Vec<(String, Utf8PathBuf)>,
    /// A folder in which the tools have these names.
    folder: Utf8PathBuf,
}

impl Tools {
    /// The tools that the project's entry in the manifest names, from the folder of `python`.
    pub(super) fn of(
        project: &Project,
        label: Option<&str>,
        python: &Utf8Path,
        work: &Utf8Path,
    ) -> Result<Self> {
        let folder = work.join("tools");
        if folder.exists() {
            fs_err::remove_dir_all(&folder)?;
        }
        fs_err::create_dir_all(&folder)?;
        let mut programs = Vec::new();
        for (program, tool) in &project.tools {
            let command = match tool.get_ref() {
                ProjectTool::Tool(tool) => tool_command(label, tool),
                ProjectTool::Own(own) => own.command.clone(),
            };
            let path = python.with_file_name(command);
            fs_err::os::unix::fs::symlink(&path, folder.join(program))?;
            programs.push((program.clone(), path));
        }
        Ok(Self { programs, folder })
    }
}

/// The paths of chosen tests, which a user gives from the project's folder.
pub(super) fn chosen(project: &Project, tests: &[Utf8PathBuf]) -> Result<Vec<Utf8PathBuf>> {
    let paths = tests.iter().map(|test| {
        let path = project.folder.join(test);
        path.canonicalize_utf8().map_err(|error| {
            let what = format!(
                "`{test}` is not a file or folder of the project `{}`",
                project.name.get_ref()
            );
            Error::new(ErrorKind::Plan, what)
                .at(&project.folder)
                .caused_by(error)
                .help("write test paths relative to the project's folder")
        })
    });
    paths.collect()
}

impl Environment<'_> {
    /// True for a file whose tests are run.
    pub(super) fn has_chosen(&self, file: &Utf8Path) -> bool {
        let file = file.canonicalize_utf8().unwrap_or_else(|_| file.to_owned());
        self.chosen.is_empty() || self.chosen.iter().any(|path| file.starts_with(path))
    }

    /// The value of `PATH`, with the bundle's folders first.
    pub(super) fn path(&self) -> String {
        let folders = [
            self.tools.folder.clone(),
            self.python.with_file_name(""),
            self.tree.build.join("bin"),
            self.toolchain.prefix.join("bin"),
        ];
        let folders: Vec<&str> = folders.iter().map(|folder| folder.as_str()).collect();
        folders.join(":")
    }
}

/// The end of a test's output.
pub(super) fn tail(text: &str) -> String {
    const LINES: usize = 40;
    let lines: Vec<&str> = text.trim().lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}
