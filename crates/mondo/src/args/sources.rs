//! The arguments of `sources`.

use clap::Args;

use crate::llvm::DEFAULT_LLVM;

#[derive(Debug, Clone, Args)]
pub struct SourcesArgs {
    /// The LLVM major version.
    #[arg(long, default_value_t = DEFAULT_LLVM)]
    pub llvm: u32,
    /// Never use the network.
    #[arg(long)]
    pub offline: bool,
}
