//! The arguments of `new`.

use camino::Utf8PathBuf;
use clap::Args;

#[derive(Debug, Args)]
pub struct NewArgs {
    /// The project's name, which is that of its Python package, its label and its dialect.
    pub name: String,
    /// Without a dialect of its own: dialects of MLIR's.
    #[arg(long, required_unless_present_any = ["cpp", "cmake", "rust"])]
    #[arg(conflicts_with_all = ["cpp", "cmake", "rust"])]
    pub pick: bool,
    /// With a dialect in C++, over ODS.
    #[arg(long, conflicts_with_all = ["cmake", "rust"])]
    pub cpp: bool,
    /// With a dialect in C++ that has a CMake project of its own, as upstream's documentation shows.
    #[arg(long, conflicts_with = "rust")]
    pub cmake: bool,
    /// With a dialect in Rust, over mondo-dialect.
    #[arg(long)]
    pub rust: bool,
    /// The place of mondo's sources, which a dialect in Rust is compiled with: a git URL, with `#` and a revision or
    /// without (then the tag of this version), or a checkout. CI gets them from a URL; without one it has no file.
    #[arg(long, value_name = "URL|FOLDER", requires = "rust")]
    pub mondo: Option<String>,
    /// The folder that the project's own comes into.
    #[arg(long, default_value = ".")]
    pub dir: Utf8PathBuf,
}
