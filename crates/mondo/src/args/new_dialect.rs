//! The arguments of `new-dialect`.

use camino::Utf8PathBuf;
use clap::Args;

#[derive(Debug, Args)]
pub struct NewDialectArgs {
    /// The dialect's name, which is the prefix of its operations.
    pub name: String,
    /// Create a C++ dialect with ODS.
    #[arg(long, required_unless_present_any = ["rust", "from"], conflicts_with = "rust")]
    pub cpp: bool,
    /// Create a Rust dialect with mondo-dialect.
    #[arg(long)]
    pub rust: bool,
    /// Describe the dialects of the existing project in this folder, without changing its files.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["cpp", "rust"])]
    pub from: Option<Utf8PathBuf>,
    /// Create the crate's folder in this folder.
    #[arg(long, value_name = "DIR", default_value = "crates/dialects")]
    pub dir: Utf8PathBuf,
}
