//! The workspace, the toolchain and the bundles of a run.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use mondo_build::bundle::{self, Bundle, Options};
use mondo_build::progress::Sink;
use mondo_build::toolchain::{self, Toolchain};

use crate::files::make_empty;

/// The borrowed context of each test and each measurement.
pub struct Context<'a> {
    /// The folder of the checkout.
    pub workspace: &'a Utf8Path,
    /// The receiver of progress.
    pub sink: &'a dyn Sink,
    /// The LLVM that bundles are made of.
    pub toolchain: Toolchain,
}

impl<'a> Context<'a> {
    /// A context with the LLVM of the manifests, which is provisioned if need be.
    pub fn new(workspace: &'a Utf8Path, sink: &'a dyn Sink) -> Result<Self> {
        Self::with_llvm(mondo::DEFAULT_LLVM, workspace, sink)
    }

    /// A context with another LLVM major version.
    pub fn with_llvm(llvm: u32, workspace: &'a Utf8Path, sink: &'a dyn Sink) -> Result<Self> {
        Ok(Self {
            workspace,
            sink,
            toolchain: toolchain::find(&mondo::request(llvm)?, sink)?,
        })
    }

    /// The folder whose files are kept from one run to the next.
    #[must_use]
    pub fn scratch(&self) -> Utf8PathBuf {
        bundle::work_dir(self.workspace).join("test")
    }

    /// The empty folder `name` in [`Context::scratch`]; that of an earlier run is removed.
    pub fn empty_folder(&self, name: &str) -> Result<Utf8PathBuf> {
        let folder = self.scratch().join(name);
        make_empty(&folder)?;
        Ok(folder)
    }

    /// The bundle of `manifests/<name>.toml`, made if it is not there.
    pub fn bundle(&self, name: &str) -> Result<Bundle> {
        let options = Options::new(self.manifest(name), self.workspace);
        bundle::bundle(&options, self.sink)
    }

    /// The path of `manifests/<name>.toml`.
    #[must_use]
    pub fn manifest(&self, name: &str) -> Utf8PathBuf {
        self.workspace.join(format!("manifests/{name}.toml"))
    }
}
