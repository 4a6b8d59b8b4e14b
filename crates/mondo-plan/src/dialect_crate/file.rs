//! A `dialect.toml` as it is written. Its documentation comments are the descriptions in the JSON
//! schema.

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::model::{ExtensionKind, Tool};
use crate::metadata::Person;
use crate::spanned::Spanned;

/// The contents of one dialect crate. Paths are relative to this file's folder.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "mondo dialect crate")]
pub(super) struct File {
    /// The version of the format: 1.
    #[schemars(range(min = 1, max = 1))]
    #[expect(dead_code, reason = "read on its own, before the rest of the file is")]
    pub(super) dialect_crate: u32,
    /// The crate's name in messages and reports: `fixed-point`.
    pub(super) name: Spanned<String>,
    /// The authors and the licence of the code.
    pub(super) package: Option<Package>,
    /// The dialects that the crate's code defines.
    #[serde(default, rename = "dialect")]
    pub(super) dialects: Vec<Dialect>,
    /// The passes that it registers; they come with the crate.
    #[serde(default, rename = "pass-group")]
    pub(super) pass_groups: Vec<PassGroup>,
    /// Additions to dialects of others.
    #[serde(default, rename = "dialect-extension")]
    pub(super) dialect_extensions: Vec<DialectExtension>,
    /// Additions to translations, such as the one to LLVM IR.
    #[serde(default, rename = "translation")]
    pub(super) translations: Vec<Translation>,
    /// Translations of the tool `translate`.
    #[serde(default, rename = "tool-translation")]
    pub(super) tool_translations: Vec<ToolTranslation>,
    /// Commands that the bundle's wheel installs.
    #[serde(default, rename = "command")]
    pub(super) commands: Vec<Command>,
    /// C++ that is compiled here, into one archive.
    pub(super) cpp: Option<Spanned<Cpp>>,
    /// Archives that another project's build has made.
    pub(super) prebuilt: Option<Spanned<Prebuilt>>,
    /// A Cargo package that is linked into the bundle's Rust part.
    pub(super) rust: Option<Spanned<Rust>>,
    /// Programs that write C++ to be included: they are built for this machine and run.
    #[serde(default, rename = "generator")]
    pub(super) generators: Vec<Generator>,
    /// The crate's Python. Use `[[python]]` for several folders with separate roots.
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "OneOrMany<Python>")]
    pub(super) python: Vec<Python>,
    /// Python extensions in C++, which ship in a wheel of their own.
    #[serde(default, rename = "extension")]
    pub(super) extensions: Vec<Extension>,
}

/// A table or an array of them, for the schema.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the schema is made from it")]
enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

/// Reads `[key]` or each `[[key]]`. An untagged choice would forget which key is wrong.
fn one_or_many<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Python>, D::Error> {
    struct Tables;

    impl<'de> Visitor<'de> for Tables {
        type Value = Vec<Python>;

        fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("a table")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            Python::deserialize(MapAccessDeserializer::new(map)).map(|one| vec![one])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(one) = list.next_element()? {
                all.push(one);
            }
            Ok(all)
        }
    }

    from.deserialize_any(Tables)
}

/// The authors and the licence of the code, for the wheel's metadata and its SBOM.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Package {
    /// An SPDX expression: `MIT`. The wheel's licence expression includes it.
    pub(super) license: Option<Spanned<String>>,
    /// Licence texts to ship: paths and patterns, as in `cpp.sources`.
    #[serde(default)]
    pub(super) license_files: Vec<Spanned<String>>,
    /// Its authors.
    #[serde(default)]
    pub(super) authors: Vec<Spanned<Person>>,
    /// The version of the code, in any format.
    pub(super) version: Option<Spanned<String>>,
}

