//! The checked form of a dialect crate.

use std::ops::Range;

use camino::Utf8PathBuf;
use mondo_core::digest::{Sha256, hash_tree};
use mondo_core::error::{Error, ErrorKind, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{command::Command, functions::UndefinedFunction};
use crate::document::Document;
use crate::manifest::Project;
use crate::metadata::Person;
use crate::names::DIALECT_TOML;
use crate::spanned::Spanned;

/// A checked dialect crate. Its paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DialectCrate {
    /// Its name, by which messages and reports call it.
    pub name: Spanned<String>,
    /// Its folder.
    pub folder: Utf8PathBuf,
    /// The authors and the licence of its code.
    pub package: Package,
    /// Its dialects.
    pub dialects: Vec<Dialect>,
    /// Its passes.
    pub pass_groups: Vec<PassGroup>,
    /// Its additions to dialects of others.
    pub dialect_extensions: Vec<Registrar>,
    /// Its additions to translations.
    pub translations: Vec<Registrar>,
    /// Its translations of the tool `translate`.
    pub tool_translations: Vec<Registrar>,
    /// Its commands.
    pub commands: Vec<Command>,
    /// The source of its code.
    pub code: Code,
    /// Programs that write C++ to be included, in order.
    pub generators: Vec<Generator>,
    /// Its Python files, folder by folder.
    pub python: Vec<PythonFiles>,
    /// Its Python extensions; all of them ship in one wheel.
    pub extensions: Vec<Extension>,
    /// The functions that its headers declare and none of its sources names.
    pub undefined: Vec<UndefinedFunction>,
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
    /// The types and attributes that get Python classes.
    pub classes: Option<DataClasses>,
}

/// The types and attributes of a dialect that get Python classes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DataClasses {
    /// The C++ header that declares them, as it is included.
    pub header: Spanned<String>,
    /// Their C++ names; empty for all.
    pub only: Vec<Spanned<String>>,
    /// The manifest that has these words, where a project's entry names them.
    #[serde(skip)]
    pub(super) manifest: Option<Document>,
}

/// The authors and the licence of a crate's code. All of it may be unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Package {
    /// An SPDX expression.
    pub license: Option<String>,
    /// Texts of licences, by different names.
    pub license_files: Vec<Utf8PathBuf>,
    /// Its authors.
    pub authors: Vec<Person>,
    /// The version of the code, in any format.
    pub version: Option<String>,
}

/// The way that a dialect gets into a registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DialectRegistration {
    /// The C function `MlirDialectHandle f(void)`.
    Handle(Spanned<String>),
    /// The C function `void f(MlirDialectRegistry)`.
    Register(Spanned<String>),
    /// The class.
    Class(CppName),
}

impl DialectRegistration {
    /// The name of the function or class.
    #[must_use]
    pub fn name(&self) -> &Spanned<String> {
        match self {
            Self::Handle(name) | Self::Register(name) | Self::Class(CppName { name, .. }) => name,
        }
    }
}

/// A C++ function or class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CppName {
    /// Its qualified name: `acme::AcmeDialect`.
    pub name: Spanned<String>,
    /// The header that declares it, as it is included.
    pub header: Spanned<String>,
}

/// A function or class that registers something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Registrar {
    /// A C function.
    C(Spanned<String>),
    /// A C++ function.
    Function(CppName),
    /// A C++ class that is added.
    Class(CppName),
}

impl Registrar {
    /// The name of the function or class.
    #[must_use]
    pub fn name(&self) -> &Spanned<String> {
        match self {
            Self::C(name)
            | Self::Function(CppName { name, .. })
            | Self::Class(CppName { name, .. }) => name,
        }
    }
}

/// Passes that one function registers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PassGroup {
    /// A name for them.
    pub name: Spanned<String>,
    /// `void f(void)`, in C or C++.
    pub register: Registrar,
}

/// The code of a C function that registers something of a crate by its C++ name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CppRegistration<'a> {
    /// The C function's name.
    pub symbol: String,
    /// The sort of thing that it registers.
    pub kind: CppRegistrationKind,
    /// The C++ function or class.
    pub target: &'a CppName,
}

/// The use that a [`CppRegistration`] makes of its function or class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CppRegistrationKind {
    /// Inserts the dialect class.
    Dialect,
    /// Calls `void f()`.
    Passes,
    /// Calls `void f(mlir::DialectRegistry &)`.
    Registry,
    /// Adds the class, which derives from `mlir::DialectExtension`.
    Extension,
}

