//! The arguments of `bundle` and `plan`, and those that other commands have in common with them.

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};
use mondo_build::manifest::Overrides;
use mondo_build::report::Layout;

/// The manifest of a bundle. Part of a command line: `#[command(flatten)]`.
#[derive(Debug, Clone, Args)]
pub struct ManifestArg {
    /// The manifest: what the bundle consists of.
    #[arg(long, default_value = "manifests/default.toml")]
    pub manifest: Utf8PathBuf,
}

/// A manifest, and what stands in the place of its words.
#[derive(Debug, Clone, Args)]
pub struct SelectArgs {
    #[command(flatten)]
    pub manifest: ManifestArg,
    /// This private label instead of the manifest's. Wheels are named after it, too.
    #[arg(long)]
    pub label: Option<String>,
    /// This LLVM version instead of the manifest's: `22`, or `22.1.8`.
    #[arg(long, value_name = "VERSION")]
    pub llvm: Option<String>,
}

impl SelectArgs {
    pub fn overrides(&self) -> Overrides {
        Overrides {
            label: self.label.clone(),
            llvm: self.llvm.clone(),
        }
    }
}

#[derive(Debug, Clone, Args)]
pub struct ToolchainArgs {
    /// An LLVM/MLIR prefix (the folder with bin, include and lib) to use instead of looking for one.
    #[arg(long)]
    pub llvm_dir: Option<Utf8PathBuf>,
    /// Never use the network.
    #[arg(long)]
    pub offline: bool,
    /// Take the packages that the distribution has now, and write them to manifests/toolchain.lock.
    #[arg(long)]
    pub update_lock: bool,
}

#[derive(Debug, Clone, Args)]
pub struct BundleArgs {
    #[command(flatten)]
    pub select: SelectArgs,
    #[command(flatten)]
    pub toolchain: ToolchainArgs,
    /// A wheel, or a folder with the same in it for a build backend of your own.
    #[arg(long, value_enum, default_value_t)]
    pub layout: LayoutArg,
    /// The folder for the wheel or tree and its report.
    #[arg(long, default_value = "dist")]
    pub out_dir: Utf8PathBuf,
    /// Build even if nothing changed since the last run.
    #[arg(long)]
    pub force: bool,
}

/// The form of a bundle.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub enum LayoutArg {
    /// `dist/<distribution>-<version>-<tag>.whl`.
    #[default]
    Wheel,
    /// `dist/<distribution>-tree`, described by its mondo.json.
    Tree,
}

impl From<LayoutArg> for Layout {
    fn from(layout: LayoutArg) -> Self {
        match layout {
            LayoutArg::Wheel => Self::Wheel,
            LayoutArg::Tree => Self::Tree,
        }
    }
}
