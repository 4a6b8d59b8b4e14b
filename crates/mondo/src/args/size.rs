//! The arguments of `size`.

use camino::Utf8PathBuf;
use clap::Args;

use super::bundle::ManifestArg;

#[derive(Debug, Args)]
pub struct SizeArgs {
    /// The wheel to measure, built by mondo or not. Default: the manifest's wheel, which mondo builds if necessary.
    pub wheel: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub manifest: ManifestArg,
    /// Read the manifest's wheel from this folder, or build it there.
    #[arg(long, value_name = "DIR", default_value = "dist")]
    pub out_dir: Utf8PathBuf,
    /// Print the shortest chain of references that keeps this symbol in the manifest's library. Accepts mangled and
    /// demangled symbols, archives (`libMLIRIR.a`) and object files (`libMLIRIR.a(Block.cpp.o)`).
    #[arg(long, value_name = "SYMBOL", conflicts_with_all = ["wheel", "diff", "html"])]
    pub why: Option<String>,
    /// Print how sizes differ between two wheels.
    #[arg(long, num_args = 2, value_names = ["BEFORE", "AFTER"], conflicts_with_all = ["wheel", "html"])]
    pub diff: Vec<Utf8PathBuf>,
    /// Write a treemap as an HTML page.
    #[arg(long, value_name = "FILE")]
    pub html: Option<Utf8PathBuf>,
}
