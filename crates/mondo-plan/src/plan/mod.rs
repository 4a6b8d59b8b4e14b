//! The plan of a bundle, decided once: every name, archive, header and option that the later phases
//! need, with nothing left to choose. `mondo plan --json` prints it.

#[cfg(test)]
mod crate_tests;
mod crates;
mod passes;
mod resolve;
mod runtime;
mod selection;
mod summary;
#[cfg(test)]
mod tests;
mod tools;

use std::collections::BTreeMap;
use std::str::FromStr;

use camino::Utf8PathBuf;
use mondo_core::error::{Error, ErrorKind, Result};
use serde::Serialize;

use crate::dialect_crate::DialectCrate;
pub use crate::manifest::{LinkOptions, LlvmRequest, PythonPlan, WheelPlan};
use crate::metadata::Metadata;
use crate::names::is_well_known;
pub use resolve::resolve;
pub use tools::command as tool_command;

/// The result of the plan phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The names that this bundle goes by.
    pub identity: Identity,
    /// The LLVM release asked for.
    pub llvm: LlvmRequest,
    /// The dialects, sorted by name.
    pub dialects: Vec<PlannedDialect>,
    /// The dialect crates, each after those that it depends on.
    pub crates: Vec<DialectCrate>,
    /// The wheels beside the bundle's own: one for each crate with a Python extension, and for each whose
    /// wheel the manifest names.
    pub wheels: Vec<PlannedWheel>,
    /// Pass groups by the names of the catalogue and of the crates, sorted.
    pub pass_groups: Vec<String>,
    /// Translations by the catalogue's names, sorted.
    pub translations: Vec<String>,
    /// Runtime libraries by the catalogue's names, sorted.
    pub runtime_libraries: Vec<String>,
    /// C API archives taken whole, without `lib` and `.a` (`MLIRCAPIIR`), sorted.
    pub archives: Vec<String>,
    /// C API headers of those archives, as they are included (`mlir-c/IR.h`), sorted.
    pub headers: Vec<String>,
    /// Headers of those archives' passes where their group is not part of the bundle: nothing that
    /// they declare is exported, sorted.
    pub excluded_headers: Vec<String>,
    /// Functions that those headers declare and that are not exported: passes of chosen groups over
    /// dialects that the bundle does not have, sorted.
    pub excluded_functions: Vec<String>,
    /// C API headers that declare no exported function and only ship, sorted. They are not for
    /// compiling on their own: `Interop.h` needs Python's.
    pub headers_without_functions: Vec<String>,
    /// The registrations by `mondoRegisterBundle` at the first use of the library.
    pub registration: Registration,
    /// The features of the extension's crate (`dialect-llvm`): its code for single dialects and
    /// translations. Sorted.
    pub extension_features: Vec<String>,
    /// MLIR's tools, sorted by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<PlannedTool>,
    /// `void f()`: functions that register the translations of the tool `translate`, by their linker
    /// names, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_translations: Vec<String>,
    /// LLVM code generators that stay in, by LLVM's component name (`X86`), sorted. Empty: none.
    pub llvm_targets: Vec<String>,
    /// LLVM code generators whose entry points become no-ops, sorted.
    pub excluded_targets: Vec<String>,
    /// The entry points of those (`LLVMInitializeARMTarget`, `void f(void)`), sorted.
    pub excluded_entry_points: Vec<String>,
    /// Functions of MLIR's and LLVM's that nothing in the bundle can reach, by their linker names,
    /// sorted: what they bring is left out with them.
    pub unreachable_functions: Vec<String>,
    /// Functions that are reached, and whose stubs return null, by their linker names.
    pub null_functions: Vec<String>,
    /// Archives of LLVM whose code calls functions that MLIR hands to them.
    pub callback_archives: Vec<String>,
    /// The catalogue's other entries, for the messages of the package. They follow from the rest.
    #[serde(skip)]
    pub excluded: Excluded,
    /// True if the execution engine (JIT) is part of it.
    pub execution_engine: bool,
    /// Facts for the Python layer.
    pub python: PythonPlan,
    /// Options of the link.
    pub link: LinkOptions,
    /// The packing of the wheel.
    pub wheel: WheelPlan,
    /// The wheel's metadata.
    pub metadata: Metadata,
    /// True if `metadata.version` is only a placeholder (the LLVM version as requested) until
    /// [`Plan::settle`] gets the version of the LLVM that was found.
    pub version_follows_llvm: bool,
}