/// The way that C++ of a crate is compiled, beside what all C++ has in common.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CppOptions {
    /// The language standard: `c++20`.
    pub std: Option<Spanned<String>>,
    /// Further compiler flags.
    pub flags: Vec<Spanned<String>>,
    /// `NAME` or `NAME=value`.
    pub defines: Vec<Spanned<String>>,
}

/// The language standard of C++ that asks for none.
pub const DEFAULT_STD: &str = "c++17";

impl CppOptions {
    /// The compiler's arguments. They come after those that all C++ has.
    #[must_use]
    pub fn arguments(&self) -> Vec<String> {
        let std = self.std.as_ref().map_or(DEFAULT_STD, |std| std.get_ref());
        let mut arguments = vec![format!("-std={std}")];
        arguments.extend(
            self.defines
                .iter()
                .map(|define| format!("-D{}", define.get_ref())),
        );
        arguments.extend(self.flags.iter().map(|flag| flag.get_ref().clone()));
        arguments
    }

    /// The flag `-frtti`, if it is there.
    #[must_use]
    pub fn rtti(&self) -> Option<&Spanned<String>> {
        self.flags.iter().find(|flag| flag.get_ref() == "-frtti")
    }
}

/// The Python files of a crate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PythonFiles {
    /// The folder that they are in.
    pub folder: Utf8PathBuf,
    /// The files in the folder that ship, relative to the folder and sorted; none if all of them
    /// do.
    pub files: Option<Vec<Utf8PathBuf>>,
    /// The package that they are laid out in, or none for the bundle's import root. One that begins with a
    /// dot is below that.
    pub root: Option<String>,
}

impl PythonFiles {
    /// The folder in a wheel that they are laid out in.
    #[must_use]
    pub fn place(&self, import_root: &str) -> String {
        let package = match &self.root {
            None => import_root.to_owned(),
            Some(root) if root.starts_with('.') => format!("{import_root}{root}"),
            Some(root) => root.clone(),
        };
        package.replace('.', "/")
    }
}

/// A program that writes C++ to be included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Generator {
    /// Its name.
    pub name: Spanned<String>,
    /// Its C++ files, sorted.
    pub sources: Vec<Utf8PathBuf>,
    /// The archives that it is linked with, as written.
    pub archives: Vec<Spanned<String>>,
    /// The way it is compiled.
    pub options: CppOptions,
    /// Its runs.
    pub runs: Vec<GeneratorRun>,
}

/// One run of a generator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GeneratorRun {
    /// Its arguments, with `{include}` and `{out}`.
    pub args: Vec<String>,
    /// The files that it reads.
    pub inputs: Vec<Utf8PathBuf>,
    /// The files that it writes, relative to the folder of generated files.
    pub outputs: Vec<Spanned<Utf8PathBuf>>,
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

/// C++ sources to compile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cpp {
    /// The files, sorted.
    pub sources: Vec<Utf8PathBuf>,
    /// Include folders, in order.
    pub include: Vec<Utf8PathBuf>,
    /// The way it is compiled.
    pub options: CppOptions,
    /// C API headers as they are included.
    pub headers: Vec<Spanned<String>>,
    /// MLIR's and LLVM's archives that it needs.
    pub archives: Vec<Spanned<String>>,
    /// The generator runs before anything is compiled.
    pub tblgen: Vec<Tblgen>,
}

/// One run of a generator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tblgen {
    /// The program.
    pub tool: Tool,
    /// The input file.
    pub from: Utf8PathBuf,
    /// The output file, relative to the folder of generated files.
    pub to: Spanned<Utf8PathBuf>,
    /// Its arguments.
    pub args: Vec<String>,
}

/// A program that writes C++ to be included.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Tool {
    /// mlir-tblgen, for ODS.
    #[default]
    MlirTblgen,
    /// mlir-pdll, for PDLL.
    MlirPdll,
}

impl Tool {
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
    pub headers: Vec<Spanned<String>>,
    /// MLIR's and LLVM's archives that it needs.
    pub archives: Vec<Spanned<String>>,
    /// The way that C++ over its headers is compiled.
    pub options: CppOptions,
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
    /// The way it is compiled.
    pub options: CppOptions,
    /// The distribution it ships in, as written.
    pub wheel: Spanned<String>,
}

