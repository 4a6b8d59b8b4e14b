//! The compile phase: the dialect crates' C++, the Rust staticlibs of the library and of the
//! extension, and the tables that adapt these to a manifest. The staticlibs depend on the LLVM and on
//! mondo's sources, never on a manifest, so they are compiled once and kept in the user's cache, or
//! come with a kit.

pub(crate) mod assemble;
mod cache;
mod caller;
mod cargo;
mod cpp_registrations;
mod data_classes;
mod dialect_crates;
mod features;
mod generator;
mod keys;
mod packages;
mod program;
mod registration;
mod request;
mod rust;
mod rust_crates;
mod staticlibs;
mod tools;

use std::sync::Arc;

use camino::Utf8PathBuf;
use mondo_core::error::Result;
use mondo_core::interrupt::Stop;

use crate::cpp::Compiler;
use crate::glibc_stubs::{self, GlibcStubs};
pub use crate::step::Digests;
pub use cargo::{cargo, environment};
pub use data_classes::{DataClass, DialectData, Kind, Parameter};
pub use dialect_crates::CompiledCrate;
pub use keys::Keys;
pub use packages::{Package, Packages};
pub use program::{ProgramRequest, program};
pub use request::Request;
pub use staticlibs::{Staticlibs, needs_cargo};
pub use tools::{from_sources, tool_objects};

/// The result of the compile phase.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The core runtime and the dialects in Rust: `libmondo_bundle.a`.
    pub bundle: Utf8PathBuf,
    /// The registration table of the manifest, and stubs of what its plan excludes: an object file.
    pub registration: Utf8PathBuf,
    /// The table of the parts of the extension that the bundle has: an object file.
    pub features: Utf8PathBuf,
    /// MLIR's tools: `libmondo_tools.a`. None in a bundle without tools.
    pub tools: Option<Utf8PathBuf>,
    /// The dialect crates, in the plan's order.
    pub crates: Vec<CompiledCrate>,
    /// The stub libraries and objects for a link against an older glibc than the installed one.
    pub glibc_stubs: Option<GlibcStubs>,
}

/// Compiles the code of a plan, except the extension's staticlib. `digests` then knows the files
/// that C++ was compiled from.
///
/// # Errors
/// [`mondo_core::ErrorKind::Compile`] with the message of a compiler or generator that fails.
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
    // Dialect crates are compiled first, because their authors edit them: this is where errors are most likely.
    let crates = dialect_crates::compile(request, compiler)?;
    let glibc_stubs = glibc_stubs::prepare(plan.link.minimum_glibc, source, compiler, work)?;
    let registration = registration::object(plan, linker, work)?;
    let features = features::object(plan, linker, work)?;
    let tools = tools::archive(request, compiler)?;
    Ok(Compiled {
        bundle: library(request, keys, digests)?,
        registration,
        features,
        tools,
        crates,
        glibc_stubs,
    })
}

/// Compiles the library's Rust alone: `libmondo_bundle.a`.
///
/// # Errors
/// [`mondo_core::ErrorKind::Compile`] with cargo's message if it fails.
pub fn library(request: Request<'_>, keys: &Keys, digests: &Digests) -> Result<Utf8PathBuf> {
    let bundle = keys.library_code(request)?;
    digests.add(&bundle.read);
    Ok(bundle.path)
}

/// Compiles the extension module, with the code for all dialects: `libmondo_py.a`. The library needs
/// nothing of it, so it is compiled while that is linked; `stop` ends it.
///
/// # Errors
/// [`mondo_core::ErrorKind::Compile`] with cargo's message if it fails;
/// [`mondo_core::ErrorKind::Interrupted`] after `stop`.
pub fn extension(
    request: Request<'_>,
    keys: &Keys,
    digests: &Digests,
    stop: &Arc<Stop>,
) -> Result<Utf8PathBuf> {
    let extension = keys.extension_code(request, stop)?;
    digests.add(&extension.read);
    Ok(extension.path)
}
