//! The arguments of `sources`.

use clap::Args;

#[derive(Debug, Clone, Args)]
pub struct SourcesArgs {
    /// The LLVM major version. Default: the version in the manifest that `bundle` would use, else 22.
    #[arg(long, value_name = "VERSION")]
    pub llvm: Option<u32>,
    /// Never use the network.
    #[arg(long)]
    pub offline: bool,
}
