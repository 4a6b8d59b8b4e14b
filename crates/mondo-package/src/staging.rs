//! The stage phase: which files the wheel has and where each is from. Nothing is copied: entries
//! point at the files, and the writer reads each of them once.

use std::collections::BTreeSet;

use mondo_core::error::Result;
use mondo_core::source::Source;
use mondo_link::exports::Exports;
use mondo_link::link::{self, EXTENSION_FILE, Linked};
use mondo_plan::plan::{NATIVE_DIR, Plan, PlannedDialect, PlannedTool};
use mondo_toolchain::Toolchain;

use crate::alias_stubs::{self, Stubs};
use crate::ods::{EXT, EXT_NEEDS, Modules};
use crate::wheel::Stage;

/// The Python file that nothing but the execution engine's module imports, below the import root.
const ENGINE_PYTHON: &str = "runtime/np_invoke.py";

/// The text of `_excluded.py`: the dialects and other parts that this bundle lacks, for messages that tell the user
/// which key of the manifest adds them.
fn excluded(plan: &Plan) -> String {
    // A name of the catalogue is written the same in Rust and in Python.
    let tuple = |names: &[String]| {
        let names: String = names.iter().map(|name| format!("{name:?}, ")).collect();
        format!("({})", names.trim_end_matches(' '))
    };
    let dialects: String = plan
        .excluded
        .dialects
        .iter()
        .flat_map(|(module, name)| {
            let also = (module == EXT_NEEDS).then_some(EXT);
            let modules = std::iter::once(module.as_str()).chain(also);
            modules.map(move |module| format!("    {module:?}: {name:?},\n"))
        })
        .collect();
    let modules: String = plan
        .excluded
        .modules
        .iter()
        .map(|(module, missing)| format!("    {module:?}: {},\n", tuple(missing)))
        .collect();
    let runtime: String = plan
        .excluded
        .runtime_libraries
        .iter()
        .map(|(name, functions)| format!("    {name:?}: {},\n", tuple(functions)))
        .collect();
    format!(
        "\"\"\"What this bundle was made without, by the names of its manifest. Made by the build.\"\"\"\n\n\
         # Module and name.\n\
         DIALECTS: dict[str, str] = {{\n{dialects}}}\n\
         # Module and the dialects that it is for.\n\
         MODULES: dict[str, tuple[str, ...]] = {{\n{modules}}}\n\
         PASSES: tuple[str, ...] = {}\n\
         TRANSLATIONS: tuple[str, ...] = {}\n\
         TARGETS: tuple[str, ...] = {}\n\
         # Runtime library and its functions.\n\
         RUNTIME: dict[str, tuple[str, ...]] = {{\n{runtime}}}\n",
        tuple(&plan.excluded.pass_groups),
        tuple(&plan.excluded.translations),
        tuple(&plan.excluded_targets),
    )
}

/// Adds the Python modules for the native parts that the extension has for single dialects. Stubs of native parts
/// that the extension does not have are removed.
fn native_modules(dialects: &[PlannedDialect], stage: &mut Stage, native: &str) {
    for dialect in dialects {
        for module in &dialect.native {
            let text = format!(
                "\"\"\"{module}: a native part of the dialect `{}`.\"\"\"\n\n\
                 from . import _mlir\n\n\
                 _mlir._fill_native_module(__name__)\n",
                dialect.name
            );
            stage.bytes(format!("{native}/{module}.py"), text);
        }
    }
    let modules: BTreeSet<String> = stage
        .entries
        .iter()
        .map(|entry| entry.path.clone())
        .collect();
    stage.entries.retain(|entry| {
        let stub = entry
            .path
            .strip_prefix(native)
            .and_then(|path| path.strip_prefix('/'));
        match stub.and_then(|path| path.strip_suffix(".pyi")) {
            Some(name) if !name.contains('/') => modules.contains(&format!("{native}/{name}.py")),
            _ => true,
        }
    });
}

