//! The arguments of `test-project`.

use camino::Utf8PathBuf;
use clap::Args;

use super::bundle::{SelectArgs, ToolchainArgs};

#[derive(Debug, Args)]
pub struct TestProjectArgs {
    /// The project's name in the manifest.
    pub name: String,
    /// Run only these tests: files or folders, below the project's folder. Default: all
    #[arg(value_name = "TEST")]
    pub tests: Vec<Utf8PathBuf>,
    #[command(flatten)]
    pub select: SelectArgs,
    #[command(flatten)]
    pub toolchain: ToolchainArgs,
    /// The folder for the bundle that is tested.
    #[arg(long, default_value = "dist")]
    pub out_dir: Utf8PathBuf,
    /// A further package of the environment, as pip takes it: `numpy`, or a wheel. May be repeated.
    #[arg(long, value_name = "PACKAGE")]
    pub with: Vec<String>,
}
