//! The arguments of `doctor`.

use clap::Args;

use super::bundle::ToolchainArgs;

#[derive(Debug, Clone, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub toolchain: ToolchainArgs,
    /// Look for this LLVM major version. Default: the version in the manifest that `bundle` would use, else 22.
    #[arg(long, value_name = "VERSION")]
    pub llvm: Option<u32>,
}
