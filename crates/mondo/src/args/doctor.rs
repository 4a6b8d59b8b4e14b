//! The arguments of `doctor`.

use clap::Args;

use super::bundle::ToolchainArgs;
use crate::llvm::DEFAULT_LLVM;

#[derive(Debug, Clone, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub toolchain: ToolchainArgs,
    /// The LLVM major version to look for.
    #[arg(long, default_value_t = DEFAULT_LLVM)]
    pub llvm: u32,
}
