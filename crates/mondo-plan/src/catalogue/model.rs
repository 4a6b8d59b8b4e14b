//! The rows of a catalogue.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::spanned::Spanned;

/// A checked catalogue, for all the LLVM versions it describes. [`Catalogue::release`] is the view
/// of one of them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Catalogue {
    pub(super) catalogue: Spanned<u32>,
    /// The LLVM major versions that it describes.
    pub llvm: Vec<u32>,
    /// Archives that every bundle has.
    pub base: Vec<Spanned<String>>,
    /// C API headers that declare no exported function and so belong to no archive.
    pub headers_without_functions: Vec<String>,
    /// The archive of the execution engine.
    pub execution_engine: Spanned<String>,
    /// C API archives.
    #[serde(rename = "archive")]
    pub archives: Vec<Archive>,
    /// Dialects.
    #[serde(rename = "dialect")]
    pub dialects: Vec<Dialect>,
    /// Registration functions that need several dialects: external models of interfaces, and
    /// extensions.
    #[serde(default, rename = "dialect-extension")]
    pub dialect_extensions: Vec<DialectExtension>,
    /// Pass groups.
    #[serde(rename = "pass-group")]
    pub pass_groups: Vec<PassGroup>,
    /// Functions that a bundle without some dialects can never reach.
    #[serde(default, rename = "stub")]
    pub stubs: Vec<FunctionStubs>,
    /// Archives of LLVM, of any version, whose code calls functions that MLIR hands to them.
    #[serde(default)]
    pub callback_archives: Vec<String>,
    /// Groups of which a bundle may have some passes and not others.
    #[serde(default, rename = "pass-part")]
    pub pass_parts: Vec<PassPart>,
    /// Translations.
    #[serde(rename = "translation")]
    pub translations: Vec<Translation>,
    /// Libraries of functions that compiled modules call.
    #[serde(default, rename = "runtime-library")]
    pub runtime_libraries: Vec<RuntimeLibrary>,
    /// MLIR's tools.
    #[serde(default, rename = "tool")]
    pub tools: Vec<Tool>,
    /// Translations as the tool `translate` has them.
    #[serde(default, rename = "tool-translation")]
    pub tool_translations: Vec<ToolTranslation>,
    /// LLVM's code generators.
    #[serde(rename = "llvm-target")]
    pub llvm_targets: Vec<LlvmTarget>,
    /// The functions that register all there is at once.
    pub everything: Everything,
    /// Named sets, without their `@`.
    pub sets: Sets,
    /// The rows that [`Catalogue::for_prefix`] left out, with what the prefix lacks.
    #[serde(skip)]
    pub(super) absent: BTreeMap<String, String>,
}

/// The LLVM major versions that an entry holds for, both ends included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Versions {
    /// The first, or no bound.
    pub since: Option<u32>,
    /// The last, or no bound.
    pub until: Option<u32>,
}

impl Versions {
    pub(super) fn contain(self, major: u32) -> bool {
        self.since.is_none_or(|since| since <= major)
            && self.until.is_none_or(|until| major <= until)
    }
}

/// A C API archive.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Archive {
    /// Its name without `lib` and `.a`: `MLIRCAPIFunc`.
    pub name: Spanned<String>,
    /// The headers that declare exactly what it defines, as they are included.
    pub headers: Vec<String>,
    pub(super) since: Option<u32>,
    pub(super) until: Option<u32>,
}

/// A dialect.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Dialect {
    /// MLIR's name of it, which begins the names of its operations: `func`.
    pub name: Spanned<String>,
    /// Its C API archive.
    pub archive: Spanned<String>,
    /// Archives that go with it.
    #[serde(default)]
    pub also: Vec<Spanned<String>>,
    /// The function that returns its handle; `builtin` has none.
    pub handle: Option<String>,
    /// The ODS files that its operations' Python classes are made from, relative to the include
    /// folder.
    pub ods: Vec<String>,
    /// The ODS file of its enums, where Python has them.
    pub enums: Option<String>,
    /// Its module in the package's `dialects`, if it has one: upstream's name of it where upstream
    /// has it too.
    pub python: Option<String>,
    /// The modules of the package's native part that its feature of the extension has, by upstream's
    /// names (`_mlirDialectsLLVM`); no feature where there are none.
    #[serde(default)]
    pub native: Vec<String>,
    /// Operations of it that others bring, which have modules of their own in that module.
    #[serde(default)]
    pub extensions: Vec<ModuleExtension>,
    /// True if [`Everything::dialects`] registers it.
    #[serde(default = "yes")]
    pub in_everything: bool,
    /// The first LLVM whose C API has this dialect: its archives, and the function that returns its handle. With an
    /// earlier LLVM mondo-runtime defines that function, and there are no archives.
    pub(super) c_api_since: Option<u32>,
    pub(super) since: Option<u32>,
    pub(super) until: Option<u32>,
}

/// Operations that others bring to a dialect, with a module of their own in the dialect's.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModuleExtension {
    /// Upstream's name of it, which the generated modules have: `structured_transform`.
    pub name: String,
    /// Its module in the dialect's own: `structured`.
    pub python: String,
    /// The ODS files of its operations.
    pub ods: Vec<String>,
    /// The ODS file of its enums, where Python has them.
    pub enums: Option<String>,
    /// The dialects that bring it. A bundle without one of them does not have it.
    #[serde(default)]
    pub depends: Vec<Spanned<String>>,
    pub(super) since: Option<u32>,
    pub(super) until: Option<u32>,
}

