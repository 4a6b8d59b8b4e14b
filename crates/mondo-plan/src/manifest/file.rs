//! A manifest as it is written. Its documentation comments are the descriptions in the JSON schema.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::project;

use crate::spanned::Spanned;

/// The names and contents of one bundle (a wheel with its mondo library). Paths are relative to the
/// manifest's folder. A manifest has at most 1 MiB, a key of it 100 bytes, and a text 16 KiB.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "mondo manifest")]
pub(super) struct File {
    /// The version of the manifest format: 1.
    #[schemars(range(min = 1, max = 1))]
    #[expect(dead_code, reason = "read on its own, before the rest of the file is")]
    pub(super) manifest: u32,
    /// Only a pyproject.toml can do without.
    #[schemars(with = "Package")]
    pub(super) package: Option<Package>,
    pub(super) llvm: Llvm,
    pub(super) contents: Contents,
    /// Existing MLIR projects, each from its own `CMake`.
    #[serde(default, rename = "project")]
    pub(super) projects: Vec<project::File>,
    #[serde(default)]
    pub(super) link: Link,
    /// The packing of the wheel.
    #[serde(default)]
    pub(super) wheel: Wheel,
    /// The files of the source distribution.
    #[serde(default)]
    pub(super) sdist: Sdist,
}

/// The bundle's names and its wheel's metadata.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Package {
    /// The distribution's name on the package index: `acme-mlir`. In pyproject.toml it is the
    /// project's name. It has at most 128 bytes.
    #[schemars(with = "String")]
    pub(super) distribution: Option<Spanned<String>>,
    /// The private label: a lower-case Python identifier of at most 64 bytes. It names the library
    /// (`libacme_mondo.so`) and the version of its symbols. Without a label, the bundle has upstream's name, `mlir`.
    pub(super) label: Option<Spanned<String>>,
    /// The dotted package that `ir` is imported from. Default: `mlir`, or `<label>.mlir`.
    pub(super) import_root: Option<Spanned<String>>,
    /// The wheel's version (PEP 440). Default: LLVM's.
    pub(super) version: Option<Spanned<String>>,
    /// One line about the package.
    pub(super) summary: Option<Spanned<String>>,
    /// An SPDX licence expression: `Apache-2.0 WITH LLVM-exception`. In pyproject.toml it is the
    /// project's.
    #[schemars(with = "String")]
    pub(super) license: Option<Spanned<String>>,
    /// Licence texts to ship. LLVM's own is added automatically.
    #[serde(default)]
    pub(super) license_files: Vec<Spanned<String>>,
    /// The package's authors.
    #[serde(default)]
    pub(super) authors: Vec<Spanned<Author>>,
    /// Label to address, such as `Source = "https://…"`.
    #[serde(default)]
    pub(super) urls: BTreeMap<String, Spanned<String>>,
    /// The long description: a Markdown, reStructuredText or plain text file.
    pub(super) readme: Option<Spanned<String>>,
    /// Search words.
    #[serde(default)]
    pub(super) keywords: Vec<Spanned<String>>,
    /// Trove classifiers. Licence classifiers are not allowed together with `license` (PEP 639).
    #[serde(default)]
    pub(super) classifiers: Vec<Spanned<String>>,
    /// The package's requirements (PEP 508): `numpy>=2`.
    #[serde(default)]
    pub(super) requires: Vec<Spanned<String>>,
    /// The minimum CPython, in quotes. Default and lowest possible: `"3.10"`.
    pub(super) python: Option<Spanned<String>>,
    /// Distribution names for the wheels of dialect crates and projects, by crate, to override
    /// their own. A crate or project with Python alone that is named here gets a wheel of its own.
    #[serde(default)]
    pub(super) wheels: BTreeMap<String, Spanned<String>>,
    /// Folders of pure Python. The contents of each are installed at the top of the wheel.
    #[serde(default)]
    pub(super) python_sources: Vec<Spanned<String>>,
    /// Metadata that `[project]` of a pyproject.toml alone can give.
    #[serde(skip)]
    pub(super) more: More,
}

/// Metadata of a `[project]` table that a manifest has no keys for.
#[derive(Debug, Default)]
pub(super) struct More {
    pub(super) maintainers: Vec<Spanned<Author>>,
    /// The whole list of specifiers; the manifest's `python` is its lowest version.
    pub(super) requires_python: Option<Spanned<String>>,
    /// Requirements by extra.
    pub(super) extras: BTreeMap<String, Vec<Spanned<String>>>,
    /// The modules that the wheel has. An empty list says that it has none (PEP 794).
    pub(super) import_names: Option<Vec<Spanned<String>>>,
    /// The namespace packages that others may add to.
    pub(super) import_namespaces: Vec<Spanned<String>>,
    /// Object references by name, by group.
    pub(super) entry_points: BTreeMap<String, BTreeMap<String, Spanned<String>>>,
}

/// A person or a team, with at least one of the two keys.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Author {
    /// Full name.
    pub(super) name: Option<String>,
    /// Email address.
    pub(super) email: Option<String>,
}