/// The binding library or language of a Python extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExtensionKind {
    /// nanobind, with MLIR's `NanobindAdaptors.h`.
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
        self.archives_into(state)?;
        let sources = self
            .extensions
            .iter()
            .flat_map(|extension| &extension.sources);
        let python = self.python.iter().map(|python| &python.folder);
        let folders = prebuilt.include.iter().chain(python);
        let file = self.folder.join(DIALECT_TOML);
        for path in sources.chain(folders).chain([&file]) {
            hash_tree(path, path, state)?;
        }
        Ok(())
    }

    /// Feeds `state` sizes and times of the archives that another project's build has made.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if they cannot be read.
    pub fn archives_into(&self, state: &mut Sha256) -> Result<()> {
        let Code::Prebuilt(prebuilt) = &self.code else {
            return Ok(());
        };
        for archive in prebuilt.whole.iter().chain(&prebuilt.by_need) {
            let metadata = fs_err::metadata(archive)?;
            state.update(format!(
                "{archive} {} {:?}",
                metadata.len(),
                metadata.modified()?
            ));
        }
        Ok(())
    }

    /// True if it was made from a project.
    pub(crate) fn is_of_project(&self) -> bool {
        self.source.is_made()
    }

    /// An error about the words at `span` of its file.
    pub fn error(&self, kind: ErrorKind, span: Range<usize>, what: impl Into<String>) -> Error {
        self.source.error(kind, span, what)
    }

    /// An error about a word of a dialect's classes: `key` is that of the word.
    pub fn classes_error(
        &self,
        (dialect, classes): (&Dialect, &DataClasses),
        (key, word): (&str, &Spanned<String>),
        what: &str,
    ) -> Error {
        let (name, of) = (self.name.get_ref(), dialect.name.get_ref());
        let kind = ErrorKind::Manifest;
        let written = word.get_ref();
        match &classes.manifest {
            None => {
                let what = format!(
                    "the dialect crate `{name}`: `dialect.classes.{key}` names `{written}`, {what}"
                );
                self.source.error(kind, word.span(), what)
            }
            Some(manifest) => {
                let what = format!(
                    "the project `{name}`: `project.classes.{of}.{key}` names `{written}`, {what}"
                );
                manifest.error(kind, word.span(), what)
            }
        }
    }

    /// Lets errors about the classes of types and attributes name their places in a project's entry, which
    /// its crate was made from.
    pub(super) fn place_classes(&mut self, project: &Project) {
        for dialect in &mut self.dialects {
            let written = project.classes.iter();
            let mut written =
                written.filter(|classes| classes.dialect.get_ref() == dialect.name.get_ref());
            if let (Some(classes), Some(written)) = (&mut dialect.classes, written.next()) {
                *classes = DataClasses {
                    header: written.header.clone(),
                    only: written.only.clone(),
                    manifest: Some(project.source.clone()),
                };
            }
        }
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
    pub fn headers(&self) -> &[Spanned<String>] {
        match &self.code {
            Code::Cpp(cpp) => &cpp.headers,
            Code::Prebuilt(prebuilt) => &prebuilt.headers,
            Code::Rust(_) => &[],
        }
    }

    /// The registrations of its C++ classes and functions, for which C functions are written.
    #[must_use]
    pub fn cpp_registrations(&self) -> Vec<CppRegistration<'_>> {
        use CppRegistrationKind as Kind;
        let mut found = Vec::new();
        let mut add = |kind, target| {
            found.push(CppRegistration {
                symbol: self.symbol_of(target),
                kind,
                target,
            });
        };
        for dialect in &self.dialects {
            if let DialectRegistration::Class(class) = &dialect.registration {
                add(Kind::Dialect, class);
            }
        }
        for group in &self.pass_groups {
            if let Registrar::Function(function) = &group.register {
                add(Kind::Passes, function);
            }
        }
        for one in &self.tool_translations {
            if let Registrar::Function(function) = one {
                add(Kind::Passes, function);
            }
        }
        for one in self.dialect_extensions.iter().chain(&self.translations) {
            match one {
                Registrar::C(_) => {}
                Registrar::Function(function) => add(Kind::Registry, function),
                Registrar::Class(class) => add(Kind::Extension, class),
            }
        }
        found
    }

    /// The C function that is written for a C++ class or function.
    fn symbol_of(&self, target: &CppName) -> String {
        let words = format!("{}_{}", self.name.get_ref(), target.name.get_ref());
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let plain: String = words.chars().map(plain).collect();
        format!("mondo_register_{plain}")
    }

    /// The C function that registers something.
    #[must_use]
    pub fn function_of(&self, registrar: &Registrar) -> String {
        match registrar {
            Registrar::C(name) => name.get_ref().clone(),
            Registrar::Function(target) | Registrar::Class(target) => self.symbol_of(target),
        }
    }

    /// The C function by which a dialect gets into a registry, where it has no handle.
    #[must_use]
    pub fn registration_of(&self, dialect: &Dialect) -> Option<String> {
        match &dialect.registration {
            DialectRegistration::Handle(_) => None,
            DialectRegistration::Register(name) => Some(name.get_ref().clone()),
            DialectRegistration::Class(class) => Some(self.symbol_of(class)),
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
