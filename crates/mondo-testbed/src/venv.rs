//! Python virtual environments.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::exec::Tool;
use mondo_build::{Result, digest};

use crate::context::Context;
use crate::verdict::tool;

/// A virtual environment below the scratch folder, away from the sources.
pub struct Venv {
    /// Its folder.
    pub dir: Utf8PathBuf,
}

impl Venv {
    /// Makes a new one in place of one of this name.
    pub fn fresh(context: &Context<'_>, name: &str) -> Result<Self> {
        Self::make(context, name, &[])
    }

    fn make(context: &Context<'_>, name: &str, options: &[&str]) -> Result<Self> {
        let dir = context.empty_folder(&format!("venvs/{name}"))?;
        let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
        tool(python, "make a virtual environment")
            .installed_by("apt-get install python3-venv")
            .args(["-m", "venv"])
            .args(options)
            .arg(&dir)
            .output()?;
        Ok(Self { dir })
    }

    /// A new one that has what our tests need. That is installed once, in one environment from which
    /// all others import it, pip too: it is ten times as large as what they have of their own.
    pub fn for_tests(context: &Context<'_>, name: &str) -> Result<Self> {
        let venv = Self::make(context, name, &["--without-pip"])?;
        venv.borrow_test_packages(context)?;
        Ok(venv)
    }

    /// Lets the interpreter import pytest and the other packages that tests need.
    pub fn borrow_test_packages(&self, context: &Context<'_>) -> Result<()> {
        let lent = Self::kept(context, "requirements")?.packages()?;
        let links = self.packages()?.join("lent.pth");
        Ok(fs_err::write(links, format!("{lent}\n"))?)
    }

    /// The folder of its packages.
    pub fn packages(&self) -> Result<Utf8PathBuf> {
        let script = "import sysconfig; print(sysconfig.get_path('purelib'), end='')";
        let python = self.python("find its packages").args(["-c", script]);
        Ok(python.output()?.stdout.into())
    }

    /// As [`Venv::for_tests`], with these wheels installed, and without an index.
    pub fn with_wheels<'w>(
        context: &Context<'_>,
        name: &str,
        wheels: impl IntoIterator<Item = &'w Utf8PathBuf>,
    ) -> Result<Self> {
        let venv = Self::for_tests(context, name)?;
        let wheels = wheels.into_iter().map(|wheel| wheel.as_str());
        venv.pip_install(&["--no-index"].into_iter().chain(wheels).collect::<Vec<_>>())?;
        Ok(venv)
    }

    /// As [`Venv::with_wheels`]. Checks that pip finds no missing requirement.
    pub fn checked(context: &Context<'_>, name: &str, wheels: &[Utf8PathBuf]) -> Result<Self> {
        let venv = Self::with_wheels(context, name, wheels)?;
        let check = venv.python("pass pip check").args(["-m", "pip", "check"]);
        check.output().map(|_| venv)
    }

    /// The environment with the packages of `tests/python/<name>.txt`, which is made again only when that list changes.
    pub fn kept(context: &Context<'_>, name: &str) -> Result<Self> {
        let list = context.workspace.join(format!("tests/python/{name}.txt"));
        let name = format!("{name}-{}", digest::short(fs_err::read_to_string(&list)?));
        let dir = context.scratch().join("venvs").join(&name);
        let stamp = dir.join("complete");
        if stamp.exists() {
            return Ok(Self { dir });
        }
        let venv = Self::fresh(context, &name)?;
        venv.pip_install(&["--requirement", list.as_str()])?;
        fs_err::write(stamp, "")?;
        Ok(venv)
    }

    /// The interpreter's path.
    #[must_use]
    pub fn interpreter(&self) -> Utf8PathBuf {
        self.dir.join("bin/python")
    }

    /// Installs packages; `args` are those of `pip install`.
    pub fn pip_install(&self, args: &[&str]) -> Result<()> {
        self.python("install packages")
            .args(["-m", "pip", "install", "--quiet"])
            .arg("--disable-pip-version-check")
            .args(args)
            .output()
            .map(drop)
    }

    /// One of its programs, such as that of an installed package.
    #[must_use]
    pub fn program(&self, name: &str, purpose: &str) -> Tool {
        tool(self.dir.join("bin").join(name), purpose)
    }

    /// pytest over files and folders.
    #[must_use]
    pub fn pytest(&self, purpose: &str, tests: &[&Utf8Path]) -> Tool {
        self.python(purpose)
            .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
            .args(tests)
    }

    /// Its interpreter, started in an empty folder.
    #[must_use]
    pub fn python(&self, purpose: &str) -> Tool {
        let away = self.dir.join("away");
        // Starting the program reports a folder that could not be made.
        let _ = fs_err::create_dir_all(&away);
        let path = std::env::var("PATH").unwrap_or_default();
        self.program("python", purpose)
            .cwd(away)
            .env_remove("PYTHONPATH")
            .env("PATH", format!("{}:{path}", self.dir.join("bin")))
            .env("PYTHONDONTWRITEBYTECODE", "1")
    }
}