/// Lays out the wheel of `plan`.
///
/// # Errors
/// `ErrorKind::Io` where a file is missing.
pub fn stage(
    plan: &Plan,
    toolchain: &Toolchain,
    source: &Source,
    exports: &Exports,
    linked: &Linked,
    modules: &Modules,
) -> Result<Stage> {
    let root = plan.identity.import_root.replace('.', "/");
    let native = format!("{root}/{NATIVE_DIR}");
    let mut stage = Stage::default();

    stage.tree(&source.python(), &root)?;
    if !plan.execution_engine {
        let file = format!("{root}/{ENGINE_PYTHON}");
        stage.entries.retain(|entry| entry.path != file);
    }
    remove_unused_tools(plan, &mut stage, &root);
    modules.bundle.keep_wanted(&mut stage, &root);
    native_modules(&plan.dialects, &mut stage, &native);
    stage.bytes(format!("{native}/_excluded.py"), excluded(plan));
    // The file is named after the distribution. If two distributions with one import root are installed into one
    // environment, both have a file here, and the runtime can tell.
    stage.bytes(
        format!("{native}/_bundles/{}", plan.metadata.file_name()?),
        format!("{}\n", plan.metadata.version),
    );
    // A crate with a wheel of its own has its Python there.
    for one in &plan.crates {
        if !plan.has_wheel(one.name.get_ref()) {
            stage.crate_python(one, &plan.identity.import_root)?;
        }
    }
    modules.bundle.lay_out(&mut stage, &root);
    stage.file(
        format!("{native}/{}", plan.identity.soname),
        &linked.library,
        true,
    );
    for library in link::c_api_libraries(&plan.identity, exports) {
        stage.bytes(format!("{native}/{}", library.file), library.bytes);
    }
    stage.file(
        format!("{native}/{EXTENSION_FILE}"),
        &linked.extension,
        true,
    );
    let mut headers = exports.headers.clone();
    for name in &plan.headers_without_functions {
        let path = toolchain.prefix.join("include").join(name);
        if path.is_file() {
            headers.insert(name.clone(), path);
        }
    }
    for (name, path) in headers {
        stage.file(format!("{native}/include/{name}"), path, false);
    }
    // Headers for downstreams that compile extensions against the package. They are omitted where this LLVM lacks the
    // header that they build on.
    let adaptors = "include/mlir/Bindings/Python/NanobindAdaptors.h";
    if toolchain.prefix.join(adaptors).is_file() {
        stage.tree(&source.extension_headers(), &format!("{native}/include"))?;
    }
    let dist_info = plan.metadata.dist_info()?;
    stage.license(&dist_info, "llvm", toolchain.license_file.as_ref());
    for one in &plan.crates {
        stage.crate_licenses(&dist_info, one);
    }
    // A downstream's own Python sources. If one of them has the path of another entry, the writer of the wheel
    // refuses it.
    for folder in &plan.python.sources {
        stage.tree(folder, "")?;
    }
    alias_stubs::lay_out(plan, None, &Stubs::new(), &mut stage)?;
    Ok(stage)
}

/// Takes the module of the tools from the Python files that are staged below `root`, in a bundle that has none.
fn remove_unused_tools(plan: &Plan, stage: &mut Stage, root: &str) {
    if plan.tools.is_empty() {
        let module = format!("{root}/{}.py", PlannedTool::MODULE);
        stage.entries.retain(|entry| entry.path != module);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn native_modules_come_and_go_with_their_dialects() {
        let mut stage = Stage::default();
        for path in [
            "r/_mlir_libs/__init__.py",
            "r/_mlir_libs/_mlir/ir.pyi",
            "r/_mlir_libs/_mlirDialectsLLVM.pyi",
            "r/_mlir_libs/_mlirDialectsQuant.pyi",
        ] {
            stage.bytes(path, "by hand");
        }
        let llvm = PlannedDialect {
            name: "llvm".into(),
            archive: None,
            handle: None,
            register: None,
            of_crate: None,
            ods: Vec::new(),
            enums: None,
            python: None,
            native: vec!["_mlirDialectsLLVM".into()],
            extensions: Vec::new(),
        };
        native_modules(&[llvm], &mut stage, "r/_mlir_libs");
        let paths: Vec<&str> = stage
            .entries
            .iter()
            .map(|entry| entry.path.as_str())
            .collect();
        assert_eq!(
            paths,
            [
                "r/_mlir_libs/__init__.py",
                "r/_mlir_libs/_mlir/ir.pyi",
                "r/_mlir_libs/_mlirDialectsLLVM.pyi",
                "r/_mlir_libs/_mlirDialectsLLVM.py",
            ]
        );
    }
}
