//! The arguments of `pep517`.

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub struct Pep517Args {
    /// The hook to run.
    #[arg(value_enum)]
    pub hook: Hook,
    /// The folder with the project's pyproject.toml.
    #[arg(long, default_value = ".")]
    pub project: Utf8PathBuf,
    /// Write the built file to this folder.
    #[arg(long, default_value = "dist")]
    pub out_dir: Utf8PathBuf,
    /// A configuration setting of the frontend: `manifest=…`, `label=…`, `llvm=…`, `llvm-dir=…`,
    /// `kit=…`, `offline=true`, `compiler-launcher=…`, `debug=true`.
    #[arg(long, value_name = "KEY=VALUE")]
    pub config: Vec<String>,
}

/// A hook of PEP 517 or PEP 660.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Hook {
    /// The requirements of a wheel and of an editable install: `{"requires": […]}`.
    Requires,
    /// The requirements of the source distribution: `{"requires": […]}`.
    RequiresSdist,
    /// Build the wheel: `{"file": "…"}`.
    BuildWheel,
    /// Build the source distribution: `{"file": "…"}`.
    BuildSdist,
    /// Build the wheel of an editable install: `{"file": "…"}`.
    BuildEditable,
}
