//! A `dialect.toml` as it is written. Its documentation comments are the descriptions in the JSON
//! schema.

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::model::{ExtensionKind, Tool};
use crate::metadata::Person;

/// The contents of one dialect crate. Paths are relative to this file's folder.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "mondo dialect crate")]
pub(super) struct File {
    /// The version of the format: 1.
    #[schemars(range(min = 1, max = 1))]
    #[expect(dead_code, reason = "read on its own, before the rest of the file is")]
    pub(super) dialect_crate: u32,
    /// The crate's name, by which messages and reports call it: `fixed-point`.
    #[schemars(with = "String")]
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
    /// C++ that is compiled here, into one archive.
    #[schemars(with = "Option<Cpp>")]
    pub(super) cpp: Option<Spanned<Cpp>>,
    /// Archives that another project's build has made.
    #[schemars(with = "Option<Prebuilt>")]
    pub(super) prebuilt: Option<Spanned<Prebuilt>>,
    /// A Cargo package that is linked into the bundle's Rust part.
    #[schemars(with = "Option<Rust>")]
    pub(super) rust: Option<Spanned<Rust>>,
    /// Programs that write C++ to be included: they are built for this machine and run.
    #[serde(default, rename = "generator")]
    pub(super) generators: Vec<Generator>,
    /// Python that goes with it. Several folders, each with a root of its own, are `[[python]]`.
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

/// The authors and the licence of the code: they are in the wheel's metadata and in its SBOM.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Package {
    /// An SPDX expression: `MIT`. The wheel's own names it, too.
    #[schemars(with = "Option<String>")]
    pub(super) license: Option<Spanned<String>>,
    /// Texts of licences, which ship: paths and patterns, as in `cpp.sources`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) license_files: Vec<Spanned<String>>,
    /// Its authors.
    #[serde(default)]
    #[schemars(with = "Vec<Person>")]
    pub(super) authors: Vec<Spanned<Person>>,
    /// Its version, in any form.
    #[schemars(with = "Option<String>")]
    pub(super) version: Option<Spanned<String>>,
}

/// A dialect. It needs one of `handle`, `register` and `class`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Dialect {
    /// MLIR's name of it, which begins the names of its operations: `fxp`.
    #[schemars(with = "String")]
    pub(super) name: Spanned<String>,
    /// The C function that returns its handle: `MlirDialectHandle f(void)`.
    #[schemars(with = "Option<String>")]
    pub(super) handle: Option<Spanned<String>>,
    /// Instead of a handle, the C function that registers it: `void f(MlirDialectRegistry)`.
    #[schemars(with = "Option<String>")]
    pub(super) register: Option<Spanned<String>>,
    /// Instead of these, its C++ class: `acme::AcmeDialect`. It needs `header`.
    #[schemars(with = "Option<String>")]
    pub(super) class: Option<Spanned<String>>,
    /// The C++ header of `class`, as it is included: `acme/AcmeDialect.h`.
    #[schemars(with = "Option<String>")]
    pub(super) header: Option<Spanned<String>>,
    /// Dialects that a bundle with this one has too: the catalogue's, or those of other crates.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) depends: Vec<Spanned<String>>,
    /// The ODS files of its operations' Python classes, below this folder, one of the include
    /// folders, or MLIR's.
    #[serde(default)]
    pub(super) ods: Vec<String>,
    /// The ODS file of its enums, where Python has them.
    pub(super) enums: Option<String>,
    /// Its module in the package's `dialects`, if it has one.
    #[schemars(with = "Option<String>")]
    pub(super) python: Option<Spanned<String>>,
    /// Python classes of the types and attributes in the files of `ods` and what those include.
    #[schemars(with = "Option<DataClasses>")]
    pub(super) classes: Option<Spanned<DataClasses>>,
}

/// Python classes of types and attributes, and the functions of the C API by which they are made.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct DataClasses {
    /// The C++ header that declares the types and attributes, as it is included: `acme/AcmeTypes.h`.
    #[schemars(with = "String")]
    pub(crate) header: Spanned<String>,
    /// The C++ names of those that get a class: `TagAttr`. Default: all.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(crate) only: Vec<Spanned<String>>,
}

/// Passes that one function registers.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PassGroup {
    /// A name for them: mostly the dialect's.
    #[schemars(with = "String")]
    pub(super) name: Spanned<String>,
    /// The C function: `void f(void)`; with `header`, a C++ one: `acme::registerPasses`.
    #[schemars(with = "String")]
    pub(super) register: Spanned<String>,
    /// The C++ header that declares it, as it is included: `acme/Passes.h`.
    #[schemars(with = "Option<String>")]
    pub(super) header: Option<Spanned<String>>,
}

