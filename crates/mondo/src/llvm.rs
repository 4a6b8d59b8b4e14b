//! The LLVM that a command uses where its arguments name none.

use mondo_build::{Result, kit, toolchain};

/// The LLVM major version of every manifest in manifests/.
pub const DEFAULT_LLVM: u32 = 22;

/// A request for a toolchain with this LLVM major version, completed from the environment.
///
/// # Errors
///
/// If mondo's own sources or a kit, which hold the lock of the packages, are not found.
pub fn request(llvm: u32) -> Result<toolchain::Request> {
    toolchain::Request::from_environment(llvm, kit::source(None, llvm)?.toolchain_lock())
}
