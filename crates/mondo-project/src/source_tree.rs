//! A project's source tree: its licence, its git revision, and the substitute of LLVM's own sources.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::exec::Tool;
use serde::Serialize;

/// Names of licence files, in the order in which they are looked up.
const LICENSES: &[&str] = &[
    "LICENSE",
    "LICENSE.txt",
    "LICENSE.TXT",
    "LICENSE.md",
    "LICENCE",
    "COPYING",
];

/// The source of a project's code, for the SBOM.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The project's name.
    pub name: String,
    /// Its version, by its `CMake`; none where it has none.
    pub version: Option<String>,
    /// Its licence, by the manifest.
    pub license: Option<String>,
    /// Its licence file.
    pub license_file: Option<Utf8PathBuf>,
    /// The git revision of its folder.
    pub revision: Option<String>,
}

/// Reads what a source tree says of itself.
pub(crate) fn origin(
    name: &str,
    version: &str,
    license: Option<String>,
    folder: &Utf8Path,
) -> Origin {
    let files = LICENSES.iter().map(|file| folder.join(file));
    Origin {
        name: name.to_owned(),
        version: Some(version.to_owned()).filter(|it| !it.is_empty()),
        license,
        license_file: files.into_iter().find(|path| path.is_file()),
        revision: revision(folder),
    }
}

/// The revision, where the folder is the top of a git work tree.
fn revision(folder: &Utf8Path) -> Option<String> {
    if !folder.join(".git").exists() {
        return None;
    }
    let output = Tool::new("git", "ask for a project's revision")
        .args(["-C", folder.as_str(), "rev-parse", "HEAD"])
        .output()
        .ok()?;
    Some(output.stdout.trim().to_owned())
}

/// The folder that stands for LLVM's sources, where a project that is part of LLVM's build looks for
/// them: `mlir` has the installed headers and the `CMake` modules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stand {
    /// The folder with `llvm` and `mlir`.
    pub folder: Utf8PathBuf,
}

impl Stand {
    /// Makes it below `own`, of links into the usable prefix.
    ///
    /// # Errors
    /// `ErrorKind::Io` where a link cannot be made.
    pub fn make(own: &Utf8Path, prefix: &Utf8Path) -> Result<Self> {
        let folder = own.join("llvm-project");
        for (package, modules) in [("llvm", "lib/cmake/llvm"), ("mlir", "lib/cmake/mlir")] {
            let cmake = folder.join(package).join("cmake");
            fs_err::create_dir_all(&cmake)?;
            for (from, to) in [
                (prefix.join(modules), cmake.join("modules")),
                (prefix.join("include"), folder.join(package).join("include")),
            ] {
                if to.symlink_metadata().is_ok() {
                    fs_err::remove_file(&to)?;
                }
                fs_err::os::unix::fs::symlink(from, to)?;
            }
        }
        Ok(Self { folder })
    }
}
