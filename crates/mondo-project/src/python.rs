//! The Python sources of a project, laid out as they are below the import root.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::{self, replace};
use mondo_plan::manifest::{Project, PythonRoot};
use mondo_plan::names::{is_identifier, is_keyword};

use crate::record::{Group, GroupKind};

/// The package that the project's users import, if the manifest has `python-root`: the name that is given there, or
/// for `true` the name `own` from the project's `CMake`.
pub(crate) fn root(project: &Project, own: Option<&str>) -> Result<Option<String>> {
    match (&project.python_root, own) {
        (None, _) => Ok(None),
        (Some(PythonRoot::Named(name)), _) => Ok(Some(name.clone())),
        (Some(PythonRoot::Own), Some(own)) if !own.split('.').all(is_module) => Err(Error::new(
            ErrorKind::Plan,
            format!(
                "the project `{}` has the invalid package name {own:?}",
                project.name.get_ref()
            ),
        )
        .at(project.folder.join("CMakeLists.txt"))
        .because("a Python package name consists of identifiers joined by dots")
        .help("set the package's name: `python-root = \"…\"`")),
        (Some(PythonRoot::Own), Some(own)) => Ok(Some(own.to_owned())),
        (Some(PythonRoot::Own), None) => Err(Error::new(
            ErrorKind::Plan,
            format!(
                "the project `{}` does not set the package that its users import",
                project.name.get_ref()
            ),
        )
        .at(project.folder.join("CMakeLists.txt"))
        .because(
            "`python-root = true`, but no add_mlir_python_modules target in `modules` sets \
             ROOT_PREFIX or MLIR_PYTHON_PACKAGE_PREFIX",
        )
        .help("set the package's name: `python-root = \"…\"`")),
    }
}

fn is_module(word: &str) -> bool {
    is_identifier(word) && !is_keyword(word)
}

/// The Python files of a project, by their paths below the import root.
pub(crate) type Files = BTreeMap<Utf8PathBuf, Utf8PathBuf>;

/// Finds the Python files of a project, and makes `folder` contain exactly these.
pub(crate) fn laid_out(project: &Project, groups: &[&Group], folder: &Utf8Path) -> Result<Files> {
    let files = sources(project, groups)?;
    lay_out(&files, folder)?;
    Ok(files)
}

fn sources(project: &Project, groups: &[&Group]) -> Result<Files> {
    let mut files = BTreeMap::new();
    let mut missing = Vec::new();
    let mut outside = Vec::new();
    let pure = groups
        .iter()
        .filter(|group| group.kind != GroupKind::Extension);
    for group in pure {
        for source in &group.sources {
            let from = group.root.join(source);
            if from.is_file() {
                match place(&from, &group.root) {
                    Some(place) => drop(files.insert(place, from)),
                    None => outside.push(format!("{from}, in {}", group.name)),
                }
            } else if !is_stub(source) {
                missing.push(format!("{from}, in {}", group.name));
            }
        }
    }
    if !missing.is_empty() {
        return Err(Error::new(
            ErrorKind::Compile,
            format!(
                "the project `{}` declares Python files that do not exist",
                project.name.get_ref()
            ),
        )
        .at(&project.folder)
        .details(missing)
        .help("if its CMake generates them, add the target that does to `targets`"));
    }
    if !outside.is_empty() {
        return Err(Error::new(
            ErrorKind::Plan,
            format!(
                "the project `{}` declares Python files outside their ROOT_DIR",
                project.name.get_ref()
            ),
        )
        .at(&project.folder)
        .because("a file's path in the wheel is its path relative to ROOT_DIR")
        .details(outside)
        .help("write the paths without `..`, or set a ROOT_DIR that contains the files"));
    }
    if let Some(folder) = &project.python {
        for path in walk(folder)? {
            let inside = path.strip_prefix(folder).unwrap_or(&path).to_owned();
            files.insert(inside, path);
        }
    }
    Ok(files)
}

/// The path of a file below a folder, without `..`, or none if the file is not below it.
fn place(file: &Utf8Path, folder: &Utf8Path) -> Option<Utf8PathBuf> {
    let mut place = Utf8PathBuf::new();
    for part in file.strip_prefix(folder).ok()?.components() {
        match part {
            Utf8Component::Normal(name) => place.push(name),
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir if place.pop() => {}
            _ => return None,
        }
    }
    Some(place)
}

