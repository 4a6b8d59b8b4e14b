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
    /// Check these manifests and dialect crates (`dialect.toml`). Default, without a schema: the manifest of `bundle`.
    pub paths: Vec<Utf8PathBuf>,
}
