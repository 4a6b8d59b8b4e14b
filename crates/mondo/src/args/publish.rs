//! The arguments of `publish`.

use camino::Utf8PathBuf;
use clap::Args;

#[derive(Debug, Args)]
pub struct PublishArgs {
    /// Check, and upload nothing. Uploading is for CI, with the index's own program.
    #[arg(long, required = true)]
    pub dry_run: bool,
    /// All wheels of the release.
    #[arg(required = true)]
    pub wheels: Vec<Utf8PathBuf>,
}