/// An addition to dialects of others: operations of the transform dialect, external models of
/// interfaces. It needs one of `register` and `class`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct DialectExtension {
    /// The C function: `void f(MlirDialectRegistry)`; with `header`, a C++ one:
    /// `void f(mlir::DialectRegistry &)`.
    #[schemars(with = "Option<String>")]
    pub(super) register: Option<Spanned<String>>,
    /// Instead, the C++ class that derives from `mlir::DialectExtension`. It needs `header`.
    #[schemars(with = "Option<String>")]
    pub(super) class: Option<Spanned<String>>,
    /// The C++ header that declares it, as it is included.
    #[schemars(with = "Option<String>")]
    pub(super) header: Option<Spanned<String>>,
}

/// Additions to translations, such as the one to LLVM IR.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Translation {
    /// The C function: `void f(MlirContext)`; with `header`, a C++ one:
    /// `void f(mlir::DialectRegistry &)`.
    #[schemars(with = "String")]
    pub(super) register: Spanned<String>,
    /// The C++ header that declares it, as it is included.
    #[schemars(with = "Option<String>")]
    pub(super) header: Option<Spanned<String>>,
}

/// Translations of the tool `translate`, which a bundle without the tool has not.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ToolTranslation {
    /// The C function that makes a `TranslateFromMLIRRegistration` or another: `void f(void)`; with `header`, a C++ one.
    /// Its code needs MLIR's archive `MLIRTranslateLib`.
    #[schemars(with = "String")]
    pub(super) register: Spanned<String>,
    /// The C++ header that declares it, as it is included.
    #[schemars(with = "Option<String>")]
    pub(super) header: Option<Spanned<String>>,
}

/// C++ that is compiled here.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Cpp {
    /// The C++ files: paths, in which `*` stands for any part of a name and `**` for any folders. One
    /// that begins with `!` takes files out again: `!lib/**/*Test.cpp`.
    #[schemars(with = "Vec<String>")]
    pub(super) sources: Vec<Spanned<String>>,
    /// Include folders.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) include: Vec<Spanned<String>>,
    /// The language standard: `c++20`. The default is `c++17`, which MLIR itself is written in.
    #[schemars(with = "Option<String>")]
    pub(super) std: Option<Spanned<String>>,
    /// Further compiler flags: `-fno-math-errno`. Some are refused, since the library could not be
    /// linked or shipped with them.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) flags: Vec<Spanned<String>>,
    /// Preprocessor definitions: `NAME` or `NAME=value`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) defines: Vec<Spanned<String>>,
    /// C API headers, by their paths in this folder or in one of the include folders. Every function
    /// that they declare is exported, and they ship with what they include of the crate.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) headers: Vec<Spanned<String>>,
    /// Archives of MLIR and LLVM that the code needs: `MLIRArithDialect`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) archives: Vec<Spanned<String>>,
    /// The files that mlir-tblgen makes for a dialect: a shorthand for entries of `tblgen`.
    #[serde(default)]
    pub(super) tblgen_dialect: Vec<TblgenDialect>,
    /// Files that mlir-tblgen and mlir-pdll make before anything is compiled.
    #[serde(default)]
    pub(super) tblgen: Vec<Tblgen>,
}

/// The files that mlir-tblgen makes for a dialect. `prefix = "toy/Toy"` stands for declarations and
/// definitions of `toy/ToyDialect`, `ToyTypes`, `ToyAttributes`, `ToyEnums` and `ToyOps`, each as
/// `.h.inc` and `.cpp.inc`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TblgenDialect {
    /// The ODS file, with all that it includes.
    #[schemars(with = "String")]
    pub(super) td: Spanned<String>,
    /// The beginning of the names of the files that are made: `toy/Toy`.
    #[schemars(with = "String")]
    pub(super) prefix: Spanned<String>,
    /// The dialect's name; without it, the crate has one dialect.
    #[schemars(with = "Option<String>")]
    pub(super) dialect: Option<Spanned<String>>,
}

/// One run of mlir-tblgen or mlir-pdll.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Tblgen {
    /// The input file.
    #[schemars(with = "String")]
    pub(super) from: Spanned<String>,
    /// The output file, as the sources include it: `fxp/FxpOps.h.inc`.
    #[schemars(with = "String")]
    pub(super) to: Spanned<String>,
    /// Its arguments: `["-gen-op-decls"]`.
    #[serde(default)]
    pub(super) args: Vec<String>,
    /// The generator.
    #[serde(default)]
    pub(super) tool: Tool,
}

