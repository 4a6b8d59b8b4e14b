//! The arguments of `size`.

use camino::Utf8PathBuf;
use clap::Args;

use super::bundle::ManifestArg;

#[derive(Debug, Args)]
pub struct SizeArgs {
    /// A wheel, anyone's; without it the one of the manifest, which is made if need be.
    pub wheel: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub manifest: ManifestArg,
    /// The folder for the manifest's wheel.
    #[arg(long, default_value = "dist")]
    pub out_dir: Utf8PathBuf,
    /// Print the shortest chain of references that keeps this in the manifest's library: a symbol,
    /// mangled or not, an archive (`libMLIRIR.a`) or an object file (`libMLIRIR.a(Block.cpp.o)`).
    #[arg(long, value_name = "SYMBOL", conflicts_with_all = ["wheel", "diff", "html"])]
    pub why: Option<String>,
    /// Print what grew from one wheel to another.
    #[arg(long, num_args = 2, value_names = ["BEFORE", "AFTER"], conflicts_with_all = ["wheel", "html"])]
    pub diff: Vec<Utf8PathBuf>,
    /// Write a page with a treemap.
    #[arg(long, value_name = "FILE")]
    pub html: Option<Utf8PathBuf>,
}
