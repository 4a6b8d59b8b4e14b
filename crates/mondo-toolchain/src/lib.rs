//! Finding or provisioning LLVM and MLIR, the linker and the C++ compiler.
//!
//! [`find`] tries `--llvm-dir`, `MONDO_LLVM_DIR`, a complete system install, and the per-user cache, in this order. A
//! folder that the user named is used or refused with an error, never skipped. An incomplete system install is
//! skipped, and [`doctor`] says why.

pub mod apt;
mod apt_sources;
mod archive_traits;
mod deb;
mod doctor;
mod download;
mod existing_installation;
mod fetched_wheel;
#[cfg(test)]
mod fixture;
mod host;
mod inspect;
mod installation;
mod installed_wheel;
mod launcher;
mod linker;
mod lock;
mod merged_prefix;
mod mirrors;
mod moving;
pub mod package_paragraphs;
mod package_tree;
mod packages;
mod provision;
mod request;
mod sets;
mod sources;
mod tar_archive;
#[cfg(test)]
mod tests;
mod transfer;
pub mod unpack;
mod update;
mod wrapped_programs;

#[cfg(doc)]
use mondo_core::error::ErrorKind;
use mondo_core::error::Result;
use mondo_core::progress::Sink;

pub use archive_traits::ArchiveTraits;
pub use doctor::{CacheFact, Candidate, DoctorReport, Problem, ToolFact, doctor};
use existing_installation::Locked;
pub use host::{Host, Target};
pub use inspect::triplet;
pub use installation::{Moved, Origin, Package, Toolchain, is_of_compiler, tool_path};
pub use installed_wheel::PinnedWheel;
pub use launcher::Launcher;
pub use linker::{Instrumentation, Linker, LockedCompiler, compiler_path, linker, rustc};
pub use lock::{Lock, LockedPackage, MovingSet, PackageSet, upstream_version};
pub use mirrors::{Mirrors, NamedMirrors, mirrors};
pub use mondo_core::cache::cache_dir;
pub use mondo_core::cache_inventory;
pub use provision::take_lock;
pub use request::Request;
pub use sources::{Sources, sources};
pub use transfer::{export, fetch, import, key, locked};
pub use unpack::{PackageFile, with_libraries};
pub use update::Change;

/// Finds an installed LLVM, or downloads LLVM if no installation has all that a build needs.
///
/// # Errors
/// [`ErrorKind::Toolchain`] for an installation or a lock that does not fit the request, [`ErrorKind::Network`] if packages
/// cannot be downloaded, and [`ErrorKind::Integrity`] if they have other digests than the lock.
pub fn find(request: &Request, sink: &dyn Sink) -> Result<Toolchain> {
    find_on(request, &Host::here(), sink)
}

/// Rewrites the lock's packages of `request.major` for the request's target with what this host's apt offers now;
/// each change is a note for `sink`. [`find`] does the same if the request has `update_lock`.
///
/// # Errors
/// `ErrorKind::Network` if apt fails, and `ErrorKind::Toolchain` if it lacks a package.
pub fn update_lock(request: &Request, sink: &dyn Sink) -> Result<Vec<Change>> {
    update::update_lock(request, &Host::here(), sink)
}

fn find_on(request: &Request, host: &Host, sink: &dyn Sink) -> Result<Toolchain> {
    if request.update_lock {
        update::update_lock(request, host, sink)?;
    }
    if let Some((dir, origin)) = existing_installation::asked_for(request) {
        return existing_installation::take(dir, origin, request, host, Locked::Download(sink));
    }
    match existing_installation::system(request, host)? {
        Ok(toolchain) => Ok(toolchain),
        Err(reason) => {
            tracing::info!(reason, "the system's LLVM is not used");
            sets::toolchain(request, host, sink)
        }
    }
}