/// True for a type stub. Stubs may be missing, because upstream generates them from its own build of an extension.
fn is_stub(source: &str) -> bool {
    source.ends_with(".pyi") || source.ends_with("py.typed")
}

/// Makes `folder` contain exactly these files. Files with equal contents are not touched.
fn lay_out(files: &Files, folder: &Utf8Path) -> Result<()> {
    fs_err::create_dir_all(folder)?;
    let wanted: BTreeSet<Utf8PathBuf> = files.keys().map(|path| folder.join(path)).collect();
    for path in walk(folder)? {
        if !wanted.contains(&path) {
            fs_err::remove_file(path)?;
        }
    }
    for (inside, from) in files {
        let to = folder.join(inside);
        let bytes = file::read(from, u64::MAX)?;
        if fs_err::read(&to).is_ok_and(|there| there == bytes) {
            continue;
        }
        replace(&to, &bytes)?;
    }
    Ok(())
}

/// The files below a folder, without bytecode and caches.
fn walk(folder: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(next) = pending.pop() {
        for entry in next.read_dir_utf8()? {
            let entry = entry?;
            let name = entry.file_name();
            if name == "__pycache__" || name.ends_with(".pyc") {
                continue;
            }
            if entry.path().is_dir() {
                pending.push(entry.into_path());
            } else {
                found.push(entry.into_path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Refuses two projects that bring a file of the same path, or have the same alias package. Each project comes with its
/// files, and the name of that package.
///
/// # Errors
/// `ErrorKind::Plan`, with both projects.
pub(crate) fn check_all<'a>(
    all: impl Iterator<Item = (&'a Project, &'a Files, Option<&'a String>)> + Clone,
) -> Result<()> {
    check_owners(all.clone().map(|(project, files, _)| (project, files)))?;
    check_roots(all.map(|(project, _, root)| (project, root)))
}

/// Refuses two projects with the same alias package.
fn check_roots<'a>(roots: impl Iterator<Item = (&'a Project, Option<&'a String>)>) -> Result<()> {
    let mut owners: BTreeMap<&str, &Project> = BTreeMap::new();
    for (project, root) in roots {
        if let Some(root) = root
            && let Some(other) = owners.insert(root, project)
        {
            let what = format!(
                "the projects `{}` and `{}` have the same `python-root`: {root}",
                other.name.get_ref(),
                project.name.get_ref()
            );
            return Err(project.error(ErrorKind::Plan, &project.name, what).help(
                "remove the key from one of them: the package contains the modules of the \
                 whole bundle, including those of other projects",
            ));
        }
    }
    Ok(())
}

/// Refuses two projects that bring a file of the same path.
fn check_owners<'a>(all: impl Iterator<Item = (&'a Project, &'a Files)>) -> Result<()> {
    let mut owners: BTreeMap<&Utf8Path, (&str, &Utf8Path)> = BTreeMap::new();
    for (project, files) in all {
        let name = project.name.get_ref();
        for (inside, from) in files {
            if let Some((other, there)) = owners.insert(inside, (name, from)) {
                let what = format!(
                    "the projects `{other}` and `{name}` have the same Python file: {inside}"
                );
                return Err(project
                    .error(ErrorKind::Plan, &project.name, what)
                    .because("all projects of a bundle share one import root")
                    .details([there.to_string(), from.to_string()])
                    .help("remove one of the projects, or build a separate bundle for each"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_place_below_its_folder_only() {
        let place = |file: &str| place(Utf8Path::new(file), Utf8Path::new("/p/python"));
        let inside = |path: &str| Some(Utf8PathBuf::from(path));
        assert_eq!(place("/p/python/a/b.py"), inside("a/b.py"));
        assert_eq!(place("/p/python/./a/../b.py"), inside("b.py"));
        for outside in [
            "/p/python/../b.py",
            "/p/python/a/../../python/b.py",
            "/p/other/b.py",
            "/p/python/../../etc/passwd",
        ] {
            assert_eq!(place(outside), None, "{outside}");
        }
    }
}
