//! The arguments of `matrix`.

use camino::Utf8PathBuf;
use clap::Args;

#[derive(Debug, Args)]
pub struct MatrixArgs {
    /// Only these manifests. Default: that of `bundle`, with all others in `manifests` if it is there.
    #[arg(long)]
    pub manifest: Vec<Utf8PathBuf>,
    /// Each manifest under each of these labels, instead of its own.
    #[arg(long)]
    pub label: Vec<String>,
    /// Only these LLVM versions, instead of all that the catalogue has.
    #[arg(long, value_name = "VERSION")]
    pub llvm: Vec<String>,
}
