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
    /// Use the kit in this folder. Default: `MONDO_KIT`, else an installed kit, else mondo's sources.
    #[arg(long, value_name = "DIR")]
    pub kit: Option<Utf8PathBuf>,
    /// Install into the environment of this interpreter. Default: `VIRTUAL_ENV` or `CONDA_PREFIX`, else `.venv` in
    /// this folder or above, else the environment that mondo is installed in.
    #[arg(long, value_name = "PROGRAM")]
    pub python: Option<Utf8PathBuf>,
    /// Keep running, and rebuild whenever a file of the project changes.
    #[arg(long)]
    pub watch: bool,
    /// Compile the dialects' C++ with debug information.
    #[arg(long)]
    pub debug: bool,
    /// Compile the dialects' C++ with a sanitizer and debug information. Start Python with the environment
    /// variables that mondo prints.
    #[arg(long, value_name = "NAME")]
    pub sanitize: Option<Sanitizer>,
    /// Do not precompile headers. By default, the first run precompiles the headers that recently edited C++ files
    /// of dialects include. This takes 3 s and 35 MB for each of up to four lists of headers, and saves 2 s in
    /// each later run.
    #[arg(long)]
    pub no_precompiled_headers: bool,
    /// Build even if nothing has changed since the last run.
    #[arg(long)]
    pub force: bool,
}

/// A sanitizer of the C++ compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sanitizer {
    /// AddressSanitizer, which finds accesses to freed or unallocated memory.
    Address,
}
