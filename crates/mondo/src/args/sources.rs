//! The arguments of `sources`.

use clap::Args;

#[derive(Debug, Clone, Args)]
pub struct SourcesArgs {
    /// The LLVM major version. Default: that of the manifest that `bundle` would use, else 22.
    #[arg(long)]
    pub llvm: Option<u32>,
    /// Never use the network.
    #[arg(long)]
    pub offline: bool,
}
