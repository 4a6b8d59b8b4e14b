//! A project with its own `CMake`, as far as a new Python project for it needs to know.

use std::collections::BTreeSet;

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};

use super::cmake::read;
use super::cmake_project::{self, Entry};
use super::existing::{look, no_project};

/// A project with its own `CMake`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CmakeProject {
    /// Its entry in a manifest.
    pub(crate) entry: Entry,
    /// The dialects that a bundle of it registers, as far as its files show them.
    pub(crate) dialects: BTreeSet<String>,
    /// The text of its licence, where its folder has one.
    pub(crate) license: Option<String>,
    /// True if its tests import MLIR's own Python package.
    pub(crate) tests_import_mlir: bool,
}

/// Reads the project in the folder `project`.
///
/// # Errors
/// `ErrorKind::Io` where it cannot be read, and `ErrorKind::Manifest` where it has no `CMake` of its own over MLIR.
pub(crate) fn read_cmake_project(project: &Utf8Path) -> Result<CmakeProject> {
    if !project.is_dir() {
        return Err(no_project(project));
    }
    let found = look(project)?;
    let Some(entry) = cmake_project::entry(project, &found.lists, &found.all_headers)? else {
        let what = "the folder has no CMake project over MLIR";
        return Err(Error::new(ErrorKind::Manifest, what)
            .at(project)
            .because(
                "its CMakeLists.txt has no `project()`, or no library or Python package by the functions of MLIR's CMake",
            )
            .help("for plain C++ and ODS files, write a dialect crate: `mondo new-dialect NAME --from FOLDER`"));
    };
    let registered = |name: &&String| {
        let handle = format!("mlirGetDialectHandle__{name}__");
        found.functions.contains(&handle)
    };
    let names = found.dialects.keys();
    let license = found.licenses.first();
    Ok(CmakeProject {
        entry,
        dialects: names.filter(registered).cloned().collect(),
        license: license.map(|file| read(&project.join(file))).transpose()?,
        tests_import_mlir: import_mlir(&project.join("test"))?,
    })
}

/// True if a Python file of `folder` or below imports the package `mlir`.
fn import_mlir(folder: &Utf8Path) -> Result<bool> {
    let words = |line: &str| -> bool {
        let mut words = line.split(|c: char| c.is_whitespace() || c == '.');
        matches!(words.next(), Some("import" | "from")) && words.next() == Some("mlir")
    };
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        // Most projects have no folder of this name, or none that can be read in whole.
        for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                pending.push(path.to_owned());
            } else if kind.is_file()
                && path.extension() == Some("py")
                && read(path)?.lines().any(words)
            {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_of_mlir_are_told_from_those_of_others() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(dir.path()).unwrap();
        let test = folder.join("python/smoke.py");
        fs_err::create_dir_all(folder.join("python")).unwrap();
        for (text, imports) in [
            ("import mlir_standalone.ir\n# from mlir\n", false),
            ("from .mlir import ir\n", false),
            ("import sys\nfrom mlir.ir import *\n", true),
        ] {
            fs_err::write(&test, text).unwrap();
            assert_eq!(import_mlir(folder).unwrap(), imports, "{text}");
        }
        assert!(!import_mlir(&folder.join("absent")).unwrap());
    }

    #[test]
    fn a_folder_without_cmake_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(dir.path()).unwrap();
        let error = read_cmake_project(folder).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Manifest);
        let error = read_cmake_project(&folder.join("absent")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
    }
}
