//! The arguments of `new` and `init`.

use camino::Utf8PathBuf;
use clap::{ArgGroup, Args};

#[derive(Debug, Args)]
pub struct NewArgs {
    /// The project's name, which is that of its Python package, its label and its dialect.
    pub name: String,
    #[command(flatten)]
    pub kind: KindArgs,
    /// The folder that the project's own comes into.
    #[arg(long, default_value = ".")]
    pub dir: Utf8PathBuf,
}

#[derive(Debug, Args)]
pub struct InitArgs {
    /// The folder, in which none of the project's files may exist, except README.md, LICENSE and .gitignore, which
    /// are kept.
    #[arg(default_value = ".")]
    pub folder: Utf8PathBuf,
    #[command(flatten)]
    pub kind: KindArgs,
    /// The project's name. Default: that of the folder, with `_` for `-`.
    #[arg(long)]
    pub name: Option<String>,
}

/// The project's own part of its MLIR.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("kind").required(true).args(["pick", "cpp", "cmake", "rust", "from"])))]
pub struct KindArgs {
    /// Without a dialect of its own: dialects of MLIR's.
    #[arg(long)]
    pub pick: bool,
    /// With a dialect in C++, over ODS.
    #[arg(long)]
    pub cpp: bool,
    /// With a dialect in C++ that has a CMake project of its own, as upstream's documentation shows.
    #[arg(long)]
    pub cmake: bool,
    /// With a dialect in Rust, over mondo-dialect.
    #[arg(long)]
    pub rust: bool,
    /// With the dialects of the project in this folder, which has its own CMake and does not change.
    #[arg(long, value_name = "FOLDER")]
    pub from: Option<Utf8PathBuf>,
    /// The place of mondo's sources, which a dialect in Rust is compiled with: a git URL, with `#` and a revision or
    /// without (then the tag of this version), or a checkout. CI gets them from a URL; without one it has no file.
    #[arg(long, value_name = "URL|FOLDER", conflicts_with_all = ["pick", "cpp", "cmake", "from"])]
    pub mondo: Option<String>,
}
