//! The arguments of `kit`.

use camino::Utf8PathBuf;
use clap::{Args, Subcommand};

use super::bundle::DEFAULT_LLVM;

/// Build or check kits: with a kit installed, building a bundle requires no Rust.
#[derive(Debug, Args)]
pub struct KitArgs {
    #[command(subcommand)]
    pub command: KitCommand,
}

#[derive(Debug, Subcommand)]
pub enum KitCommand {
    /// Build the kit for an LLVM version from a checkout of mondo: a folder, and the wheel mondo-kit-<LLVM>.
    #[command(after_help = "Example: mondo kit build --llvm 22 --out-dir dist")]
    Build(KitBuildArgs),
    /// Build the wheel of the `mondo` command itself from a checkout of mondo.
    #[command(after_help = "Example: mondo kit command --out-dir dist")]
    Command(KitWheelArgs),
    /// Check the given kit, or the kit that `mondo bundle` would use.
    #[command(after_help = "Example: mondo kit check --llvm 22")]
    Check(KitCheckArgs),
}

#[derive(Debug, Args)]
pub struct KitBuildArgs {
    /// The LLVM major version.
    #[arg(long, value_name = "VERSION", default_value_t = DEFAULT_LLVM)]
    pub llvm: u32,
    /// Use the LLVM/MLIR installation in this folder, which contains bin, include and lib. Default:
    /// `MONDO_LLVM_DIR`, else an installed LLVM, else mondo downloads one.
    #[arg(long, value_name = "DIR")]
    pub llvm_dir: Option<Utf8PathBuf>,
    /// Never use the network.
    #[arg(long)]
    pub offline: bool,
    #[command(flatten)]
    pub wheel: KitWheelArgs,
}

#[derive(Debug, Args)]
pub struct KitWheelArgs {
    /// Write the results to this folder.
    #[arg(long, value_name = "DIR", default_value = "dist")]
    pub out_dir: Utf8PathBuf,
}

#[derive(Debug, Args)]
pub struct KitCheckArgs {
    /// The LLVM major version.
    #[arg(long, value_name = "VERSION", default_value_t = DEFAULT_LLVM)]
    pub llvm: u32,
    /// The folder of the kit.
    pub kit: Option<Utf8PathBuf>,
}
