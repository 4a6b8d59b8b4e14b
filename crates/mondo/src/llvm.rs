//! The LLVM that a command uses where its arguments name none.

use camino::Utf8Path;
use mondo_build::{Result, kit, manifest, toolchain};

use crate::args::manifest_of;

/// The LLVM major version of every manifest in manifests/.
pub const DEFAULT_LLVM: u32 = 22;

/// The LLVM of the default manifest, else [`DEFAULT_LLVM`]. A faulty manifest is for the commands that use all of it.
pub(crate) fn of_project() -> u32 {
    let manifest = manifest_of(Utf8Path::new(""), None).and_then(|path| manifest::load(&path));
    manifest.map_or(DEFAULT_LLVM, |manifest| manifest.llvm.major)
}

/// A request for a toolchain with this LLVM major version, completed from the environment.
///
/// # Errors
///
/// If mondo's own sources or a kit, which hold the lock of the packages, are not found.
pub fn request(llvm: u32) -> Result<toolchain::Request> {
    toolchain::Request::from_environment(llvm, kit::source(None, llvm)?.toolchain_lock())
}
