//! The arguments of `sources`.

use clap::Args;

use super::bundle::NetworkArgs;

#[derive(Debug, Clone, Args)]
pub struct SourcesArgs {
    /// The LLVM major version. Default: the version in the manifest that `bundle` would use, else 22.
    #[arg(long, value_name = "VERSION")]
    pub llvm: Option<u32>,
    #[command(flatten)]
    pub network: NetworkArgs,
}
