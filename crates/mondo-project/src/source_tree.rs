//! A project's source tree: its licence, its git revision, and the substitute of LLVM's own sources.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::exec::Tool;
use mondo_core::file::replace;
use mondo_plan::manifest::Project;
use serde::Serialize;

use crate::license;

/// The source of a project's code, for the metadata and the SBOM.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The project's name.
    pub name: String,
    /// The version that its `CMake` sets, if any.
    pub version: Option<String>,
    /// Its licence, by the manifest.
    pub license: Option<String>,
    /// The texts of its licence.
    pub license_files: Vec<Utf8PathBuf>,
    /// The git revision of its folder.
    pub revision: Option<String>,
}

impl Origin {
    /// A sentence for the report if the manifest's entry of the project names no licence and the project's licence
    /// text differs from `of_wheel`, the licence in the wheel's metadata.
    #[must_use]
    pub fn license_note(&self, of_wheel: &str) -> Option<String> {
        let path = self.license_files.first()?;
        if self.license.is_some() {
            return None;
        }
        let text = fs_err::read(path).ok()?;
        let found = license::looks_like(&String::from_utf8_lossy(&text));
        if found == Some(of_wheel) {
            return None;
        }
        let (name, file) = (&self.name, path.file_name().unwrap_or_default());
        Some(match found {
            Some(license) => format!(
                "the project `{name}` sets no `license`, and its {file} looks like {license}, \
                 but the wheel's metadata states only `{of_wheel}`; set `license = \
                 {license:?}` in its `[[project]]`"
            ),
            None => format!(
                "the project `{name}` sets no `license`, and mondo does not recognize its \
                 {file}; the wheel's metadata states only `{of_wheel}`; set `license` in its \
                 `[[project]]`"
            ),
        })
    }

    /// The version and the revision as far as they are known: `1.0+git.0123abcd`.
    pub(crate) fn version_and_revision(&self) -> Option<String> {
        let revision = self
            .revision
            .as_ref()
            .map(|revision| format!("git.{revision}"));
        let parts: Vec<String> = self.version.clone().into_iter().chain(revision).collect();
        Some(parts.join("+")).filter(|text| !text.is_empty())
    }
}

/// Reads what a source tree says of itself.
pub(crate) fn origin(project: &Project, version: &str) -> Origin {
    let tree = git_tree(&project.folder);
    let license_files = if project.license_files.is_empty() {
        let top = tree.as_deref().unwrap_or(&project.folder);
        license::file(&project.folder, top).into_iter().collect()
    } else {
        project.license_files.clone()
    };
    Origin {
        name: project.name.get_ref().clone(),
        version: Some(version.to_owned()).filter(|version| !version.is_empty()),
        license: project.license.clone(),
        license_files,
        revision: tree.and_then(|_| revision(&project.folder)),
    }
}

/// The words that git prints about the folder.
fn git(folder: &Utf8Path, arguments: &[&str]) -> Option<String> {
    let tool = Tool::new("git", "ask for a project's revision").args(["-C", folder.as_str()]);
    let output = tool.args(arguments).output().ok()?;
    Some(output.stdout.trim().to_owned())
}

/// The top of the git work tree that has the folder. `None` if git does not track its `CMakeLists.txt`, as in a
/// build folder.
fn git_tree(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    git(folder, &["ls-files", "--error-unmatch", "CMakeLists.txt"])?;
    // The top is computed as a relative path from `folder`, so that symbolic links stay as they are written.
    let up = git(folder, &["rev-parse", "--show-cdup"])?;
    Utf8Path::new(&folder.join(up)).canonicalize_utf8().ok()
}

/// The revision of the git work tree that has the folder, with `.changed` where a file differs from it.
fn revision(folder: &Utf8Path) -> Option<String> {
    let revision = git(folder, &["rev-parse", "HEAD"])?;
    Some(match git(folder, &["diff", "--quiet", "HEAD", "--", "."]) {
        Some(_) => revision,
        None => format!("{revision}.changed"),
    })
}

/// The substitute of LLVM's source tree for projects that are a part of LLVM's build and look for it: its folder
/// `mlir` has the installed headers and the `CMake` modules.
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
                if to.read_link_utf8().is_ok_and(|there| there == from) {
                    continue;
                }
                if to.symlink_metadata().is_ok() {
                    fs_err::remove_file(&to)?;
                }
                fs_err::os::unix::fs::symlink(from, to)?;
            }
        }
        let lists = folder.join("mlir/CMakeLists.txt");
        let text = "# MLIR is built already; its variables are those of find_package(MLIR).\n";
        // The file keeps its time if its text is the same, since CMake runs again if an input is newer than its
        // output.
        if !fs_err::read_to_string(&lists).is_ok_and(|there| there == text) {
            replace(&lists, text.as_bytes())?;
        }
        Ok(Self { folder })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_revision_is_of_the_files_that_git_knows() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        let project = root.join("project");
        let lists = project.join("CMakeLists.txt");
        fs_err::create_dir(&project).unwrap();
        fs_err::write(&lists, "project(one)\n").unwrap();
        assert_eq!(git_tree(&project), None);
        let git = |arguments: &[&str]| {
            let tool = Tool::new("git", "make a repository").args(["-C", root.as_str()]);
            let author = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
            let output = tool.args(author).args(arguments).output().unwrap();
            output.stdout.trim().to_owned()
        };
        git(&["init", "-q"]);
        assert_eq!(git_tree(&project), None);
        git(&["add", "."]);
        git(&["commit", "-q", "-m", "a project"]);
        let head = git(&["rev-parse", "HEAD"]);
        assert_eq!(git_tree(&project), root.canonicalize_utf8().ok());
        assert_eq!(revision(&project).as_ref(), Some(&head));
        fs_err::write(&lists, "project(two)\n").unwrap();
        assert_eq!(revision(&project), Some(format!("{head}.changed")));
    }

    #[test]
    fn a_version_has_the_revision() {
        let mut origin = Origin {
            name: "toy".to_owned(),
            version: Some("1.0".to_owned()),
            license: None,
            license_files: Vec::new(),
            revision: Some("ab".to_owned()),
        };
        assert_eq!(origin.version_and_revision().as_deref(), Some("1.0+git.ab"));
        origin.version = None;
        assert_eq!(origin.version_and_revision().as_deref(), Some("git.ab"));
        origin.revision = None;
        assert_eq!(origin.version_and_revision(), None);
    }

    #[test]
    fn a_licence_that_nothing_names_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(dir.path()).unwrap().join("LICENSE");
        let mit = "MIT License\n\nPermission is hereby granted, free of\ncharge, to any person";
        fs_err::write(&path, mit).unwrap();
        let mut origin = Origin {
            name: "toy".to_owned(),
            version: None,
            license: None,
            license_files: vec![path.clone()],
            revision: None,
        };
        let said = origin.license_note("Apache-2.0").unwrap();
        let words = [
            "`toy` sets no `license`",
            "its LICENSE looks like MIT",
            "`license = \"MIT\"`",
        ];
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
        assert_eq!(origin.license_note("MIT"), None);
        origin.license = Some("MIT".to_owned());
        assert_eq!(origin.license_note("Apache-2.0"), None);
        origin.license = None;
        fs_err::write(&path, "Mine.").unwrap();
        let said = origin.license_note("Apache-2.0").unwrap();
        assert!(said.contains("does not recognize its LICENSE"), "{said}");
    }
}
