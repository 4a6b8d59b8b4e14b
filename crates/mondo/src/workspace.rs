//! The folder below which intermediate files are kept.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::path::{absolute, variable};
use mondo_build::source;
use mondo_build::{Error, ErrorKind, Result};

/// The variable that names the folder, for a test that runs in a copy of the checkout.
const WORKSPACE_DIR: &str = "MONDO_WORKSPACE_DIR";

/// Files that are in the first folder of a project.
const MARKS: &[&str] = &["pyproject.toml", "Cargo.lock", ".git"];

/// The checkout that this crate was compiled from, absolute: the workspace of `cargo xtask` and
/// `cargo lab`. `MONDO_WORKSPACE_DIR` overrides it.
///
/// # Errors
///
/// [`ErrorKind::Io`] if that folder does not exist any more.
pub fn workspace() -> Result<Utf8PathBuf> {
    let missing = || {
        Error::new(ErrorKind::Io, "the checkout of mondo does not exist")
            .help("set MONDO_WORKSPACE_DIR to the checkout, or compile the program again")
    };
    let dir = variable(WORKSPACE_DIR)?.or(source::checkout());
    let dir = dir.ok_or_else(missing)?;
    dir.canonicalize_utf8()
        .map_err(|error| missing().at(dir).caused_by(error))
}

/// The project that a manifest belongs to: the nearest folder at or above the manifest's that has a
/// pyproject.toml, a Cargo.lock or a .git, else the manifest's own folder. `MONDO_WORKSPACE_DIR`
/// overrides it.
///
/// # Errors
///
/// [`ErrorKind::Io`] if there is no current folder.
pub fn project(manifest: &Utf8Path) -> Result<Utf8PathBuf> {
    if let Some(dir) = variable(WORKSPACE_DIR)? {
        return absolute(&dir);
    }
    let manifest = absolute(manifest)?;
    let folder = manifest.parent().unwrap_or(&manifest);
    let is_project = |folder: &&Utf8Path| MARKS.iter().any(|mark| folder.join(mark).exists());
    Ok(folder
        .ancestors()
        .find(is_project)
        .unwrap_or(folder)
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_the_nearest_folder_that_looks_like_one() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let below = dir.join("a/b");
        fs_err::create_dir_all(&below).unwrap();
        let manifest = below.join("bundle.toml");
        assert_eq!(project(&manifest).unwrap(), below);
        fs_err::write(dir.join("pyproject.toml"), "").unwrap();
        assert_eq!(project(&manifest).unwrap(), dir);
        fs_err::write(dir.join("a/Cargo.lock"), "").unwrap();
        assert_eq!(project(&manifest).unwrap(), dir.join("a"));
    }
}
