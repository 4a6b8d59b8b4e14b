//! A `dialect.toml` as it is written. Its documentation comments are the descriptions in the JSON
//! schema.

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::model::{ExtensionKind, Generator};

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
    /// The dialects that the crate's code defines.
    #[serde(default, rename = "dialect")]
    pub(super) dialects: Vec<Dialect>,
    /// The passes that it registers; they come with the crate.
    #[serde(default, rename = "pass-group")]
    pub(super) pass_groups: Vec<PassGroup>,
    /// C++ that is compiled here, into one archive.
    #[schemars(with = "Option<Cpp>")]
    pub(super) cpp: Option<Spanned<Cpp>>,
    /// Archives that another project's build has made.
    #[schemars(with = "Option<Prebuilt>")]
    pub(super) prebuilt: Option<Spanned<Prebuilt>>,
    /// A Cargo package that is linked into the bundle's Rust part.
    #[schemars(with = "Option<Rust>")]
    pub(super) rust: Option<Spanned<Rust>>,
    /// Python that goes with it.
    pub(super) python: Option<Python>,
    /// Python extensions in C++, which ship in a wheel of their own.
    #[serde(default, rename = "extension")]
    pub(super) extensions: Vec<Extension>,
}

/// A dialect.
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
}

/// Passes that one function registers.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PassGroup {
    /// A name for them: mostly the dialect's.
    #[schemars(with = "String")]
    pub(super) name: Spanned<String>,
    /// The function: `void f(void)`.
    #[schemars(with = "String")]
    pub(super) register: Spanned<String>,
}

/// C++ that is compiled here.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Cpp {
    /// The C++ files: paths, in which `*` stands for any part of a name and `**` for any folders.
    #[schemars(with = "Vec<String>")]
    pub(super) sources: Vec<Spanned<String>>,
    /// Include folders.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) include: Vec<Spanned<String>>,
    /// Preprocessor definitions: `NAME` or `NAME=value`.
    #[serde(default)]
    pub(super) defines: Vec<String>,
    /// C API headers, below the include folders: what they declare is exported, and they ship.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) headers: Vec<Spanned<String>>,
    /// Archives of MLIR and LLVM that the code needs: `MLIRArithDialect`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) archives: Vec<Spanned<String>>,
    /// Files that mlir-tblgen and mlir-pdll make before anything is compiled.
    #[serde(default)]
    pub(super) tblgen: Vec<Tblgen>,
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
    pub(super) tool: Generator,
}

/// Archives that another project's build has made; nothing of it is built again.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Prebuilt {
    /// The static archives.
    #[schemars(with = "Vec<String>")]
    pub(super) archives: Vec<Spanned<String>>,
    /// Those of them that are taken whole: the C API. The others are linked by need.
    #[schemars(with = "Vec<String>")]
    pub(super) whole: Vec<Spanned<String>>,
    /// Include folders.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) include: Vec<Spanned<String>>,
    /// C API headers, below the include folders: what they declare is exported, and they ship.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) headers: Vec<Spanned<String>>,
    /// Archives of MLIR and LLVM that the code needs: `MLIRArithDialect`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) links: Vec<Spanned<String>>,
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
    /// The distribution that it ships in; one crate has one.
    #[schemars(with = "String")]
    pub(super) wheel: Spanned<String>,
}
