//! Inputs and outputs of the links.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::progress::Sink;
use mondo_core::source::Source;
use mondo_plan::catalogue::Catalogue;
use mondo_plan::plan::Plan;
use mondo_toolchain::Linker;

use crate::collect::Collected;
use crate::compile::Compiled;
use crate::exports::Exports;
use crate::patch::PatchedArchives;

/// The result of the link phase: what ships and the unstripped files it came from.
#[derive(Debug, Clone)]
pub struct Linked {
    /// The mondo library with its symbol table, for the audit and for debugging.
    pub library_unstripped: Utf8PathBuf,
    /// The mondo library as it ships.
    pub library: Utf8PathBuf,
    /// The extension with its symbol table.
    pub extension_unstripped: Utf8PathBuf,
    /// The extension as it ships: `_mlir.abi3.so`.
    pub extension: Utf8PathBuf,
}

/// The extension's file name, for every platform tag of the stable ABI on Linux.
pub const EXTENSION_FILE: &str = "_mlir.abi3.so";

/// The function that CPython looks up in the extension.
pub const EXTENSION_INIT: &str = "PyInit__mlir";

/// Code that the bundle's projects have and that the bundle does not link.
pub trait UnlinkedCode: Sync {
    /// The definitions of these symbols that it seems to have, by symbol.
    ///
    /// # Errors
    /// `ErrorKind::Io` where the description of a target cannot be read.
    fn definitions(&self, symbols: &[&str]) -> Result<BTreeMap<String, Unlinked>>;
}

/// A definition that is not linked.
#[derive(Debug, Clone)]
pub struct Unlinked {
    /// Its place, and the target and project that have it.
    pub place: String,
    /// The target.
    pub target: String,
    /// The project.
    pub project: String,
}

/// Everything a link borrows.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// Names and options.
    pub plan: &'a Plan,
    /// MLIR's archives.
    pub collected: &'a Collected,
    /// The Rust staticlibs.
    pub compiled: &'a Compiled,
    /// MLIR's members with the hooks in.
    pub patched: &'a PatchedArchives,
    /// The functions to export.
    pub exports: &'a Exports,
    /// The linker and its driver.
    pub linker: &'a Linker,
    /// mondo's own sources, whose stubs have the signatures of the extension's functions.
    pub source: &'a Source,
    /// The dialect or feature that brings each archive, for messages.
    pub catalogue: &'a Catalogue,
    /// Sentences about who asks for each archive of a third party, for messages.
    pub asked: &'a BTreeMap<Utf8PathBuf, String>,
    /// Code of the projects that is not linked, for messages.
    pub unlinked: &'a dyn UnlinkedCode,
    /// The folder for the files of this bundle.
    pub out: &'a Utf8Path,
    /// The start of the names of cache entries with results of earlier links, which depend on the bundle's contents and not on its label.
    pub known: &'a Utf8Path,
    /// Told about damage in the cache.
    pub sink: &'a dyn Sink,
}

/// A Python extension of a dialect crate, to be linked.
#[derive(Debug, Clone, Copy)]
pub struct CrateExtension<'a> {
    /// The module: `_fxp`.
    pub module: &'a str,
    /// Its file name.
    pub file: &'a str,
    /// Its object files.
    pub objects: &'a [Utf8PathBuf],
    /// Archives of which it takes what it needs.
    pub archives: &'a [Utf8PathBuf],
}
