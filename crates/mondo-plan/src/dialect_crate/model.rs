//! The checked form of a dialect crate.

use std::ops::Range;

use camino::Utf8PathBuf;
use mondo_core::digest::{Sha256, hash_tree};
use mondo_core::error::{Error, ErrorKind, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::document::Document;

/// The file that makes a folder a dialect crate.
pub const FILE_NAME: &str = "dialect.toml";

/// A checked dialect crate. Its paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DialectCrate {
    /// Its name, by which messages and reports call it.
    pub name: Spanned<String>,
    /// Its folder.
    pub folder: Utf8PathBuf,
    /// Its dialects.
    pub dialects: Vec<Dialect>,
    /// Its passes.
    pub pass_groups: Vec<PassGroup>,
    /// The source of its code.
    pub code: Code,
    /// The folder whose files are laid out below the import root.
    pub python: Option<Utf8PathBuf>,
    /// Its Python extensions; all of them ship in one wheel.
    pub extensions: Vec<Extension>,
    #[serde(skip)]
    pub(super) source: Document,
}

/// A dialect of a crate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dialect {
    /// MLIR's name of it.
    pub name: Spanned<String>,
    /// The way that the dialect is put into a registry.
    pub registration: DialectRegistration,
    /// Dialects that a bundle with this one has too.
    pub depends: Vec<Spanned<String>>,
    /// The ODS files of its operations.
    pub ods: Vec<String>,
    /// The ODS file of its enums.
    pub enums: Option<String>,
    /// Its module in the package's `dialects`.
    pub python: Option<Spanned<String>>,
}

/// The C function by which a dialect gets into a registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DialectRegistration {
    /// `MlirDialectHandle f(void)`.
    Handle(Spanned<String>),
    /// `void f(MlirDialectRegistry)`.
    Register(Spanned<String>),
}

impl DialectRegistration {
    /// The function's name.
    #[must_use]
    pub fn function(&self) -> &Spanned<String> {
        match self {
            Self::Handle(name) | Self::Register(name) => name,
        }
    }
}

/// Passes that one function registers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PassGroup {
    /// A name for them.
    pub name: Spanned<String>,
    /// `void f(void)`.
    pub register: Spanned<String>,
}

/// The source of a crate's code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// It is compiled here.
    Cpp(Cpp),
    /// Another project's build has made it.
    Prebuilt(Prebuilt),
    /// It is a Cargo package.
    Rust(Rust),
}

/// C++ that is compiled here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cpp {
    /// The files, sorted.
    pub sources: Vec<Utf8PathBuf>,
    /// Include folders, in order.
    pub include: Vec<Utf8PathBuf>,
    /// `NAME` or `NAME=value`.
    pub defines: Vec<String>,
    /// C API headers as they are included.
    pub headers: Vec<String>,
    /// MLIR's and LLVM's archives that it needs.
    pub archives: Vec<Spanned<String>>,
    /// The generator runs before anything is compiled.
    pub tblgen: Vec<Tblgen>,
}

/// One run of a generator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tblgen {
    /// The program.
    pub tool: Generator,
    /// The input file.
    pub from: Utf8PathBuf,
    /// The output file, relative to the folder of generated files.
    pub to: Utf8PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
}

/// A program that writes C++ to be included.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Generator {
    /// From ODS.
    #[default]
    MlirTblgen,
    /// From PDLL.
    MlirPdll,
}

impl Generator {
    /// The program's name.
    #[must_use]
    pub fn program(self) -> &'static str {
        match self {
            Self::MlirTblgen => "mlir-tblgen",
            Self::MlirPdll => "mlir-pdll",
        }
    }
}

/// Archives that another project's build has made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Prebuilt {
    /// Taken whole.
    pub whole: Vec<Utf8PathBuf>,
    /// Linked by need.
    pub by_need: Vec<Utf8PathBuf>,
    /// Include folders, in order.
    pub include: Vec<Utf8PathBuf>,
    /// C API headers as they are included.
    pub headers: Vec<String>,
    /// MLIR's and LLVM's archives that it needs.
    pub archives: Vec<Spanned<String>>,
}

