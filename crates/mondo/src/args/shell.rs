//! The arguments of `completions` and `man`.

use camino::Utf8PathBuf;
use clap::Args;
use clap_complete::Shell;

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell to complete for.
    pub shell: Shell,
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write one page per command to this folder, instead of printing the first page.
    #[arg(long, value_name = "DIR")]
    pub out_dir: Option<Utf8PathBuf>,
}
