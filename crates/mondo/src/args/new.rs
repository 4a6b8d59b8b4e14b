//! The arguments of `new`, `init` and `new-dialect`.

use camino::Utf8PathBuf;
use clap::{ArgGroup, Args};

#[derive(Debug, Args)]
pub struct NewArgs {
    /// The project's name, also used for its Python package, its label and its dialect.
    pub name: String,
    #[command(flatten)]
    pub kind: KindArgs,
    /// Create the project's folder in this folder.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub dir: Utf8PathBuf,
}

#[derive(Debug, Args)]
pub struct InitArgs {
    /// The project's folder. mondo keeps an existing README.md, LICENSE and .gitignore, and fails if another file of
    /// the project exists.
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: Utf8PathBuf,
    #[command(flatten)]
    pub kind: KindArgs,
    /// The project's name. Default: the name of the folder, with `_` instead of `-`.
    #[arg(long)]
    pub name: Option<String>,
}

/// The project's own part of its MLIR.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("kind").required(true).args(["pick", "cpp", "cmake", "rust", "from"])))]
pub struct KindArgs {
    /// Use MLIR's own dialects only.
    #[arg(long)]
    pub pick: bool,
    /// Add a C++ dialect with ODS.
    #[arg(long)]
    pub cpp: bool,
    /// Add a C++ dialect built with CMake, laid out as in MLIR's documentation.
    #[arg(long)]
    pub cmake: bool,
    /// Add a Rust dialect with mondo-dialect.
    #[arg(long)]
    pub rust: bool,
    /// Add the dialects of the CMake project in this folder, whose files do not change.
    #[arg(long, value_name = "FOLDER")]
    pub from: Option<Utf8PathBuf>,
    /// Compile the Rust dialect with mondo's sources from this git URL or checkout. `URL#REVISION` selects a
    /// revision; the default is the tag of this version. CI is generated only for a URL.
    #[arg(long, value_name = "URL|DIR", conflicts_with_all = ["pick", "cpp", "cmake", "from"])]
    pub mondo: Option<String>,
}

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
