//! The arguments of `check`.

use camino::Utf8PathBuf;
use clap::Args;

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// All wheels of the release.
    #[arg(required = true)]
    pub wheels: Vec<Utf8PathBuf>,
}
