//! The arguments of `check`.

use camino::Utf8PathBuf;
use clap::Args;

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The wheels of the release, all of them.
    #[arg(required = true)]
    pub wheels: Vec<Utf8PathBuf>,
}
