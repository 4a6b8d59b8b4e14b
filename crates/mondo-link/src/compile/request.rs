//! The borrowed inputs of the compile phase.

use camino::Utf8Path;
use mondo_core::progress::Sink;
use mondo_core::source::Source;
use mondo_plan::plan::Plan;
use mondo_toolchain::{Linker, Toolchain};

use super::staticlibs::Staticlibs;

/// Everything that this phase borrows.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The contents of the bundle.
    pub plan: &'a Plan,
    /// The origin of the plan's Rust.
    pub staticlibs: &'a Staticlibs,
    /// MLIR's headers.
    pub toolchain: &'a Toolchain,
    /// mondo's own sources.
    pub source: &'a Source,
    /// The folder `mlir` of LLVM's sources, where a tool is compiled from these.
    pub llvm_sources: Option<&'a Utf8Path>,
    /// The C++ compiler.
    pub linker: &'a Linker,
    /// The folder of precompiled headers, where the same files are compiled again and again.
    pub precompiled: Option<&'a Utf8Path>,
    /// The folder of intermediate files.
    pub work: &'a Utf8Path,
    /// The receiver of progress.
    pub sink: &'a dyn Sink,
}
