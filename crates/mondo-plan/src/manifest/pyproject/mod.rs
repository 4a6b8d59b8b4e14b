//! The manifest in a pyproject.toml: `[tool.mondo]` has the keys of a manifest, and `[project]` the
//! metadata, which `[tool.mondo.package]` may repeat but not contradict.

mod file;
mod merge;

use camino::Utf8Path;
use mondo_core::error::{ErrorKind, Result};

use self::file::{Formats, Pyproject};
use super::file::File;
use crate::document::Document;

/// The name that tells such a file from other manifests.
pub(super) const FILE_NAME: &str = "pyproject.toml";

/// The place of `[tool.mondo]` in the pyproject.toml at `path`, as messages name it; `None` where there is no such
/// table or no such file.
///
/// # Errors
/// `ErrorKind::Manifest` for a file that is not TOML.
pub fn manifest_place(path: &Utf8Path) -> Result<Option<String>> {
    if !path.is_file() {
        return Ok(None);
    }
    let document = Document::read(path, "project file")?;
    let formats: Formats = document.parse()?;
    let table = formats.tool.mondo;
    Ok(table.map(|table| document.place(table.span().start)))
}

/// Parses the file, and completes the manifest's `[package]` from `[project]`.
pub(super) fn parse(document: &Document, format: u32) -> Result<File> {
    let formats: Formats = document.parse()?;
    let Some(own) = formats.tool.mondo else {
        return Err(document
            .error(ErrorKind::Manifest, 0..0, "the file has no [tool.mondo]")
            .because("in a pyproject.toml, that table is the bundle's manifest")
            .help("add it, or pass the manifest with `--manifest`"));
    };
    document.check_format(
        own.get_ref().get("manifest"),
        own.span(),
        "manifest",
        format,
        "[tool.mondo] table",
    )?;
    let Pyproject { project, tool } = document.parse()?;
    let mut manifest = tool.mondo;
    if let Some(project) = project {
        let package = manifest.package.get_or_insert_default();
        merge::complete(document, package, project)?;
    }
    Ok(manifest)
}

#[cfg(test)]
mod tests;