/// A Cargo package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rust {
    /// Its name.
    pub package: Spanned<String>,
}

/// The first LLVM with MLIR's `NanobindAdaptors.h`, which extensions are written over.
pub const NANOBIND_SINCE: u32 = 20;

/// A Python extension in C++.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Extension {
    /// The module in `_mlir_libs`.
    pub module: Spanned<String>,
    /// Its files, sorted.
    pub sources: Vec<Utf8PathBuf>,
    /// Static archives that it links itself, as written.
    pub archives: Vec<Spanned<String>>,
    /// The distribution it ships in, as written.
    pub wheel: Spanned<String>,
}

/// The binding library or language of a Python extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExtensionKind {
    /// nanobind, over MLIR's `NanobindAdaptors.h`.
    Nanobind,
}

impl DialectCrate {
    /// Feeds `state` all files of a crate that is made here; of another project's build tree, what the
    /// crate names.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where a file cannot be read.
    pub fn digest_into(&self, state: &mut Sha256) -> Result<()> {
        let Code::Prebuilt(prebuilt) = &self.code else {
            return hash_tree(&self.folder, &self.folder, state);
        };
        for archive in prebuilt.whole.iter().chain(&prebuilt.by_need) {
            let metadata = fs_err::metadata(archive)?;
            state.update(format!(
                "{archive} {} {:?}",
                metadata.len(),
                metadata.modified()?
            ));
        }
        let sources = self.extensions.iter().flat_map(|it| &it.sources);
        let folders = prebuilt.include.iter().chain(&self.python);
        let file = self.folder.join(FILE_NAME);
        for path in sources.chain(folders).chain([&file]) {
            hash_tree(path, path, state)?;
        }
        Ok(())
    }

    /// An error about the words at `span` of its file.
    pub fn error(&self, kind: ErrorKind, span: Range<usize>, what: impl Into<String>) -> Error {
        self.source.error(kind, span, what)
    }

    /// `file:line:column` of a word of its file.
    pub fn place(&self, word: &Spanned<String>) -> String {
        self.source.place(word.span().start)
    }

    /// Include folders that others may see.
    #[must_use]
    pub fn include(&self) -> &[Utf8PathBuf] {
        match &self.code {
            Code::Cpp(cpp) => &cpp.include,
            Code::Prebuilt(prebuilt) => &prebuilt.include,
            Code::Rust(_) => &[],
        }
    }

    /// C API headers as they are included.
    #[must_use]
    pub fn headers(&self) -> &[String] {
        match &self.code {
            Code::Cpp(cpp) => &cpp.headers,
            Code::Prebuilt(prebuilt) => &prebuilt.headers,
            Code::Rust(_) => &[],
        }
    }

    /// MLIR's and LLVM's archives that its code needs.
    #[must_use]
    pub fn archives(&self) -> &[Spanned<String>] {
        match &self.code {
            Code::Cpp(cpp) => &cpp.archives,
            Code::Prebuilt(prebuilt) => &prebuilt.archives,
            Code::Rust(_) => &[],
        }
    }

    /// The key of [`DialectCrate::archives`], for messages.
    #[must_use]
    pub fn archives_key(&self) -> &'static str {
        match self.code {
            Code::Prebuilt(_) => "prebuilt.links",
            Code::Cpp(_) | Code::Rust(_) => "cpp.archives",
        }
    }

    /// The folders in which its ODS files and what they include are looked up before MLIR's.
    #[must_use]
    pub fn ods_roots(&self) -> Vec<Utf8PathBuf> {
        let mut roots = vec![self.folder.clone()];
        roots.extend(self.include().iter().cloned());
        roots
    }
}
