//! The arguments of `completions` and `man`.

use camino::Utf8PathBuf;
use clap::Args;
use clap_complete::Shell;

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell.
    pub shell: Shell,
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write a page for each command into this folder, instead of the first page to standard output.
    #[arg(long)]
    pub out_dir: Option<Utf8PathBuf>,
}