/// A dialect. It needs one of `handle`, `register` and `class`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Dialect {
    /// The dialect's name in MLIR, the prefix of its operations: `fxp`.
    pub(super) name: Spanned<String>,
    /// The C function that returns the dialect's handle: `MlirDialectHandle f(void)`.
    pub(super) handle: Option<Spanned<String>>,
    /// The C function that registers the dialect, if it has no handle: `void
    /// f(MlirDialectRegistry)`.
    pub(super) register: Option<Spanned<String>>,
    /// The dialect's C++ class, if it has no such C function: `acme::AcmeDialect`. Requires
    /// `header`.
    pub(super) class: Option<Spanned<String>>,
    /// The C++ header of `class`, as in `#include`: `acme/AcmeDialect.h`.
    pub(super) header: Option<Spanned<String>>,
    /// Dialects that a bundle with this one must include: MLIR's own, or those of other crates.
    #[serde(default)]
    pub(super) depends: Vec<Spanned<String>>,
    /// The ODS files for the Python classes of its operations, relative to this folder, an include
    /// folder or MLIR's include folder.
    #[serde(default)]
    pub(super) ods: Vec<String>,
    /// The ODS file of its enums, if Python needs them.
    pub(super) enums: Option<String>,
    /// The dialect's module in the package's `dialects`. Default: none.
    pub(super) python: Option<Spanned<String>>,
    /// Python classes of the types and attributes in the files of `ods` and what those include.
    pub(super) classes: Option<Spanned<DataClasses>>,
}

/// Python classes for types and attributes, and the C API functions that create them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct DataClasses {
    /// The C++ header that declares the types and attributes, as in `#include`: `acme/AcmeTypes.h`.
    pub(crate) header: Spanned<String>,
    /// The C++ names of the types and attributes that get a class: `TagAttr`. Default: all.
    #[serde(default)]
    pub(crate) only: Vec<Spanned<String>>,
}

/// Passes that one function registers.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PassGroup {
    /// The group's name, usually the dialect's.
    pub(super) name: Spanned<String>,
    /// The C function `void f(void)` that registers them, or, with `header`, a C++ function:
    /// `acme::registerPasses`.
    pub(super) register: Spanned<String>,
    /// The C++ header that declares the function, as in `#include`: `acme/Passes.h`.
    pub(super) header: Option<Spanned<String>>,
}

/// An addition to other dialects, such as operations of the transform dialect or external models of
/// interfaces. Requires `register` or `class`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct DialectExtension {
    /// The C function `void f(MlirDialectRegistry)`, or, with `header`, a C++ function `void
    /// f(mlir::DialectRegistry &)`.
    pub(super) register: Option<Spanned<String>>,
    /// The C++ class that derives from `mlir::DialectExtension`, instead of `register`. Requires
    /// `header`.
    pub(super) class: Option<Spanned<String>>,
    /// The C++ header that declares it, as in `#include`.
    pub(super) header: Option<Spanned<String>>,
}

/// Additions to translations, such as the one to LLVM IR.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Translation {
    /// The C function `void f(MlirContext)`, or, with `header`, a C++ function `void
    /// f(mlir::DialectRegistry &)`.
    pub(super) register: Spanned<String>,
    /// The C++ header that declares it, as in `#include`.
    pub(super) header: Option<Spanned<String>>,
}

/// Translations of the tool `translate`. Bundles without the tool ignore them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ToolTranslation {
    /// The C function `void f(void)`, or, with `header`, a C++ function, that creates a
    /// `TranslateFromMLIRRegistration` or a similar object. Its code requires MLIR's archive
    /// `MLIRTranslateLib`.
    pub(super) register: Spanned<String>,
    /// The C++ header that declares it, as in `#include`.
    pub(super) header: Option<Spanned<String>>,
}

/// A command that the bundle's wheel installs. It runs a function of the crate in a process of its own.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Command {
    /// The command: `toy-opt`.
    pub(super) name: Spanned<String>,
    /// The C function `int f(int argc, char **argv)`.
    pub(super) main: Spanned<String>,
}