/// The LLVM that the bundle is built from.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Llvm {
    /// A major version (`"22"`: any point release) or an exact one (`"22.1.8"`).
    pub(super) version: Spanned<String>,
    /// LLVM code generators to keep: names such as `X86`, `native`, or `all`. Default: none.
    #[serde(default)]
    pub(super) targets: Vec<Spanned<String>>,
    /// Optional packages of the same LLVM, by their names in the toolchain lock: `libflang-22-dev`.
    /// Ignored with `--llvm-dir`, whose prefix must contain them.
    #[serde(default)]
    pub(super) packages: Vec<Spanned<String>>,
    /// The addresses of mirrors of Debian that LLVM's packages are downloaded from, separated by spaces. `--mirror` and
    /// `MONDO_DEB_MIRROR` replace them. Default: those of the user's configuration, else those of apt's.
    #[serde(default)]
    pub(super) mirror: Option<String>,
}

/// The contents of the mondo library, by name or by set (`@all`, `@standard`, `@core`).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Contents {
    /// Dialect crates: folders with a `dialect.toml`, or the names of mondo's own.
    #[serde(default)]
    pub(super) crates: Vec<Spanned<String>>,
    /// Dialects: `func`, `@standard`, and those of `crates`.
    pub(super) dialects: Vec<Spanned<String>>,
    /// Pass groups: `transforms`, `@core`. Default: none.
    #[serde(default)]
    pub(super) passes: Vec<Spanned<String>>,
    /// Translations: `llvm-ir`, `smt-lib`, `@all`. Default: none.
    #[serde(default)]
    pub(super) translations: Vec<Spanned<String>>,
    /// Adds the execution engine, which compiles and runs code in the process; needs the target
    /// `native`.
    #[serde(default = "no")]
    pub(super) execution_engine: Spanned<bool>,
    /// Runtime libraries that compiled code can call: `runner-utils`, `c-runner-utils`, `async`,
    /// `float16-utils`, `@all`. They require the execution engine, which finds them. Default: none.
    #[serde(default)]
    pub(super) runtime: Vec<Spanned<String>>,
    /// MLIR's tools for the bundle's contents, as commands named after the label (`acme-opt`;
    /// `mlir-opt` without a label): `opt`, `translate`, `lsp-server`, `reduce`, `@all`. Default:
    /// none.
    #[serde(default)]
    pub(super) tools: Vec<Spanned<String>>,
}

/// Options of the link.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Link {
    /// The oldest glibc that the wheel runs on: `"2.28"`. mondo links for this glibc, whichever is
    /// installed, and fails if that is impossible. Default: `"2.17"`, which is manylinux2014.
    pub(super) minimum_glibc: Option<Spanned<String>>,
    /// Remove unreferenced sections. Default: true.
    pub(super) gc_sections: bool,
    /// Fold identical functions into one. Default: true.
    pub(super) icf: bool,
    /// The linker's optimization level, 0 to 2. Default: 2.
    #[schemars(range(max = 2))]
    pub(super) optimize: Spanned<u8>,
    /// Sort functions and data so that similar ones are neighbours. This makes the wheel a fifth
    /// smaller and the link half a minute longer. Default: false.
    pub sort_for_compression: bool,
    /// Which code of MLIR and LLVM keeps its unwind tables: `all`; `callbacks`, code that can call
    /// callbacks, which excludes LLVM's optimizer and code generators (the wheel is 3 % smaller);
    /// or `none` (7 %). The code is compiled without exceptions, so nothing in it catches or cleans
    /// up. Backtraces stop at code without tables. With `none`, an exception that a C++ callback
    /// throws through MLIR ends the process (`std::terminate`). Default: `all`.
    pub(super) unwind_tables: Option<Spanned<String>>,
    /// Ship the library without its symbol table. mondo keeps the unstripped library in the work
    /// folder. Default: true.
    pub(super) strip: bool,
}

impl Default for Link {
    fn default() -> Self {
        Self {
            minimum_glibc: None,
            gc_sections: true,
            icf: true,
            optimize: Spanned::new(0..0, 2),
            sort_for_compression: false,
            unwind_tables: None,
            strip: true,
        }
    }
}

/// The packing of the wheel.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Wheel {
    /// `fast`, or `best` for releases (the wheel is 3 % smaller). Default: `fast`.
    pub(super) compression: Option<Spanned<String>>,
    /// The maximum size of the wheel in millions of bytes: `"2.5 MB"`. mondo fails if the wheel is
    /// larger. A bundle of another LLVM than the manifest's (`--llvm`) has no budget.
    pub(super) size_budget: Option<Spanned<String>>,
    /// True for one wheel that includes the Python extensions of dialect crates and projects, and
    /// is for one CPython. Default: false, a separate wheel for each crate or project with an
    /// extension.
    pub(super) single: bool,
}

/// The files of the source distribution: all files in the project's folder that `.gitignore` does
/// not exclude. Patterns use `.gitignore`'s syntax.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Sdist {
    /// Files to add although `.gitignore` excludes them.
    pub(super) include: Vec<Spanned<String>>,
    /// Files to exclude.
    pub(super) exclude: Vec<Spanned<String>>,
}

fn no() -> Spanned<bool> {
    Spanned::new(0..0, false)
}
