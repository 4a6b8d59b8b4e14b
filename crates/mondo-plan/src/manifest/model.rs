//! The checked form of a manifest.

use std::collections::BTreeMap;
use std::ops::Range;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind};
use mondo_core::glibc::GlibcVersion;
use serde::Serialize;

use crate::document::Document;
use crate::metadata::Metadata;
use crate::spanned::Spanned;

use super::project::Project;

/// A checked manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The private label, or none for upstream's name.
    pub label: Option<String>,
    /// The dotted import root: `mlir`, `acme.mlir`.
    pub import_root: String,
    /// The LLVM.
    pub llvm: LlvmRequest,
    /// LLVM code generators as written: names, `native`, `all`.
    pub targets: Vec<Spanned<String>>,
    /// Dialect crates as written: folders, or names of mondo's own.
    pub crates: Vec<Spanned<String>>,
    /// Distribution names of the crates' own wheels, by crate.
    pub wheels: BTreeMap<String, Spanned<String>>,
    /// Folders of Python that are laid out at the top of the crates' own wheels, by crate.
    pub wheel_sources: BTreeMap<String, Vec<Utf8PathBuf>>,
    /// Dialects and sets of dialects as written.
    pub dialects: Vec<Spanned<String>>,
    /// Pass groups and sets of them as written.
    pub passes: Vec<Spanned<String>>,
    /// Translations and sets of them as written.
    pub translations: Vec<Spanned<String>>,
    /// True if the execution engine is part of the bundle.
    pub execution_engine: Spanned<bool>,
    /// Runtime libraries and sets of them as written.
    pub runtime: Vec<Spanned<String>>,
    /// MLIR's tools and sets of them as written.
    pub tools: Vec<Spanned<String>>,
    /// Projects that are taken from their own `CMake`, each after those that it needs.
    pub projects: Vec<Project>,
    /// Facts for the Python layer.
    pub python: PythonPlan,
    /// Options of the link.
    pub link: LinkOptions,
    /// The packing of the wheel.
    pub wheel: WheelPlan,
    /// The files of the source distribution.
    pub sdist: SdistPlan,
    /// The wheel's metadata. Where `version_follows_llvm`, its version is a placeholder: the LLVM
    /// version as requested.
    pub metadata: Metadata,
    /// True if the wheel's version is the version of the LLVM that it is made from.
    pub version_follows_llvm: bool,
    /// The place in the file that asks for the LLVM version.
    pub(crate) llvm_place: String,
    pub(super) source: Document,
}

/// The LLVM that the manifest wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LlvmRequest {
    /// The major version: 22.
    pub major: u32,
    /// The full version where the manifest pins one: `22.1.8`.
    pub exact: Option<String>,
    /// Packages of the toolchain lock that the bundle needs beside those of every bundle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<String>,
    /// Mirrors of the packages, separated by spaces. No byte of a bundle depends on them.
    #[serde(skip)]
    pub mirror: Option<String>,
}

/// The minimum Python and what goes beside the extension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PythonPlan {
    /// The lowest CPython, which is also the stable ABI's version: (3, 10).
    pub minimum: (u8, u8),
    /// Folders of pure Python that a downstream adds to the wheel, absolute.
    pub sources: Vec<Utf8PathBuf>,
    /// Packages with the modules under another name, and the project whose users import each.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub aliases: BTreeMap<String, String>,
}

/// Options of the link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinkOptions {
    /// The oldest glibc that the wheel runs on, for which it is linked. `None` in a development build with a
    /// sanitizer, which needs this machine's glibc.
    pub minimum_glibc: Option<GlibcVersion>,
    /// `--gc-sections`.
    pub gc_sections: bool,
    /// `--icf=all` or none.
    pub icf: bool,
    /// lld's `-O`: 0, 1 or 2.
    pub optimize: u8,
    /// `--bp-compression-sort=both`.
    pub sort_for_compression: bool,
    /// The part of MLIR's and LLVM's code that keeps its unwind tables.
    pub unwind_tables: UnwindTables,
    /// True if the shipped library loses its symbol table (the unstripped link is kept beside it).
    pub strip: bool,
}

/// The part of MLIR's and LLVM's code that keeps its unwind tables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnwindTables {
    /// All.
    #[default]
    All,
    /// Code that may, directly or indirectly, call back into code from outside MLIR and LLVM.
    Callbacks,
    /// None.
    None,
}

/// Values of the command line that replace the manifest's. They are checked in the same way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `--label`. The names of wheels follow it: `mondo-mlir` is `acme-mlir` under `acme`.
    pub label: Option<String>,
    /// `--llvm`: the LLVM version.
    pub llvm: Option<String>,
    /// True for one wheel with the extensions of the dialect crates in it, which is what a build
    /// backend makes of a manifest.
    pub one_wheel: bool,
}

/// The files of the source distribution besides those that `.gitignore` leaves, as patterns of its
/// kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SdistPlan {
    /// Files to add although `.gitignore` excludes them.
    pub include: Vec<String>,
    /// Files to exclude.
    pub exclude: Vec<String>,
}

/// The packing of the wheel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct WheelPlan {
    /// True for the smallest file that deflate can make.
    pub best: bool,
    /// The most bytes it may have.
    pub size_budget: Option<u64>,
    /// True if the extensions of the dialect crates and projects are in it, and in no wheels of their own;
    /// so it is of a project with a build backend, which is one wheel.
    pub single: bool,
}

impl Manifest {
    /// Names the wheel of a project, where `package.wheels` does not: as its entry does, else `default`.
    pub fn name_wheel(&mut self, project: &Project, default: Option<String>) {
        let default = default.map(|default| Spanned::new(project.name.span(), default));
        if let Some(distribution) = project.wheel.clone().or(default) {
            let name = project.name.get_ref().clone();
            self.wheels.entry(name).or_insert(distribution);
        }
    }

    /// Adds the package `name`, by which the users of a project import the modules, and the folder that has it. Its
    /// contents go to the top of the wheel that has the project's Python: its own if it has one by now, else the
    /// bundle's.
    pub fn add_alias(&mut self, project: &str, name: &str, folder: Utf8PathBuf) {
        let aliases = &mut self.python.aliases;
        aliases.insert(name.to_owned(), project.to_owned());
        if self.wheels.contains_key(project) {
            let sources = self.wheel_sources.entry(project.to_owned());
            sources.or_default().push(folder);
        } else {
            self.python.sources.push(folder);
        }
    }

    /// Adds the dialects of projects, whose names are known once these are configured.
    pub fn add_dialects(&mut self, names: impl IntoIterator<Item = String>) {
        for name in names {
            if !self.dialects.iter().any(|word| word.get_ref() == &name) {
                self.dialects.push(Spanned::new(0..0, name));
            }
        }
    }

    /// The folder that relative paths start from.
    #[must_use]
    pub fn folder(&self) -> &Utf8Path {
        self.source.folder()
    }

    /// An error about the words at `span`.
    pub fn error(&self, kind: ErrorKind, span: Range<usize>, what: impl Into<String>) -> Error {
        self.source.error(kind, span, what)
    }
}
