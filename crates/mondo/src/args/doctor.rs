//! The arguments of `doctor`.

use clap::Args;

use super::bundle::ToolchainArgs;

#[derive(Debug, Clone, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub toolchain: ToolchainArgs,
    /// The LLVM major version to look for. Default: that of the manifest that `bundle` would use, else 22.
    #[arg(long)]
    pub llvm: Option<u32>,
}
