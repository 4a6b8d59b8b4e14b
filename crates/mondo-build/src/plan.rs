//! What a bundle consists of, decided once: every name, archive, header and option that the later
//! phases need, with nothing left to choose. `cargo xtask plan --json` prints it.

use serde::Serialize;

use crate::wheel::metadata::Metadata;

/// The result of the plan phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The names that this bundle goes by.
    pub identity: Identity,
    /// The LLVM release asked for.
    pub llvm: LlvmRequest,
    /// The dialects, sorted by name.
    pub dialects: Vec<PlannedDialect>,
    /// C API archives taken whole, without `lib` and `.a` (`MLIRCAPIIR`), sorted.
    pub archives: Vec<String>,
    /// C API headers of those archives, as they are included (`mlir-c/IR.h`), sorted.
    pub headers: Vec<String>,
    /// What `mondoRegisterBundle` does when the library is first used.
    pub registration: Registration,
    /// LLVM code generators that stay in, by LLVM's component name (`X86`), sorted. Empty: none.
    pub llvm_targets: Vec<String>,
    /// LLVM code generators whose entry points become no-ops, sorted.
    pub left_out_targets: Vec<String>,
    /// Whether the execution engine (JIT) is part of it.
    pub execution_engine: bool,
    /// What the Python side needs to know.
    pub python: PythonPlan,
    /// How the library is linked.
    pub link: LinkOptions,
    /// What the wheel says of itself.
    pub metadata: Metadata,
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

/// Which LLVM the manifest wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LlvmRequest {
    /// The major version: 22.
    pub major: u32,
    /// The full version where the manifest pins one: `22.1.8`.
    pub exact: Option<String>,
}

/// One dialect of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedDialect {
    /// MLIR's name of it: `func`.
    pub name: String,
    /// Its C API archive: `MLIRCAPIFunc`; none for a dialect that only `register-everything` brings.
    pub archive: Option<String>,
    /// The function that returns its handle: `mlirGetDialectHandle__func__`.
    pub handle: Option<String>,
}

/// Registration calls, by the argument that the C function takes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Registration {
    /// `MlirDialectHandle f(void)`; each handle is inserted into the registry.
    pub handles: Vec<String>,
    /// `void f(MlirDialectRegistry)`: `mlirRegisterAllDialects`.
    pub registries: Vec<String>,
    /// `void f(void)`: pass groups.
    pub passes: Vec<String>,
    /// `void f(MlirContext)`: `mlirRegisterAllLLVMTranslations`.
    pub contexts: Vec<String>,
}

/// The Python floor and what goes beside the extension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PythonPlan {
    /// The lowest CPython, which is also the stable ABI's version: (3, 10).
    pub floor: (u8, u8),
    /// Folders of pure Python that a downstream adds to the wheel, absolute.
    pub sources: Vec<camino::Utf8PathBuf>,
}

/// Options of the link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinkOptions {
    /// The newest glibc the wheel may need: `2.36`. Needing more is an audit error.
    pub glibc_floor: Option<String>,
    /// `--gc-sections`.
    pub gc_sections: bool,
    /// `--icf=all` or none.
    pub icf: bool,
    /// lld's `-O`: 0, 1 or 2.
    pub optimize: u8,
    /// Whether the shipped library loses its symbol table (the unstripped link is kept beside it).
    pub strip: bool,
}
