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
        let manifest = self.workspace.join(format!("manifests/{name}.toml"));
        bundle::bundle(&Options::new(manifest, self.workspace), self.sink)
    }

    /// The wheel of `core.toml` under a third label, whose import root is [`Context::THIRD_ROOT`].
    pub fn third_label(&self) -> Result<Utf8PathBuf> {
        let text = fs_err::read_to_string(self.workspace.join("manifests/core.toml"))?;
        // Paths in a manifest are relative to it.
        let text = text
            .replace(
                "distribution = \"mondo-mlir-core\"",
                "distribution = \"zeta-mlir\"\nlabel = \"zeta\"",
            )
            .replace("\"../", &format!("\"{}/", self.workspace));
        let path = self.scratch().join("third-label.toml");
        fs_err::create_dir_all(self.scratch())?;
        fs_err::write(&path, text)?;
        let options = Options {
            out_dir: self.scratch().join("dist"),
            ..Options::new(path, self.workspace)
        };
        Ok(bundle::bundle(&options, self.sink)?.wheel)
    }

    /// The import root of [`Context::third_label`].
    pub const THIRD_ROOT: &'static str = "zeta.mlir";
}
