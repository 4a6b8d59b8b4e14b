//! The agreement of a pyproject.toml with a manifest in another file.

use camino::Utf8Path;
use mondo_core::error::{ErrorKind, Result};
use serde::Deserialize;

use crate::document::Document;
use crate::manifest;
use crate::spanned::Spanned;

/// The part of the file that another manifest has to agree with.
#[derive(Debug, Deserialize)]
struct Names {
    project: Option<ProjectNames>,
}

#[derive(Debug, Deserialize)]
struct ProjectNames {
    name: Spanned<String>,
    version: Option<Spanned<String>>,
}

/// Checks that `[project]` of the pyproject.toml at `path`, if it has one, has the name and the version
/// of the manifest at `own`, which stands for a `[tool.mondo]`.
///
/// # Errors
/// `ErrorKind::Manifest` for another name or version, and for files that cannot be read.
pub fn check_project(path: &Utf8Path, own: &Utf8Path) -> Result<()> {
    let document = Document::read(path, "project file")?;
    let names: Names = document.parse()?;
    let Some(project) = names.project else {
        return Ok(());
    };
    let metadata = manifest::load(own)?.metadata;
    let version = project
        .version
        .iter()
        .map(|version| (version, &metadata.version));
    for (written, other) in version.chain([(&project.name, &metadata.distribution)]) {
        if written.get_ref() != other {
            return Err(document
                .error(
                    ErrorKind::Manifest,
                    written.span(),
                    format!(
                        "[project] contains `{}`, but the manifest contains `{other}`",
                        written.get_ref()
                    ),
                )
                .because(format!("`{own}` is the project's manifest"))
                .help("make them equal, or move the manifest to [tool.mondo]"));
        }
    }
    Ok(())
}