/// External models of interfaces, or operations of one dialect over others, that one function
/// registers. [`Everything::dialects`] calls it too.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DialectExtension {
    /// The dialects that it extends or refers to. A bundle that lacks one of them does not have the extension.
    pub dialects: Vec<Spanned<String>>,
    /// The function's linker name: `void f(DialectRegistry &)`.
    pub register: String,
    pub(super) since: Option<u32>,
    pub(super) until: Option<u32>,
}

/// Functions of MLIR's or LLVM's that are referred to and never reached, or not needed. What they
/// bring is left out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FunctionStubs {
    /// A bundle with one of these dialects has the functions.
    #[serde(default)]
    pub unless: Vec<Spanned<String>>,
    /// A bundle with another code generator than these has the functions. Empty: with any.
    #[serde(default)]
    pub only_targets: Vec<Spanned<String>>,
    /// True if the stubs are also used in a bundle with C++ of dialect crates, which may call any
    /// function.
    #[serde(default)]
    pub always: bool,
    /// Linker names of functions that nothing reaches: to call one is a fatal error.
    #[serde(default)]
    pub functions: Vec<String>,
    /// Linker names of functions that are reached, and of which null, or nothing done, is an answer.
    #[serde(default)]
    pub null: Vec<String>,
    pub(super) since: Option<u32>,
    pub(super) until: Option<u32>,
}

/// Passes that one function of the C API registers.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PassGroup {
    /// The dialect they belong to, or `transforms`, or `conversion`.
    pub name: Spanned<String>,
    /// The archive with the function.
    pub archive: Spanned<String>,
    /// The function: `void f(void)`.
    pub register: String,
    /// The first LLVM whose C API has the function. For those before, it is mondo-runtime's, and there is
    /// no archive.
    pub(super) c_api_since: Option<u32>,
    pub(super) since: Option<u32>,
    pub(super) until: Option<u32>,
}

/// One pass of a group. A group without parts is registered as a whole or not at all.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PassPart {
    /// The group.
    pub group: Spanned<String>,
    /// Its name in the C API, where `mlirRegister` and `mlirCreate` stand before it.
    pub names: Vec<String>,
    /// The dialects that it converts from or to, or creates. A bundle without one of them excludes
    /// it.
    #[serde(default)]
    pub dialects: Vec<Spanned<String>>,
    pub(super) since: Option<u32>,
    pub(super) until: Option<u32>,
}

/// A translation out of MLIR.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Translation {
    /// The name of the target language: `llvm-ir`.
    pub name: Spanned<String>,
    /// The archives it needs.
    pub archives: Vec<Spanned<String>>,
    /// The function that makes it known to a context, `void f(MlirContext)`, if it needs one.
    pub register: Option<String>,
    /// True if the extension has a feature for it, by which Python calls it.
    #[serde(default)]
    pub native: bool,
    pub(super) since: Option<u32>,
    pub(super) until: Option<u32>,
}

/// A library of functions that compiled modules call. They are mondo-runtime's.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RuntimeLibrary {
    /// MLIR's name of it without `mlir_` and with dashes: `runner-utils`.
    pub name: Spanned<String>,
    /// Its functions, by the names that modules call: `printNewline`.
    pub functions: Vec<String>,
    /// The function that waits for its threads, `void f(void)`, where it has any.
    pub finish: Option<String>,
    pub(super) since: Option<u32>,
    pub(super) until: Option<u32>,
}

/// One of MLIR's tools: a program of upstream's whose code is in an archive.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Tool {
    /// Upstream's name of it without `mlir-`: `opt`.
    pub name: Spanned<String>,
    /// The archive with its code: `MLIROptLib`.
    pub archive: String,
    /// The folders of LLVM's sources, below `mlir`, with the C++ of an archive that no package has. `@all` does
    /// not mean the tool then.
    #[serde(default)]
    pub sources: Vec<String>,
    pub(super) since: Option<u32>,
    pub(super) until: Option<u32>,
}

/// A translation, to or from MLIR, as the tool `translate` has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ToolTranslation {
    /// The linker name of the function that registers it: `void f()`.
    pub register: String,
    /// The dialects it is about. A tool of a bundle without one of them does not have it.
    pub dialects: Vec<Spanned<String>>,
    /// The bundle's translation that it belongs to. A tool of a bundle without that one does not have
    /// it.
    pub translation: Option<Spanned<String>>,
    pub(super) since: Option<u32>,
    pub(super) until: Option<u32>,
}

/// One of LLVM's code generators.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LlvmTarget {
    /// LLVM's name of it: `X86`.
    pub name: Spanned<String>,
    /// The machines it is the native one for, by Rust's names of architectures.
    #[serde(default)]
    pub native_for: Vec<String>,
    /// The kinds of entry points it has; see [`LlvmTarget::functions`].
    pub entry_points: Vec<String>,
    pub(super) since: Option<u32>,
    pub(super) until: Option<u32>,
}

impl LlvmTarget {
    /// The names of its entry points: `LLVMInitializeX86TargetInfo`.
    pub fn functions(&self) -> impl Iterator<Item = String> {
        let name = self.name.get_ref();
        self.entry_points
            .iter()
            .map(move |kind| format!("LLVMInitialize{name}{kind}"))
    }
}

/// The functions that register all there is at once.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Everything {
    /// The archive with the three functions, which pulls in all of MLIR.
    pub archive: Spanned<String>,
    /// `void f(MlirDialectRegistry)`.
    pub dialects: String,
    /// `void f(void)`.
    pub passes: String,
    /// `void f(MlirContext)`.
    pub translations: String,
}

/// Named sets: what a manifest calls `@core` is `core` here. `all` is not among them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sets {
    /// Sets of dialects.
    pub dialects: BTreeMap<String, Vec<Spanned<String>>>,
    /// Sets of pass groups.
    pub passes: BTreeMap<String, Vec<Spanned<String>>>,
}

fn yes() -> bool {
    true
}