/// C++ sources to compile.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Cpp {
    /// The C++ files: paths, in which `*` matches any part of a name and `**` any number of
    /// folders. A pattern that begins with `!` excludes files: `!lib/**/*Test.cpp`.
    pub(super) sources: Vec<Spanned<String>>,
    /// Include folders.
    #[serde(default)]
    pub(super) include: Vec<Spanned<String>>,
    /// The language standard: `c++20`. Default: `c++17`, the standard of MLIR itself.
    pub(super) std: Option<Spanned<String>>,
    /// Additional compiler flags: `-fno-math-errno`. mondo refuses flags with which the library
    /// could not be linked or shipped.
    #[serde(default)]
    pub(super) flags: Vec<Spanned<String>>,
    /// Preprocessor definitions: `NAME` or `NAME=value`.
    #[serde(default)]
    pub(super) defines: Vec<Spanned<String>>,
    /// C API headers, relative to this folder or an include folder. The library exports every
    /// function that they declare. They ship, together with the crate's headers that they include.
    #[serde(default)]
    pub(super) headers: Vec<Spanned<String>>,
    /// Archives of MLIR and LLVM that the code requires: `MLIRArithDialect`.
    #[serde(default)]
    pub(super) archives: Vec<Spanned<String>>,
    /// The files that mlir-tblgen makes for a dialect: a shorthand for entries of `tblgen`.
    #[serde(default)]
    pub(super) tblgen_dialect: Vec<TblgenDialect>,
    /// Files that mlir-tblgen and mlir-pdll make before anything is compiled.
    #[serde(default)]
    pub(super) tblgen: Vec<Tblgen>,
}

/// The files that mlir-tblgen generates for a dialect. `prefix = "toy/Toy"` generates declarations
/// and definitions of `toy/ToyDialect`, `ToyTypes`, `ToyAttributes`, `ToyEnums` and `ToyOps`, each
/// as `.h.inc` and `.cpp.inc`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TblgenDialect {
    /// The ODS file, which may include others.
    pub(super) td: Spanned<String>,
    /// The prefix of the generated files' names: `toy/Toy`.
    pub(super) prefix: Spanned<String>,
    /// The dialect's name. Required if the crate has several dialects.
    pub(super) dialect: Option<Spanned<String>>,
}

/// One run of mlir-tblgen or mlir-pdll.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Tblgen {
    /// The input file.
    pub(super) from: Spanned<String>,
    /// The output file, as the sources include it: `fxp/FxpOps.h.inc`.
    pub(super) to: Spanned<String>,
    /// Arguments of the generator: `["-gen-op-decls"]`.
    #[serde(default)]
    pub(super) args: Vec<String>,
    /// The generator.
    #[serde(default)]
    pub(super) tool: Tool,
}

/// Archives from another project's build, which mondo links without rebuilding.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Prebuilt {
    /// The static archives: paths and patterns, as in `cpp.sources`.
    pub(super) archives: Vec<Spanned<String>>,
    /// The archives to link as a whole, such as the C API: paths and patterns. From the others, the
    /// linker takes only what is referenced.
    pub(super) whole: Vec<Spanned<String>>,
    /// Include folders.
    #[serde(default)]
    pub(super) include: Vec<Spanned<String>>,
    /// C API headers, relative to this folder or an include folder. The library exports every
    /// function that they declare. They ship, together with the crate's headers that they include.
    #[serde(default)]
    pub(super) headers: Vec<Spanned<String>>,
    /// Archives of MLIR and LLVM that the code requires: `MLIRArithDialect`.
    #[serde(default)]
    pub(super) links: Vec<Spanned<String>>,
    /// The language standard of the headers: `c++20`. mondo uses it for the C++ that it generates
    /// from them, to register C++ classes and functions, and for `classes`.
    pub(super) std: Option<Spanned<String>>,
    /// Additional compiler flags for that C++, as in `[cpp]`.
    #[serde(default)]
    pub(super) flags: Vec<Spanned<String>>,
    /// Preprocessor definitions for that C++: `NAME` or `NAME=value`.
    #[serde(default)]
    pub(super) defines: Vec<Spanned<String>>,
}

