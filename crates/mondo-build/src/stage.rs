//! The stage phase: which files the wheel has and where each is from. Nothing is copied: entries
//! point at the files, and the writer reads each of them once.

use crate::error::Result;
use crate::exports::Exports;
use crate::link::{EXTENSION_FILE, Linked};
use crate::ods::DialectModules;
use crate::plan::Plan;
use crate::source::Source;
use crate::toolchain::Toolchain;
use crate::wheel::Stage;

/// The folder of the native parts, below the import root.
pub const NATIVE_DIR: &str = "_mlir_libs";

/// Lays out the wheel of `plan`.
pub fn stage(
    plan: &Plan,
    toolchain: &Toolchain,
    source: &Source,
    exports: &Exports,
    linked: &Linked,
    modules: &DialectModules,
) -> Result<Stage> {
    let root = plan.identity.import_root.replace('.', "/");
    let native = format!("{root}/{NATIVE_DIR}");
    let mut stage = Stage::default();

    stage.tree(&source.python(), &root)?;
    modules.lay_out(&mut stage, &root);
    stage.file(
        format!("{native}/{}", plan.identity.soname),
        &linked.library,
        true,
    );
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
    if let Some(license) = &toolchain.license_file {
        let name = license.file_name().unwrap_or("LICENSE");
        let path = format!("{}/licenses/llvm/{name}", plan.metadata.dist_info()?);
        stage.file(path, license, false);
    }
    // A downstream's own sources; a file of theirs in the place of one of ours is refused when the
    // wheel is written.
    for folder in &plan.python.sources {
        stage.tree(folder, "")?;
    }
    Ok(stage)
}
