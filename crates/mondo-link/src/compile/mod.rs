//! The compile phase: the dialect crates' C++, the Rust staticlibs of the library and of the
//! extension, and the tables that adapt these to a manifest. The staticlibs depend on the LLVM and on
//! mondo's sources, never on a manifest, so they are compiled once and kept in the user's cache.

mod assemble;
mod cache;
mod cargo;
mod dialect_crates;
mod features;
mod generator;
mod packages;
mod registered;
mod registration;
mod request;
mod rust;
mod rust_crates;

use std::sync::Arc;

use camino::Utf8PathBuf;
use mondo_core::error::Result;
use mondo_core::interrupt::Stop;

use crate::cpp::Compiler;
use crate::glibc_stubs::{self, GlibcStubs};
pub use crate::step::Digests;
pub use cache::Keys;
pub use cargo::{cargo, environment};
pub use dialect_crates::CompiledCrate;
pub use packages::{Package, Packages};
pub use request::Request;
use rust::RustBuild;

/// The result of the compile phase.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The core runtime and the dialects in Rust: `libmondo_bundle.a`.
    pub bundle: Utf8PathBuf,
    /// The registration table of the manifest, and stubs of what its plan excludes: an object file.
    pub registration: Utf8PathBuf,
    /// The table of the parts of the extension that the bundle has: an object file.
    pub features: Utf8PathBuf,
    /// The dialect crates, in the plan's order.
    pub crates: Vec<CompiledCrate>,
    /// The stub libraries and objects for a link against an older glibc than the installed one.
    pub glibc_stubs: Option<GlibcStubs>,
}

/// Compiles what a plan consists of, but for the extension's staticlib. `digests` then knows the files
/// that C++ was compiled from.
///
/// # Errors
/// [`mondo_core::ErrorKind::Compile`] where a compiler or generator fails, with what it said.
pub fn compile(request: Request<'_>, keys: &Keys, digests: &Digests) -> Result<Compiled> {
    let Request {
        plan,
        toolchain,
        source,
        linker,
        work,
        ..
    } = request;
    let compiler = Compiler {
        linker,
        toolchain,
        digests,
    };
    // First, as it is where mistakes are made.
    let crates = dialect_crates::compile(plan, compiler, work)?;
    let glibc_stubs = glibc_stubs::prepare(plan.link.glibc_floor, source, compiler, work)?;
    let registration = registration::object(plan, linker, work)?;
    let features = features::object(plan, linker, work)?;
    let bundle = RustBuild(request).staticlib(&keys.bundle, &request.packages.bundle, None)?;
    digests.add(&bundle.read);
    Ok(Compiled {
        bundle: bundle.path,
        registration,
        features,
        crates,
        glibc_stubs,
    })
}

/// Compiles the extension module, with the code for all dialects: `libmondo_py.a`. The library needs
/// nothing of it, so it is compiled while that is linked; `stop` ends it.
///
/// # Errors
/// [`mondo_core::ErrorKind::Compile`] where cargo fails, with what it said;
/// [`mondo_core::ErrorKind::Interrupted`] after `stop`.
pub fn extension(
    request: Request<'_>,
    keys: &Keys,
    digests: &Digests,
    stop: &Arc<Stop>,
) -> Result<Utf8PathBuf> {
    let package = &request.packages.extension;
    let extension = RustBuild(request).staticlib(&keys.extension, package, Some(stop))?;
    digests.add(&extension.read);
    Ok(extension.path)
}
