//! A project with mondo's build backend, and an environment to install it into.

use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::exec::Tool;
use mondo_build::{ErrorKind, Result, compile};
use mondo_testbed::verdict::{json, tool};
use mondo_testbed::{Context, Venv};

/// The program `mondo`, of which this one has the library.
pub(crate) fn program(context: &Context<'_>) -> Result<Utf8PathBuf> {
    compile::cargo("compile mondo")
        .fails_as(ErrorKind::Check)
        .args(["build", "--locked", "--quiet", "--profile", "xtask"])
        .args(["--package", "mondo"])
        .cwd(context.workspace)
        .output()?;
    let own = std::env::current_exe()?;
    let folder = own.parent().unwrap_or(&own);
    Ok(mondo_build::path::utf8(&folder.join("mondo"))?.to_owned())
}

/// A project, and an environment to install it into.
pub(super) struct Bench<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) program: &'a Utf8Path,
    pub(super) project: Utf8PathBuf,
    pub(super) venv: Venv,
    /// The folder of mondo's sources, if it is not this checkout.
    pub(super) sources: Option<Utf8PathBuf>,
}

impl Bench<'_> {
    pub(super) fn mondo(&self, purpose: &str) -> Tool {
        let tool = tool(self.program.as_str(), purpose)
            .cwd(self.context.workspace)
            .env("MONDO_PYTHON", self.venv.interpreter());
        self.with_sources(tool)
    }

    fn with_sources(&self, tool: Tool) -> Tool {
        match &self.sources {
            Some(folder) => tool.env("MONDO_SOURCE_DIR", folder),
            None => tool,
        }
    }

    fn develop_with(&self, purpose: &str, options: &[&str]) -> Result<String> {
        let develop = self.mondo(purpose).cwd(&self.project);
        let develop = develop.env("VIRTUAL_ENV", &self.venv.dir);
        Ok(develop
            .args(["develop", "--offline"])
            .args(options)
            .output()?
            .stdout)
    }

    pub(super) fn develop(&self, options: &[&str]) -> Result<Duration> {
        let start = Instant::now();
        self.develop_with("install the project editable", options)?;
        Ok(start.elapsed())
    }

    /// Builds with AddressSanitizer. Returns the variables that Python needs then.
    pub(super) fn sanitized(&self) -> Result<Vec<String>> {
        let options = ["--json", "--sanitize", "address"];
        let report = json(&self.develop_with("install the project with a sanitizer", &options)?)?;
        let variables = report["variables"].as_array().into_iter().flatten();
        Ok(variables
            .filter_map(|variable| variable.as_str().map(str::to_owned))
            .collect())
    }

    /// Sets the variables by which a frontend finds the build backend of this checkout.
    pub(super) fn environment(&self, tool: Tool) -> Tool {
        self.with_sources(tool)
            .env("MONDO", self.program)
            .env("MONDO_COMPILER_LAUNCHER", "none")
            .env(
                "PYTHONPATH",
                self.context.workspace.join("crates/mondo/python"),
            )
    }

    /// pip with the backend of this checkout.
    pub(super) fn pip(&self, arguments: &[&str]) -> Result<()> {
        self.pip_with("none", arguments)
    }

    pub(super) fn pip_with(&self, launcher: &str, arguments: &[&str]) -> Result<()> {
        self.environment(self.venv.python("run pip"))
            .args(["-m", "pip", "--disable-pip-version-check"])
            .args(arguments)
            .args(["--no-build-isolation", "--no-deps"])
            .env("MONDO_COMPILER_LAUNCHER", launcher)
            .output()
            .map(drop)
    }

    pub(super) fn pytest(&self) -> Result<()> {
        self.venv
            .pytest("pass the project's tests", &[&self.project])
            .stream()
    }

    pub(super) fn uninstall(&self, name: &str) -> Result<()> {
        self.venv
            .python("uninstall the project")
            .args(["-m", "pip", "uninstall", "--yes", name])
            .output()
            .map(drop)
    }

    /// The error of an import, or what it prints.
    pub(super) fn python(&self, code: &str) -> Result<String> {
        let tool = self.venv.python("import the package").args(["-c", code]);
        let output = tool.output_unchecked()?;
        Ok(output.stdout.trim().to_owned() + output.stderr.trim())
    }
}
