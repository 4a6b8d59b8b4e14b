//! The folder whose `target/mondo` holds intermediate files, and whose `manifests/` are listed.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::{Error, ErrorKind, Result};

/// The checkout that this crate was compiled from, absolute. `MONDO_WORKSPACE_DIR` overrides it, for
/// a test that runs in a copy of the checkout.
///
/// # Errors
///
/// [`ErrorKind::Io`] if that folder does not exist any more.
pub fn workspace() -> Result<Utf8PathBuf> {
    let dir = std::env::var("MONDO_WORKSPACE_DIR").map_or_else(
        |_| Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
        Utf8PathBuf::from,
    );
    dir.canonicalize_utf8().map_err(|error| {
        Error::new(ErrorKind::Io, "the workspace is not where it was")
            .at(dir)
            .caused_by(error)
    })
}

/// The folder whose `target/mondo` holds intermediate files of a manifest: the folder of a
/// pyproject.toml, [`workspace`] for other manifests.
///
/// # Errors
///
/// [`ErrorKind::Io`] if there is no such folder.
pub fn workspace_of(manifest: &Utf8Path) -> Result<Utf8PathBuf> {
    if manifest.file_name() != Some("pyproject.toml") {
        return workspace();
    }
    let folder = match manifest.parent() {
        Some(folder) if !folder.as_str().is_empty() => folder,
        _ => Utf8Path::new("."),
    };
    folder
        .canonicalize_utf8()
        .map_err(|error| Error::from(error).at(folder))
}
