//! Options: what to build, from what and where to.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_plan::manifest::Overrides;

use crate::report::Layout;

/// The options of a build: its inputs and its output.
#[derive(Debug, Clone)]
pub struct Options {
    /// The manifest's path.
    pub manifest: Utf8PathBuf,
    /// Values that replace the manifest's.
    pub overrides: Overrides,
    /// The form of the output.
    pub layout: Layout,
    /// `--llvm-dir`.
    pub llvm_dir: Option<Utf8PathBuf>,
    /// Never use the network.
    pub offline: bool,
    /// Take what the distribution has now, and rewrite the lock.
    pub update_lock: bool,
    /// The folder for the wheel or tree and its report.
    pub out_dir: Utf8PathBuf,
    /// The folder for intermediate files, kept between runs: `target/mondo`.
    pub work_dir: Utf8PathBuf,
    /// Build even if nothing changed.
    pub force: bool,
}

impl Options {
    /// The defaults for `manifest` in the workspace at `workspace`: its `target/mondo` and `dist`.
    #[must_use]
    pub fn new(manifest: impl Into<Utf8PathBuf>, workspace: &Utf8Path) -> Self {
        Self {
            manifest: manifest.into(),
            overrides: Overrides::default(),
            layout: Layout::default(),
            llvm_dir: None,
            offline: false,
            update_lock: false,
            out_dir: workspace.join("dist"),
            work_dir: work_dir(workspace),
            force: false,
        }
    }
}

/// Cargo's target folder for `workspace`, below which intermediate files go.
#[must_use]
pub fn work_dir(workspace: &Utf8Path) -> Utf8PathBuf {
    let target = std::env::var("CARGO_TARGET_DIR")
        .map_or_else(|_| workspace.join("target"), |dir| workspace.join(dir));
    target.join("mondo")
}
