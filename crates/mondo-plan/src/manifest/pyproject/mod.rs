//! The manifest in a pyproject.toml: `[tool.mondo]` has the keys of a manifest, and `[project]` the
//! metadata, which `[tool.mondo.package]` may repeat but not contradict.

mod file;
mod merge;

use camino::Utf8Path;
use mondo_core::error::{ErrorKind, Result};

use self::file::{Formats, Names, Pyproject};
use super::file::File;
use crate::document::Document;

/// The name that tells such a file from other manifests.
pub(super) const FILE_NAME: &str = "pyproject.toml";

/// True if the pyproject.toml at `path` has a `[tool.mondo]`; false where there is no such file.
///
/// # Errors
/// `ErrorKind::Manifest` for a file that is not TOML.
pub fn has_manifest(path: &Utf8Path) -> Result<bool> {
    if !path.is_file() {
        return Ok(false);
    }
    let formats: Formats = Document::read(path, "project file")?.parse()?;
    Ok(formats.tool.mondo.is_some())
}

/// Checks that `[project]` of the pyproject.toml at `path`, if it has one, has the name and the version
/// of the manifest at `manifest`, which stands for a `[tool.mondo]`.
///
/// # Errors
/// `ErrorKind::Manifest` for another name or version, and for files that cannot be read.
pub fn check_project(path: &Utf8Path, manifest: &Utf8Path) -> Result<()> {
    let document = Document::read(path, "project file")?;
    let names: Names = document.parse()?;
    let Some(project) = names.project else {
        return Ok(());
    };
    let metadata = super::load(manifest)?.metadata;
    let version = project.version.iter().map(|it| (it, &metadata.version));
    for (written, other) in version.chain([(&project.name, &metadata.distribution)]) {
        if written.get_ref() != other {
            return Err(document
                .error(
                    ErrorKind::Manifest,
                    written.span(),
                    format!(
                        "[project] has `{}`, and the manifest `{other}`",
                        written.get_ref()
                    ),
                )
                .because(format!("`{manifest}` was named as the project's manifest"))
                .help("make them the same, or put the manifest into [tool.mondo]"));
        }
    }
    Ok(())
}

/// Parses the file, and completes the manifest's `[package]` from `[project]`.
pub(super) fn parse(document: &Document, format: u32) -> Result<File> {
    let formats: Formats = document.parse()?;
    let Some(own) = formats.tool.mondo else {
        return Err(document
            .error(ErrorKind::Manifest, 0..0, "there is no [tool.mondo] in it")
            .because("in a pyproject.toml that table is the bundle's manifest")
            .help("add it, or name the manifest with `--manifest`"));
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