/// Archives that another project's build has made; nothing of it is built again.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Prebuilt {
    /// The static archives: paths and patterns, as in `cpp.sources`.
    #[schemars(with = "Vec<String>")]
    pub(super) archives: Vec<Spanned<String>>,
    /// Those of them that are taken whole, likewise: the C API. The others are linked by need.
    #[schemars(with = "Vec<String>")]
    pub(super) whole: Vec<Spanned<String>>,
    /// Include folders.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) include: Vec<Spanned<String>>,
    /// C API headers, by their paths in this folder or in one of the include folders. Every function
    /// that they declare is exported, and they ship with what they include of the crate.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) headers: Vec<Spanned<String>>,
    /// Archives of MLIR and LLVM that the code needs: `MLIRArithDialect`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) links: Vec<Spanned<String>>,
    /// The language standard of its headers, for the C++ that mondo writes over them where a class or a
    /// function of C++ is registered, or `classes` are made: `c++20`.
    #[schemars(with = "Option<String>")]
    pub(super) std: Option<Spanned<String>>,
    /// Further compiler flags of that C++, as in `[cpp]`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) flags: Vec<Spanned<String>>,
    /// Preprocessor definitions of that C++: `NAME` or `NAME=value`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) defines: Vec<Spanned<String>>,
}

/// A Cargo package that is linked into the bundle's Rust part.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Rust {
    /// The package's name in the `Cargo.toml` of this folder.
    #[schemars(with = "String")]
    pub(super) package: Spanned<String>,
}

/// Python that goes with the crate.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Python {
    /// A folder that is laid out below the import root: its `dialects/fxp.py` is imported as
    /// `mlir.dialects.fxp`.
    #[schemars(with = "String")]
    pub(super) sources: Spanned<String>,
    /// The files of it that ship, as patterns below it; `!` takes files out again:
    /// `["**/*", "!**/tests/**/*"]`. All of them by default.
    #[schemars(with = "Option<Vec<String>>")]
    pub(super) files: Option<Vec<Spanned<String>>>,
    /// The package that they are laid out in, instead of the bundle's import root: `toy` is at the top
    /// of the wheel, `.extras.toy` below the import root.
    #[schemars(with = "Option<String>")]
    pub(super) root: Option<Spanned<String>>,
}

/// A program that writes C++ to be included: a project's own backends of `TableGen`, for one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Generator {
    /// Its name, for messages.
    #[schemars(with = "String")]
    pub(super) name: Spanned<String>,
    /// Its C++ files, as in `[cpp]`. They see the include folders of the crate.
    #[schemars(with = "Vec<String>")]
    pub(super) sources: Vec<Spanned<String>>,
    /// Static archives that it is linked with, in order: of MLIR and LLVM by name, others by path.
    /// zlib and zstd, which LLVM's archives need, come by themselves.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) archives: Vec<Spanned<String>>,
    /// Its language standard, as in `[cpp]`.
    #[schemars(with = "Option<String>")]
    pub(super) std: Option<Spanned<String>>,
    /// Further compiler flags, as in `[cpp]`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) flags: Vec<Spanned<String>>,
    /// Preprocessor definitions: `NAME` or `NAME=value`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) defines: Vec<Spanned<String>>,
    /// The times that the generator is run. All runs end before anything else is compiled.
    #[serde(rename = "run")]
    pub(super) runs: Vec<GeneratorRun>,
}

/// One run of a generator, in this folder.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct GeneratorRun {
    /// Its arguments. `{include}` stands for `-I` and the include folders of the crate and of MLIR, `{out}`
    /// for the folder of generated files: `["-gen-x", "{include}", "in.td", "-o", "{out}/toy/X.h.inc"]`.
    pub(super) args: Vec<String>,
    /// The files that it reads, as in `cpp.sources`: it runs again when one of them changes.
    #[schemars(with = "Vec<String>")]
    pub(super) inputs: Vec<Spanned<String>>,
    /// The files that it writes, below the folder of generated files: `toy/X.h.inc`.
    #[schemars(with = "Vec<String>")]
    pub(super) outputs: Vec<Spanned<String>>,
}

/// A Python extension in C++.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Extension {
    /// Its module in the package's `_mlir_libs`: `_fxp`.
    #[schemars(with = "String")]
    pub(super) module: Spanned<String>,
    /// The binding library or language of the extension.
    #[expect(dead_code, reason = "there is one kind, which serde checks")]
    pub(super) kind: ExtensionKind,
    /// The C++ files, as in `[cpp]`.
    #[schemars(with = "Vec<String>")]
    pub(super) sources: Vec<Spanned<String>>,
    /// Static archives that it links itself: of MLIR and LLVM by name, this crate's own by the
    /// crate's name, others by path. LLVM's support library comes by itself.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) archives: Vec<Spanned<String>>,
    /// Its language standard, as in `[cpp]`.
    #[schemars(with = "Option<String>")]
    pub(super) std: Option<Spanned<String>>,
    /// Further compiler flags, as in `[cpp]`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) flags: Vec<Spanned<String>>,
    /// Preprocessor definitions: `NAME` or `NAME=value`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) defines: Vec<Spanned<String>>,
    /// The distribution that it ships in; one crate has one.
    #[schemars(with = "String")]
    pub(super) wheel: Spanned<String>,
}
