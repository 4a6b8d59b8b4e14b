//! The contents of a kit: the files of a checkout that a bundle needs, and the compiled parts.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::interrupt;
use mondo_core::kit::{FORMAT, RECORD, Record, Staticlib, TOOLS, VERSION};
use mondo_core::source::Source;
use mondo_link::compile::Keys;
use mondo_package::wheel::sbom::Crate;

use super::CRATES;
use crate::stamp::PIPELINE;

/// Files and folders of a checkout that are in a kit at the same places.
const COPIED: &[&str] = &[
    "bundle/include",
    "bundle/python",
    "crates/dialects/upstream/dialect.toml",
    "crates/mondo-runtime/glibc",
    "crates/mondo-runtime/include",
    "manifests/toolchain.lock",
];

/// The kit's licence.
pub(super) const LICENSE: &str = "LICENSE";

/// Folders that are not copied: those that only tests read, and the caches of interpreters and checkers.
const SKIPPED: &[&str] = &["tests", "__pycache__", ".mypy_cache", ".ruff_cache"];

/// The parts of a kit that are not in a checkout.
pub(super) struct Compiled<'a> {
    /// The full version of LLVM.
    pub(super) llvm: &'a str,
    pub(super) keys: &'a Keys,
    /// The library's staticlib.
    pub(super) library: &'a Utf8Path,
    /// The extension's staticlib.
    pub(super) extension: &'a Utf8Path,
    /// The objects of mondo's C++ of tools.
    pub(super) tools: &'a [Utf8PathBuf],
    pub(super) crates: &'a [Crate],
    pub(super) rustc: String,
}

/// Writes the kit into `folder`, which is there and empty.
pub(super) fn write(folder: &Utf8Path, source: &Source, compiled: Compiled<'_>) -> Result<Record> {
    let mut files = BTreeMap::new();
    for name in COPIED {
        copy(source.root(), Utf8Path::new(name), folder, &mut files)?;
    }
    // The licence is not in the record: no bundle reads it, and the kit's wheel has it in another place.
    fs_err::copy(source.license(), folder.join(LICENSE))?;
    let mut staticlib = |path: &Utf8Path, key: &str| -> Result<Staticlib> {
        let file = Utf8Path::new("lib").join(path.file_name().unwrap_or_default());
        copy_file(path, &file, folder, &mut files)?;
        Ok(Staticlib {
            file,
            key: key.to_owned(),
        })
    };
    let library = staticlib(compiled.library, compiled.keys.library())?;
    let extension = staticlib(compiled.extension, compiled.keys.extension())?;
    for object in compiled.tools {
        let file = Utf8Path::new(TOOLS).join(object.file_name().unwrap_or_default());
        copy_file(object, &file, folder, &mut files)?;
    }
    let crates = serde_json::to_string_pretty(compiled.crates).map_err(|error| {
        Error::new(ErrorKind::Io, "cannot write the list of crates").caused_by(error)
    })?;
    fs_err::write(folder.join(CRATES), &crates)?;
    files.insert(CRATES.into(), digest::of(&crates));
    let record = Record {
        kit: FORMAT,
        mondo: VERSION.to_owned(),
        pipeline: PIPELINE.to_owned(),
        llvm: compiled.llvm.to_owned(),
        architecture: std::env::consts::ARCH.to_owned(),
        rustc: compiled.rustc,
        library,
        extension,
        files,
    };
    fs_err::write(folder.join(RECORD), record.render()?)?;
    Ok(record)
}

/// Copies what is at `path` below `root` to the same place below `folder`.
fn copy(
    root: &Utf8Path,
    path: &Utf8Path,
    folder: &Utf8Path,
    files: &mut BTreeMap<Utf8PathBuf, String>,
) -> Result<()> {
    interrupt::check()?;
    let from = root.join(path);
    if !from.is_dir() {
        return copy_file(&from, path, folder, files);
    }
    for entry in from.read_dir_utf8()? {
        let entry = entry?;
        if !SKIPPED.contains(&entry.file_name()) {
            copy(root, &path.join(entry.file_name()), folder, files)?;
        }
    }
    Ok(())
}

fn copy_file(
    from: &Utf8Path,
    to: &Utf8Path,
    folder: &Utf8Path,
    files: &mut BTreeMap<Utf8PathBuf, String>,
) -> Result<()> {
    let target = folder.join(to);
    fs_err::create_dir_all(target.parent().unwrap_or(folder))?;
    fs_err::copy(from, &target)?;
    files.insert(to.to_owned(), digest::of_file(&target)?);
    Ok(())
}
