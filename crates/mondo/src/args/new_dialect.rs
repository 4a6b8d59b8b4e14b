//! The arguments of `new-dialect`.

use camino::Utf8PathBuf;
use clap::Args;

#[derive(Debug, Args)]
pub struct NewDialectArgs {
    /// The dialect's name, which begins the names of its operations.
    pub name: String,
    /// Write it in C++, over ODS.
    #[arg(long, required_unless_present_any = ["rust", "from"], conflicts_with = "rust")]
    pub cpp: bool,
    /// Write it in Rust, over mondo-dialect.
    #[arg(long)]
    pub rust: bool,
    /// Describe the dialects of the project in this folder, whose files stay as they are.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["cpp", "rust"])]
    pub from: Option<Utf8PathBuf>,
    /// The folder that the crate's own comes into.
    #[arg(long, default_value = "crates/dialects")]
    pub dir: Utf8PathBuf,
}
