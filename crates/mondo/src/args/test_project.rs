//! The arguments of `test-project`.

use camino::Utf8PathBuf;
use clap::Args;

use super::bundle::{SelectArgs, ToolchainArgs};

#[derive(Debug, Args)]
pub struct TestProjectArgs {
    /// The project's name in the manifest.
    pub name: String,
    /// Files or folders with the tests to run, relative to the project's folder. Default: all tests.
    #[arg(value_name = "TEST")]
    pub tests: Vec<Utf8PathBuf>,
    #[command(flatten)]
    pub select: SelectArgs,
    #[command(flatten)]
    pub toolchain: ToolchainArgs,
    /// Read the bundle to test from this folder, or build it there.
    #[arg(long, value_name = "DIR", default_value = "dist")]
    pub out_dir: Utf8PathBuf,
    /// Also install this package into the test environment: a requirement such as `numpy`, or a wheel. May be
    /// repeated.
    #[arg(long, value_name = "PACKAGE")]
    pub with: Vec<String>,
}
