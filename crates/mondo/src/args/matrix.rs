//! The arguments of `matrix`.

use camino::Utf8PathBuf;
use clap::Args;

#[derive(Debug, Args)]
pub struct MatrixArgs {
    /// List this manifest. May be repeated. Default: the manifest that `bundle` would use; if it is in `manifests`,
    /// all manifests there.
    #[arg(long, value_name = "FILE")]
    pub manifest: Vec<Utf8PathBuf>,
    /// Combine each manifest with this label instead of its own. May be repeated.
    #[arg(long)]
    pub label: Vec<String>,
    /// List this LLVM version. May be repeated. Default: all versions in the catalogue.
    #[arg(long, value_name = "VERSION")]
    pub llvm: Vec<String>,
}
