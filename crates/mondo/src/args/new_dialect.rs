//! The arguments of `new-dialect`.

use camino::Utf8PathBuf;
use clap::Args;

#[derive(Debug, Args)]
pub struct NewDialectArgs {
    /// The dialect's name, which begins the names of its operations.
    pub name: String,
    /// Write it in C++, over ODS.
    #[arg(long, required_unless_present = "rust", conflicts_with = "rust")]
    pub cpp: bool,
    /// Write it in Rust, over mondo-dialect.
    #[arg(long)]
    pub rust: bool,
    /// The folder that the crate's own comes into.
    #[arg(long, default_value = "crates/dialects")]
    pub dir: Utf8PathBuf,
}
