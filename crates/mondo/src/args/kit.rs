//! The arguments of `kit`.

use camino::Utf8PathBuf;
use clap::{Args, Subcommand};

use crate::llvm::DEFAULT_LLVM;

/// Kits, with which a bundle needs no Rust.
#[derive(Debug, Args)]
pub struct KitArgs {
    #[command(subcommand)]
    pub command: KitCommand,
}

#[derive(Debug, Subcommand)]
pub enum KitCommand {
    /// Make the kit of an LLVM from a checkout of mondo: a folder, and the wheel mondo-kit-<LLVM>.
    #[command(after_help = "Example: mondo kit build --llvm 22 --out-dir dist")]
    Build(KitBuildArgs),
    /// Make the wheel of the command `mondo` itself from a checkout of mondo.
    #[command(after_help = "Example: mondo kit command --out-dir dist")]
    Command(KitWheelArgs),
    /// Check a kit: the one given, or the one that a bundle would be made with.
    #[command(after_help = "Example: mondo kit check --llvm 22")]
    Check(KitCheckArgs),
}

#[derive(Debug, Args)]
pub struct KitBuildArgs {
    /// The LLVM major version.
    #[arg(long, default_value_t = DEFAULT_LLVM)]
    pub llvm: u32,
    /// An LLVM/MLIR prefix (the folder with bin, include and lib) to use instead of looking for one.
    #[arg(long)]
    pub llvm_dir: Option<Utf8PathBuf>,
    /// Never use the network.
    #[arg(long)]
    pub offline: bool,
    #[command(flatten)]
    pub wheel: KitWheelArgs,
}

#[derive(Debug, Args)]
pub struct KitWheelArgs {
    /// The folder for the results.
    #[arg(long, default_value = "dist")]
    pub out_dir: Utf8PathBuf,
}

#[derive(Debug, Args)]
pub struct KitCheckArgs {
    /// The LLVM major version.
    #[arg(long, default_value_t = DEFAULT_LLVM)]
    pub llvm: u32,
    /// The kit's folder.
    pub kit: Option<Utf8PathBuf>,
}
