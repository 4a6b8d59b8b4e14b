//! Our package and upstream's, each in an environment of its own, for `tests/api_diff`.

use mondo_build::Result;

use crate::{Context, Venv};

/// A part of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facts {
    /// Names, kinds, bases and signatures.
    Names,
    /// The outcome of each statement of the programs of `tests/api_diff/notebooks`.
    Programs,
    /// Some fifteen thousand calls.
    Probes,
}

/// The two environments.
pub struct Packages {
    /// The one with upstream's package.
    pub theirs: Venv,
    /// The one with the wheel `default`.
    pub ours: Venv,
}

impl Packages {
    /// Installs both. Upstream's is kept from run to run.
    ///
    /// # Errors
    ///
    /// If a bundle cannot be made, or pip cannot install it or upstream's package.
    pub fn install(context: &Context<'_>) -> Result<Self> {
        let list = context.workspace.join("tests/python/peer.txt");
        let theirs = Venv::kept(context, "peer", &list)?;
        let ours = Venv::for_tests(context, "api")?;
        let wheel = context.bundle("default")?.wheel;
        ours.pip_install(&["--no-index", wheel.as_str()])?;
        Ok(Self { theirs, ours })
    }

    /// Compares them.
    ///
    /// # Errors
    ///
    /// If there is a difference that neither list of `tests/api_diff` has, or an entry without one.
    pub fn compare(&self, context: &Context<'_>, facts: Facts) -> Result<()> {
        let (purpose, option) = match facts {
            Facts::Names => ("find the names and signatures of upstream's package", None),
            Facts::Programs => (
                "run programs as upstream's package does",
                Some("--programs"),
            ),
            Facts::Probes => ("behave as upstream's package", Some("--probes")),
        };
        self.ours
            .python(purpose)
            .env("PYTHONPATH", context.workspace.join("tests"))
            .args(["-m", "api_diff", "--theirs"])
            .arg(self.theirs.dir.join("bin/python"))
            .arg("--ours")
            .arg(self.ours.dir.join("bin/python"))
            .args(option)
            .stream()
    }
}
