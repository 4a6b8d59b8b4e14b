//! The arguments of `develop`.

use camino::Utf8PathBuf;
use clap::Args;

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
    /// The interpreter of the environment to install into. Default: that of `VIRTUAL_ENV`.
    #[arg(long, value_name = "PROGRAM")]
    pub python: Option<Utf8PathBuf>,
    /// Go on: build again whenever a file of the project has changed.
    #[arg(long)]
    pub watch: bool,
    /// Compile the dialects' C++ for a debugger.
    #[arg(long)]
    pub debug: bool,
    /// Build even if nothing changed since the last run.
    #[arg(long)]
    pub force: bool,
}