/// The folder of the native parts, below the import root.
pub const NATIVE_DIR: &str = "_mlir_libs";

impl Plan {
    /// The crate of this name.
    #[must_use]
    pub fn dialect_crate(&self, name: &str) -> Option<&DialectCrate> {
        self.crates.iter().find(|one| one.name.get_ref() == name)
    }

    /// True if a crate has a wheel of its own, so that the bundle's wheel lacks its Python.
    #[must_use]
    pub fn has_wheel(&self, crate_name: &str) -> bool {
        self.wheels.iter().any(|wheel| wheel.of_crate == crate_name)
    }

    /// True if a crate has a Python extension.
    #[must_use]
    pub fn has_extensions(&self) -> bool {
        self.wheels.iter().any(|wheel| !wheel.extensions.is_empty())
    }

    /// Possible mistakes that are not errors, a line each.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let crates = self.crates.iter();
        let undefined =
            crates.flat_map(|one| one.undefined.iter().map(move |symbol| (one, symbol)));
        let first = self.identity.import_root.split('.').next();
        let shadowed = first.filter(|word| is_well_known(word)).map(|word| {
            format!(
                "the import root `{}` is in the package `{word}`, which many machines have \
                 installed, so one hides the other; choose another `label` or `import-root`",
                self.identity.import_root
            )
        });
        let undefined = undefined.map(|(one, function)| {
            format!(
                "the dialect crate `{}` declares `{}` but does not define it, so it is not \
                 exported ({}:{})",
                one.name.get_ref(),
                function.function,
                function.header,
                function.line
            )
        });
        shadowed.into_iter().chain(undefined).collect()
    }

    /// The plan for the LLVM that was found: its version becomes the wheel's where the manifest
    /// leaves that open. An LLVM that the manifest did not ask for is an error.
    ///
    /// # Errors
    /// `ErrorKind::Toolchain` for an LLVM that the manifest did not ask for.
    pub fn settle(mut self, llvm: &str) -> Result<Self> {
        let wanted = match &self.llvm.exact {
            Some(exact) => exact.clone(),
            None => self.llvm.major.to_string(),
        };
        let major = llvm.split('.').next().unwrap_or_default();
        if wanted != llvm && (self.llvm.exact.is_some() || wanted != major) {
            return Err(Error::new(
                ErrorKind::Toolchain,
                format!("this is LLVM {llvm}, but the manifest requires {wanted}"),
            )
            .help(
                "pass another LLVM with `--llvm-dir`, or change `llvm.version` in the manifest",
            ));
        }
        if self.version_follows_llvm {
            // LLVM calls the commits between two releases `24.0.0git`.
            let numbered = llvm
                .strip_suffix("git")
                .map(|numbers| format!("{numbers}.dev0"));
            self.metadata.version =
                pep440_rs::Version::from_str(numbered.as_deref().unwrap_or(llvm))
                    .map_err(|error| {
                        Error::new(
                            ErrorKind::Plan,
                            format!(
                                "LLVM's version `{llvm}` is not a valid wheel version (PEP 440)"
                            ),
                        )
                        .because(error.to_string())
                        .help("set `package.version` in the manifest")
                    })?
                    .to_string();
            self.version_follows_llvm = false;
        }
        Ok(self)
    }
}

/// The entries that the catalogue has for this LLVM, and a bundle does not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excluded {
    /// Dialects: the name of the Python module, and the dialect's own.
    pub dialects: BTreeMap<String, String>,
    /// Modules that others bring to a dialect of the bundle (`transform.gpu`), and the dialects that
    /// are missing for it.
    pub modules: BTreeMap<String, Vec<String>>,
    /// Pass groups, sorted.
    pub pass_groups: Vec<String>,
    /// Translations, sorted.
    pub translations: Vec<String>,
    /// Runtime libraries, with their functions; none in a bundle without the execution engine.
    pub runtime_libraries: BTreeMap<String, Vec<String>>,
}

/// The names of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// The private label, or none for upstream's name.
    pub label: Option<String>,
    /// The dotted import root: `mlir`, `acme.mlir`.
    pub import_root: String,
    /// The mondo library's file name and SONAME: `libmlir_mondo.so`, `libacme_mondo.so`.
    pub soname: String,
    /// The symbol version of every export: `MONDO_MLIR_22`, `ACME_MLIR_22`.
    pub version_node: String,
}

