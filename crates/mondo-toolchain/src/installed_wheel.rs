//! Pinned wheels that are installed already: in the isolated environment that a build frontend prepares with the
//! backend's requirements and without pip, or by the user.

use std::ffi::OsStr;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest::{self, Sha256, files_under, hash_tree};
use mondo_core::error::{ErrorKind, Result};
use mondo_core::exec::Tool;

/// The folders of packages that the build backend sees, separated by colons.
const VARIABLE: &str = "MONDO_PACKAGES";

/// The folders that Python imports from: those that the backend names, else those of `python`.
pub(crate) fn folders(python: &OsStr) -> Result<Vec<Utf8PathBuf>> {
    let listed = match std::env::var(VARIABLE) {
        Ok(folders) if !folders.is_empty() => folders,
        _ => {
            // Without `-I`, because a frontend may pass the folders in PYTHONPATH.
            Tool::new(python, "ask Python for its folders of packages")
                .fails_as(ErrorKind::MissingTool)
                .args(["-c", "import sys; print(':'.join(sys.path), end='')"])
                .output()?
                .stdout
        }
    };
    let folders = listed.split(':').filter(|folder| !folder.is_empty());
    Ok(folders.map(Utf8PathBuf::from).collect())
}

/// A release whose wheels are known by their digests.
#[derive(Debug, Clone, Copy)]
pub struct PinnedWheel {
    /// The distribution.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// SHA-256 of the wheels of that release that are taken, such as one for each machine.
    pub sha256: &'static [&'static str],
    /// The files and folders of the wheel that are used.
    pub contents: &'static [&'static str],
    /// The SHA-256 of `contents` in each of these wheels, as `digest::hash_tree` computes it.
    pub trees: &'static [&'static str],
    /// The end of a sentence that begins with "set": the way to do without the wheel.
    pub instead: &'static str,
}

impl PinnedWheel {
    /// The requirement by which a frontend or a user installs it.
    #[must_use]
    pub fn requirement(&self) -> String {
        format!("{}=={}", self.name, self.version)
    }
}

impl PinnedWheel {
    /// Copies the contents of this release from the first of `folders` that has it to `target`, laid out as in the
    /// wheel. Returns false where none has it, or has other files than the wheel.
    pub(crate) fn copy_installed(
        &self,
        folders: &[Utf8PathBuf],
        target: &Utf8Path,
    ) -> Result<bool> {
        let (name, version) = (self.name, self.version);
        let has_it =
            |folder: &&Utf8PathBuf| folder.join(format!("{name}-{version}.dist-info")).is_dir();
        for folder in folders.iter().filter(has_it) {
            if self.copy_from(folder, target)? {
                return Ok(true);
            }
            if target.exists() {
                fs_err::remove_dir_all(target)?;
            }
        }
        Ok(false)
    }

    fn copy_from(&self, folder: &Utf8Path, target: &Utf8Path) -> Result<bool> {
        let scripts = format!("{}-{}.data/scripts/", self.name, self.version);
        let mut state = Sha256::new();
        for content in self.contents {
            let from = match content.strip_prefix(&scripts) {
                // Programs are in `../../../bin` for a virtual environment, and in `bin` for `pip install --target`.
                Some(script) => ["../../../bin", "bin"]
                    .map(|parent| folder.join(parent).join(script))
                    .into_iter()
                    .find(|path| path.is_file()),
                None => Some(folder.join(content)).filter(|path| path.exists()),
            };
            let Some(from) = from else {
                return Ok(false);
            };
            let to = target.join(content);
            for file in files_under(&from)? {
                let copy = match file.strip_prefix(&from) {
                    Ok(inside) if !inside.as_str().is_empty() => to.join(inside),
                    _ => to.clone(),
                };
                fs_err::create_dir_all(copy.parent().unwrap_or(&copy))?;
                fs_err::copy(&file, &copy)?;
            }
            hash_tree(target, &to, &mut state)?;
        }
        let found = digest::hex(state.finalize());
        Ok(self.trees.contains(&found.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHEEL: PinnedWheel = PinnedWheel {
        name: "toy",
        version: "1.0",
        sha256: &[],
        contents: &["toy", "toy-1.0.data/scripts/toy"],
        trees: &["df6dfe2d0661836f743858173d42aab846b44ce8d63ab7a548e98d7063c11a25"],
        instead: "TOY",
    };

    /// An environment with the package, and the folder of its packages.
    fn environment(at: &Utf8Path) -> Utf8PathBuf {
        let packages = at.join("lib/python3/site-packages");
        for (path, text) in [
            ("lib/python3/site-packages/toy/__init__.py", "one"),
            (
                "lib/python3/site-packages/toy/__pycache__/x.pyc",
                "compiled",
            ),
            ("lib/python3/site-packages/toy-1.0.dist-info/RECORD", "rows"),
            ("bin/toy", "program"),
        ] {
            let path = at.join(path);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, text).unwrap();
        }
        packages
    }

    #[test]
    fn an_installed_release_is_taken_if_its_files_are_the_wheels() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let packages = environment(dir);
        let target = dir.join("target");
        let folders = [dir.join("nowhere"), packages.clone()];
        assert!(WHEEL.copy_installed(&folders, &target).unwrap());
        assert!(target.join("toy-1.0.data/scripts/toy").is_file());
        assert!(!target.join("toy/__pycache__").exists());
        fs_err::remove_dir_all(&target).unwrap();
        fs_err::write(packages.join("toy/__init__.py"), "two").unwrap();
        assert!(!WHEEL.copy_installed(&folders, &target).unwrap());
        assert!(!target.exists());
    }

    #[test]
    fn another_version_is_not_taken() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let packages = environment(dir);
        let other = PinnedWheel {
            version: "1.1",
            ..WHEEL
        };
        let target = dir.join("target");
        assert!(!other.copy_installed(&[packages], &target).unwrap());
    }
}