/// A Cargo package that is linked into the bundle's Rust part.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Rust {
    /// The package's name in the `Cargo.toml` of this folder.
    pub(super) package: Spanned<String>,
}

/// Python that goes with the crate.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Python {
    /// A folder that is laid out below the import root: its `dialects/fxp.py` is imported as
    /// `mlir.dialects.fxp`.
    pub(super) sources: Spanned<String>,
    /// The files of it that ship, as patterns below it; `!` takes files out again:
    /// `["**/*", "!**/tests/**/*"]`. All of them by default.
    pub(super) files: Option<Vec<Spanned<String>>>,
    /// The package that they are laid out in, instead of the bundle's import root: `toy` is at the top
    /// of the wheel, `.extras.toy` below the import root.
    pub(super) root: Option<Spanned<String>>,
}

/// A program that generates C++ files to include, such as a project's own `TableGen` backends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Generator {
    /// The generator's name in messages.
    pub(super) name: Spanned<String>,
    /// The generator's C++ files, as in `[cpp]`, compiled with the crate's include folders.
    pub(super) sources: Vec<Spanned<String>>,
    /// Static archives to link, in order: those of MLIR and LLVM by name, others by path. mondo
    /// adds zlib and zstd, which LLVM's archives require.
    #[serde(default)]
    pub(super) archives: Vec<Spanned<String>>,
    /// The language standard, as in `[cpp]`.
    pub(super) std: Option<Spanned<String>>,
    /// Additional compiler flags, as in `[cpp]`.
    #[serde(default)]
    pub(super) flags: Vec<Spanned<String>>,
    /// Preprocessor definitions: `NAME` or `NAME=value`.
    #[serde(default)]
    pub(super) defines: Vec<Spanned<String>>,
    /// The times that the generator is run. All runs end before anything else is compiled.
    #[serde(rename = "run")]
    pub(super) runs: Vec<GeneratorRun>,
}

/// One run of a generator, in this folder.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct GeneratorRun {
    /// Arguments. `{include}` becomes `-I` and the include folders of the crate and of MLIR,
    /// `{out}` the folder of generated files: `["-gen-x", "{include}", "in.td", "-o",
    /// "{out}/toy/X.h.inc"]`.
    pub(super) args: Vec<String>,
    /// The files that the run reads, as in `cpp.sources`. mondo repeats the run when one of them
    /// changes.
    pub(super) inputs: Vec<Spanned<String>>,
    /// The files that the run writes, relative to the folder of generated files: `toy/X.h.inc`.
    pub(super) outputs: Vec<Spanned<String>>,
}

/// A Python extension in C++.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Extension {
    /// The extension's module in the package's `_mlir_libs`: `_fxp`.
    pub(super) module: Spanned<String>,
    /// The binding library or language of the extension.
    #[expect(dead_code, reason = "there is one kind, which serde checks")]
    pub(super) kind: ExtensionKind,
    /// The C++ files, as in `[cpp]`.
    pub(super) sources: Vec<Spanned<String>>,
    /// Static archives to link into the extension: those of MLIR and LLVM by name, this crate's
    /// archive by the crate's name, others by path. mondo adds LLVM's support library.
    #[serde(default)]
    pub(super) archives: Vec<Spanned<String>>,
    /// The language standard, as in `[cpp]`.
    pub(super) std: Option<Spanned<String>>,
    /// Additional compiler flags, as in `[cpp]`.
    #[serde(default)]
    pub(super) flags: Vec<Spanned<String>>,
    /// Preprocessor definitions: `NAME` or `NAME=value`.
    #[serde(default)]
    pub(super) defines: Vec<Spanned<String>>,
    /// The distribution that contains the extension. All extensions of a crate share one
    /// distribution.
    pub(super) wheel: Spanned<String>,
}
