//! The arguments of `manifest`.

use camino::Utf8PathBuf;
use clap::Args;

#[derive(Debug, Args)]
pub struct ManifestArgs {
    /// Print the JSON schema of manifests.
    #[arg(long)]
    pub schema: bool,
    /// Print the JSON schema of dialect crates (`dialect.toml`).
    #[arg(long)]
    pub dialect_schema: bool,
    /// Manifests and `dialect.toml` files to check. Default: the manifest that `bundle` would use.
    #[arg(value_name = "FILE")]
    pub paths: Vec<Utf8PathBuf>,
}
