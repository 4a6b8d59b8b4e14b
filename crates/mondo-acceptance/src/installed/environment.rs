//! A fresh environment: a home, a project and a virtual environment, without Rust.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::exec::Tool;
use mondo_build::{Result, kit, toolchain};
use mondo_testbed::files::copy_tree;
use mondo_testbed::verdict::tool;
use mondo_testbed::{Context, Venv};

use crate::no_rust::{NoRust, SYSTEM};

/// Copies the manifests of this checkout, and the files that they name, to the folder `project`, which may be new.
pub fn copy_manifests(project: &Utf8Path, context: &Context<'_>) -> Result<()> {
    fs_err::create_dir_all(project.join("bundle"))?;
    for name in ["LICENSE", "README.md", "bundle/description.md"] {
        fs_err::copy(context.workspace.join(name), project.join(name))?;
    }
    copy_tree(
        &context.workspace.join("manifests"),
        &project.join("manifests"),
    )
}

/// The fresh environment.
pub(super) struct Environment {
    /// The folder that mondo is started in; it has the manifests of this checkout.
    pub(super) project: Utf8PathBuf,
    home: Utf8PathBuf,
    venv: Utf8PathBuf,
    pub(super) no_rust: NoRust,
}

impl Environment {
    /// Makes one below `scratch`, and installs `wheels` and nothing else into it.
    pub(super) fn new(
        scratch: &Utf8Path,
        wheels: &[Utf8PathBuf],
        context: &Context<'_>,
    ) -> Result<Self> {
        let new = Self {
            project: scratch.join("project"),
            home: scratch.join("home"),
            venv: scratch.join("venv"),
            no_rust: NoRust::new(scratch)?,
        };
        let cache = new.home.join(".cache/mondo");
        fs_err::create_dir_all(&cache)?;
        // LLVM's packages take long to download; they are not what is tested.
        let llvm = toolchain::cache_dir()?.join("toolchains");
        fs_err::os::unix::fs::symlink(llvm, cache.join("toolchains"))?;
        copy_manifests(&new.project, context)?;
        new.program_of("python3", "make a virtual environment")
            .args(["-m", "venv", new.venv.as_str()])
            .output()?;
        let wheels: Vec<&str> = wheels.iter().map(|wheel| wheel.as_str()).collect();
        new.install(&wheels)?;
        Ok(new)
    }

    /// A program, by its path or as `PATH` has it, with this environment's variables and no others.
    pub(super) fn program_of(&self, program: &str, purpose: &str) -> Tool {
        // pip asks rustc for its version to tell an index, so the stubs are for mondo alone.
        let stubs = match program {
            "mondo" => format!("{}:", self.no_rust.folder),
            _ => String::new(),
        };
        let path = format!("{}:{stubs}{SYSTEM}", self.venv.join("bin"));
        tool("env", purpose)
            .arg("-i")
            .arg(format!("HOME={}", self.home))
            .arg(format!("PATH={path}"))
            .arg("PYTHONDONTWRITEBYTECODE=1")
            .arg(program)
            .cwd(&self.project)
    }

    /// The installed program.
    pub(super) fn program(&self) -> Utf8PathBuf {
        self.venv.join("bin/mondo")
    }

    /// The installed kit.
    pub(super) fn kit(&self) -> Utf8PathBuf {
        self.venv.join(kit::place_in_prefix(mondo::DEFAULT_LLVM))
    }

    /// A run of mondo in the project.
    pub(super) fn mondo(&self, arguments: &[&str]) -> Tool {
        self.program_of("mondo", "run the installed mondo")
            .args(arguments)
    }

    /// The interpreter.
    pub(super) fn python(&self, purpose: &str) -> Tool {
        self.program_of(self.venv.join("bin/python").as_str(), purpose)
    }

    /// The interpreter's path.
    pub(super) fn interpreter(&self) -> Utf8PathBuf {
        self.venv.join("bin/python")
    }

    /// Removes the wheels that builds have put into the cache.
    pub(super) fn forget_wheels(&self) -> Result<()> {
        for entry in self.home.join(".cache/mondo").read_dir_utf8()? {
            let entry = entry?;
            let mut pinned = ["nanobind-", "cmake-", "ninja-"].into_iter();
            if pinned.any(|name| entry.file_name().starts_with(name)) {
                fs_err::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }

    /// A program that a package has installed.
    pub(super) fn command(&self, name: &str, purpose: &str) -> Tool {
        self.program_of(self.venv.join("bin").join(name).as_str(), purpose)
    }

    /// Lets the interpreter import pytest and what else tests need.
    pub(super) fn lend_test_packages(&self, context: &Context<'_>) -> Result<()> {
        let dir = self.venv.clone();
        Venv { dir }.borrow_test_packages(context)
    }

    /// A shell script with these further variables.
    pub(super) fn shell(&self, script: &Utf8Path, variables: &[(&str, &str)]) -> Tool {
        let variables = variables
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        self.program_of("env", "run a shell script")
            .args(variables)
            .args(["bash", script.as_str()])
    }

    /// Installs wheels, without an index.
    pub(super) fn install(&self, wheels: &[&str]) -> Result<()> {
        self.python("install wheels")
            .args(["-m", "pip", "install", "--quiet", "--no-index"])
            .arg("--disable-pip-version-check")
            .args(wheels)
            .output()
            .map(drop)
    }

    /// Removes a distribution.
    pub(super) fn uninstall(&self, distribution: &str) -> Result<()> {
        self.python("remove a package")
            .args(["-m", "pip", "uninstall", "--quiet", "--yes", distribution])
            .output()
            .map(drop)
    }

    /// Writes a file of the project.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<Utf8PathBuf> {
        let path = self.project.join(name);
        fs_err::write(&path, text)?;
        Ok(path)
    }
}
