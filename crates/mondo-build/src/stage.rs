//! The stage phase: which files the wheel has and where each is from. Nothing is copied: entries
//! point at the files, and the writer reads each of them once.

use camino::Utf8Path;

use crate::error::{Error, ErrorKind, Result};
use crate::exports::Exports;
use crate::link::{EXTENSION_FILE, Linked};
use crate::plan::Plan;
use crate::source::{Source, files_under};
use crate::toolchain::Toolchain;
use crate::wheel::{Entry, Source as From, Stage};

/// The folder of the native parts, below the import root.
pub const NATIVE_DIR: &str = "_mlir_libs";

/// Lays out the wheel of `plan`.
pub fn stage(
    plan: &Plan,
    toolchain: &Toolchain,
    source: &Source,
    exports: &Exports,
    linked: &Linked,
) -> Result<Stage> {
    let root = plan.identity.import_root.replace('.', "/");
    let native = format!("{root}/{NATIVE_DIR}");
    let mut stage = Stage::default();

    add_tree(&mut stage, &source.python(), &root)?;
    for (name, path) in [
        (plan.identity.soname.as_str(), &linked.library),
        (EXTENSION_FILE, &linked.extension),
    ] {
        stage.entries.push(Entry {
            path: format!("{native}/{name}"),
            source: From::File(path.clone()),
            executable: true,
        });
    }
    let mut headers = exports.headers.clone();
    for name in &plan.headers_without_functions {
        let path = toolchain.prefix.join("include").join(name);
        if path.is_file() {
            headers.insert(name.clone(), path);
        }
    }
    for (name, path) in headers {
        stage
            .entries
            .push(file(format!("{native}/include/{name}"), &path));
    }
    if let Some(license) = &toolchain.license_file {
        let name = license.file_name().unwrap_or("LICENSE");
        let licenses = format!("{}/licenses/llvm", plan.metadata.dist_info()?);
        stage
            .entries
            .push(file(format!("{licenses}/{name}"), license));
    }
    for folder in &plan.python.sources {
        add_tree(&mut stage, folder, "")?;
    }
    reject_twins(&stage)?;
    Ok(stage)
}

fn file(path: String, from: &Utf8Path) -> Entry {
    Entry {
        path,
        source: From::File(from.to_owned()),
        executable: false,
    }
}

/// Every file below `folder`, at the same place below `prefix` in the wheel.
fn add_tree(stage: &mut Stage, folder: &Utf8Path, prefix: &str) -> Result<()> {
    for from in files_under(folder)? {
        let relative = from.strip_prefix(folder).unwrap_or(&from);
        let path = if prefix.is_empty() {
            relative.to_string()
        } else {
            format!("{prefix}/{relative}")
        };
        stage.entries.push(file(path, &from));
    }
    Ok(())
}

/// A downstream's own sources must not take the place of a file of ours.
fn reject_twins(stage: &Stage) -> Result<()> {
    let mut paths: Vec<&str> = stage
        .entries
        .iter()
        .map(|entry| entry.path.as_str())
        .collect();
    paths.sort_unstable();
    let twins: Vec<&str> = paths
        .windows(2)
        .filter(|pair| pair[0] == pair[1])
        .map(|pair| pair[0])
        .collect();
    if twins.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Wheel,
        "two sources bring the same file of the wheel",
    )
    .offenders(twins)
    .help("rename the file under `python-sources`, or choose another import root"))
}
