//! The arguments of `develop`.

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};

use super::bundle::{SelectArgs, ToolchainArgs};

#[derive(Debug, Args)]
pub struct DevelopArgs {
    #[command(flatten)]
    pub select: SelectArgs,
    #[command(flatten)]
    pub toolchain: ToolchainArgs,
    /// Use this kit instead of an installed one, or of mondo's sources.
    #[arg(long, value_name = "DIR")]
    pub kit: Option<Utf8PathBuf>,
    /// The interpreter of the environment to install into. Default: that of `VIRTUAL_ENV` or
    /// `CONDA_PREFIX`, else of `.venv` in this folder or one above, else of the environment that mondo is installed in.
    #[arg(long, value_name = "PROGRAM")]
    pub python: Option<Utf8PathBuf>,
    /// Go on: build again whenever a file of the project has changed.
    #[arg(long)]
    pub watch: bool,
    /// Compile the dialects' C++ for a debugger.
    #[arg(long)]
    pub debug: bool,
    /// Compile the dialects' C++ with a sanitizer, and for a debugger. Python has to be started with the variables
    /// that are printed.
    #[arg(long, value_name = "NAME")]
    pub sanitize: Option<Sanitizer>,
    /// Precompile no headers. Those that the last edited C++ files of dialects begin with are otherwise compiled at the
    /// first run, which takes 7 s and 180 MB for each of at most four lists of headers, and makes each later run
    /// 1.4 s shorter.
    #[arg(long)]
    pub no_precompiled_headers: bool,
    /// Build even if nothing changed since the last run.
    #[arg(long)]
    pub force: bool,
}

/// A sanitizer of the C++ compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sanitizer {
    /// AddressSanitizer: accesses to memory that is freed or not allocated.
    Address,
}