/// One of MLIR's tools, as a command of the bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedTool {
    /// Upstream's name of it without `mlir-`: `opt`.
    pub name: String,
    /// The command: `acme-opt`, or `mlir-opt` in a bundle without a label.
    pub command: String,
    /// The archive with its code: `MLIROptLib`.
    pub archive: String,
    /// The folders of LLVM's sources, below `mlir`, that it is compiled from where LLVM does not have the archive.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// The function of a dialect crate or project that is the tool, if the tool is not MLIR's. Its name is that of the
    /// command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main: Option<String>,
}

/// The section with the global constructors of the program whose `main` is this function. They are called before the
/// function, and not when the library is loaded: two programs may register options of one name.
#[must_use]
pub fn constructors(main: &str) -> String {
    format!("{main}_init")
}

impl PlannedTool {
    /// The module that runs the tools, below the import root.
    pub const MODULE: &str = "_tools";

    /// The function that the command calls: `mlir._tools:opt`.
    #[must_use]
    pub fn entry_point(&self, import_root: &str) -> String {
        format!(
            "{import_root}.{}:{}",
            Self::MODULE,
            self.name.replace(['-', '.'], "_")
        )
    }
}

/// One dialect of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedDialect {
    /// MLIR's name of it: `func`.
    pub name: String,
    /// Its C API archive: `MLIRCAPIFunc`. A crate's dialect has none of its own.
    pub archive: Option<String>,
    /// The function that returns its handle: `mlirGetDialectHandle__func__`; `builtin` has none.
    pub handle: Option<String>,
    /// The function that registers it, where it has no handle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub register: Option<String>,
    /// The dialect crate that it is of, or none for MLIR's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_crate: Option<String>,
    /// The ODS files of its operations, relative to the include folder.
    pub ods: Vec<String>,
    /// The ODS file of its enums, where Python has them.
    pub enums: Option<String>,
    /// Its module in the package's `dialects`, if it has one.
    pub python: Option<String>,
    /// The modules of the package's native part that the extension has for it.
    pub native: Vec<String>,
    /// The operations that other dialects of the bundle add to it.
    pub extensions: Vec<PlannedModuleExtension>,
}

/// Operations that other dialects of the plan bring to one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedModuleExtension {
    /// Upstream's name of it: `structured_transform`.
    pub name: String,
    /// Its module in the dialect's own: `structured`.
    pub python: String,
    /// The ODS files of its operations, relative to the include folder.
    pub ods: Vec<String>,
    /// The ODS file of its enums, where Python has them.
    pub enums: Option<String>,
}

/// A wheel beside the bundle's own: a crate's Python sources and extensions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedWheel {
    /// The crate.
    pub of_crate: String,
    /// The distribution's name: `mondo-fxp`, or `acme-fxp` under the label `acme`.
    pub distribution: String,
    /// Folders of Python that are laid out at its top.
    pub sources: Vec<Utf8PathBuf>,
    /// The extensions in the wheel. Empty for a wheel of Python alone.
    pub extensions: Vec<PlannedExtension>,
}

/// A Python extension of a crate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedExtension {
    /// The module in `_mlir_libs`: `_fxp`.
    pub module: String,
    /// Its C++ files, absolute.
    pub sources: Vec<Utf8PathBuf>,
    /// Static archives that it links itself, as the crate names them.
    pub archives: Vec<String>,
    /// The compiler's arguments: the standard, definitions and flags.
    pub arguments: Vec<String>,
}

/// Registration calls, by the argument that the C function takes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Registration {
    /// `MlirDialectHandle f(void)`; each handle is inserted into the registry.
    pub handles: Vec<String>,
    /// `void f(MlirDialectRegistry)`: `mlirRegisterAllDialects`, or what lets the picked dialects
    /// work together.
    pub registries: Vec<String>,
    /// `void f(void)`: pass groups.
    pub passes: Vec<String>,
    /// `void f(MlirContext)`: `mlirRegisterAllLLVMTranslations`.
    pub contexts: Vec<String>,
    /// The functions of the runtime libraries, by the names that modules call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runtime: Vec<String>,
    /// `void f(void)`: functions that wait for the threads of runtime libraries.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub finish: Vec<String>,
}
