//! The stage: the planned contents of a wheel, which map each path in the wheel to the source of its bytes. The
//! writer reads it.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::ancestors::Ancestors;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::interrupt;
use mondo_plan::dialect_crate::DialectCrate;

/// The files of a wheel, except those that the writer makes itself (METADATA, WHEEL, the SBOM, RECORD).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stage {
    /// In any order.
    pub entries: Vec<Entry>,
}

/// One file of a wheel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its path in the wheel, relative, with `/`.
    pub path: String,
    /// The source of its contents.
    pub source: Source,
    /// True if its mode is 0755; 0644 otherwise. The mode of a source file plays no part.
    pub executable: bool,
}

/// The source of an entry's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file, read when the wheel is written.
    File(Utf8PathBuf),
    /// Bytes that the stage phase made.
    Bytes(Vec<u8>),
}

impl Stage {
    /// Adds a file.
    pub fn file(
        &mut self,
        path: impl Into<String>,
        from: impl Into<Utf8PathBuf>,
        executable: bool,
    ) {
        self.entries.push(Entry {
            path: path.into(),
            source: Source::File(from.into()),
            executable,
        });
    }

    /// Adds a file with these bytes, not executable.
    pub fn bytes(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.entries.push(Entry {
            path: path.into(),
            source: Source::Bytes(bytes.into()),
            executable: false,
        });
    }

    /// Adds the licence text of what is shipped along, if there is one, in a folder of its own:
    /// texts of equal names do not meet.
    pub fn license(&mut self, dist_info: &str, of: &str, text: Option<&Utf8PathBuf>) {
        if let Some(path) = text {
            let name = path.file_name().unwrap_or("LICENSE");
            self.file(format!("{dist_info}/licenses/{of}/{name}"), path, false);
        }
    }

    /// Adds the licence texts of a dialect crate, in a folder of its own.
    pub fn crate_licenses(&mut self, dist_info: &str, one: &DialectCrate) {
        for path in &one.package.license_files {
            self.license(dist_info, one.name.get_ref(), Some(path));
        }
    }

    /// Adds the Python files of a dialect crate.
    ///
    /// # Errors
    /// Those of [`Stage::tree`].
    pub fn crate_python(&mut self, one: &DialectCrate, import_root: &str) -> Result<()> {
        for python in &one.python {
            let place = python.place(import_root);
            let Some(files) = &python.files else {
                self.tree(&python.folder, &place)?;
                continue;
            };
            for file in files {
                self.file(format!("{place}/{file}"), python.folder.join(file), false);
            }
        }
        Ok(())
    }

    /// Adds every file below `from` under `to` (empty for the wheel's root), none executable.
    ///
    /// Bytecode is skipped: it belongs to the interpreter that ran in that folder. So are the caches
    /// of checkers.
    ///
    /// # Errors
    /// `ErrorKind::Io` where the folder cannot be read, and `ErrorKind::Wheel` for a name that is not UTF-8 and for a
    /// link to a folder that it is in.
    pub fn tree(&mut self, from: &Utf8Path, to: &str) -> Result<()> {
        self.tree_below(from, to, &Ancestors::default())
    }

    fn tree_below(&mut self, from: &Utf8Path, to: &str, above: &Ancestors) -> Result<()> {
        interrupt::check()?;
        let Some(here) = above.enter(from)? else {
            let what = "a symbolic link points to a folder that contains it";
            return Err(Error::new(ErrorKind::Wheel, what)
                .at(from)
                .because("a wheel contains the targets of symbolic links")
                .help("remove the link, or move it out of the packaged folder"));
        };
        for item in fs_err::read_dir(from)? {
            let item = item?;
            let Ok(name) = item.file_name().into_string() else {
                return Err(Error::new(ErrorKind::Wheel, "a file's name is not UTF-8")
                    .at(item.path().display().to_string())
                    .help("rename it, or move it out of the packaged folder"));
            };
            let path = if to.is_empty() {
                name.clone()
            } else {
                format!("{to}/{name}")
            };
            if is_bytecode(&path) || is_cache(&name) {
                continue;
            }
            // Follows links, so that what they point to is what ships.
            if fs_err::metadata(item.path())?.is_dir() {
                self.tree_below(&from.join(&name), &path, &here)?;
            } else {
                self.file(path, from.join(&name), false);
            }
        }
        Ok(())
    }
}

fn is_bytecode(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    lower.split('/').any(|part| part == "__pycache__")
        || [".pyc", ".pyo"].iter().any(|end| lower.ends_with(end))
}

/// True for a folder that a type checker, linter or test runner leaves behind.
fn is_cache(name: &str) -> bool {
    [".mypy_cache", ".pytest_cache", ".ruff_cache"].contains(&name)
}

/// Refuses paths that not every system can unpack as they stand, and bytecode.
pub(crate) fn check_paths<'a>(paths: impl IntoIterator<Item = &'a str>) -> Result<()> {
    let mut bad = Vec::new();
    // Every path and every folder above it: its lower-case form → its spelling, whether a file.
    let mut seen: BTreeMap<String, (&str, bool)> = BTreeMap::new();
    for path in paths {
        if let Some(reason) = fault(path) {
            bad.push(format!("{path:?}: {reason}"));
            continue;
        }
        let folders = path
            .match_indices('/')
            .map(|(end, _)| (&path[..end], false));
        for (prefix, is_file) in folders.chain([(path, true)]) {
            match seen.get(&prefix.to_lowercase()) {
                None => {
                    seen.insert(prefix.to_lowercase(), (prefix, is_file));
                }
                Some((other, _)) if *other != prefix => {
                    bad.push(format!("{path:?}: differs from {other:?} only in case"));
                }
                Some((_, true)) if is_file => bad.push(format!("{path:?}: occurs twice")),
                Some((_, other_is_file)) if *other_is_file != is_file => {
                    bad.push(format!("{prefix:?}: is both a file and a folder"));
                }
                Some(_) => {}
            }
        }
    }
    if bad.is_empty() {
        return Ok(());
    }
    Err(
        Error::new(ErrorKind::Wheel, "a wheel must not contain these paths")
            .because("installers unpack a wheel on other systems, by file name only")
            .details(bad),
    )
}

fn fault(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("is empty");
    }
    if path.starts_with('/') {
        return Some("is absolute");
    }
    if path.contains('\\') {
        return Some("has a backslash");
    }
    if path.contains(':') {
        return Some("has a colon, a drive or stream on Windows");
    }
    if path.chars().any(char::is_control) {
        return Some("has a control character");
    }
    if path.split('/').any(|part| part == "..") {
        return Some("leaves the wheel through `..`");
    }
    if path.split('/').any(|part| part.is_empty() || part == ".") {
        return Some("is not normalised");
    }
    if path.len() > usize::from(u16::MAX) {
        return Some("is longer than a zip archive can hold");
    }
    is_bytecode(path).then_some("is bytecode")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_links_to_itself_cannot_ship() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        fs_err::create_dir(dir.join("a")).unwrap();
        for name in ["b", "c"] {
            fs_err::os::unix::fs::symlink("..", dir.join("a").join(name)).unwrap();
        }
        let error = Stage::default().tree(dir, "").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Wheel, "{error}");
        assert!(
            error.what().contains("a folder that contains it"),
            "{error}"
        );
    }

    #[test]
    fn ordinary_and_odd_paths_are_fine() {
        check_paths(["a/b.py", "a/c d, \"e\".txt", "a.b/ü", "a/b/..c", "mod.py"]).unwrap();
    }

    #[test]
    fn each_fault_is_named() {
        let paths = [
            "",
            "/etc/passwd",
            "a\\b",
            "C:x",
            "a\nb",
            "../a",
            "a/../b",
            "a//b",
            "./a",
            "a/",
            "a/__pycache__/x.txt",
            "m.pyc",
            "dup",
            "dup",
            "Case/a",
            "case/b",
            "node",
            "node/leaf",
            "tree/leaf",
            "tree",
        ];
        insta::assert_snapshot!(check_paths(paths).unwrap_err(), @r#"
        a wheel must not contain these paths
          why: installers unpack a wheel on other systems, by file name only
            - "": is empty
            - "../a": leaves the wheel through `..`
            - "./a": is not normalised
            - "/etc/passwd": is absolute
            - "C:x": has a colon, a drive or stream on Windows
            - "a/": is not normalised
            - "a/../b": leaves the wheel through `..`
            - "a//b": is not normalised
            - "a/__pycache__/x.txt": is bytecode
            - "a\\b": has a backslash
            - "a\nb": has a control character
            - "case/b": differs from "Case" only in case
            - "dup": occurs twice
            - "m.pyc": is bytecode
            - "node": is both a file and a folder
            - "tree": is both a file and a folder
        "#);
    }

    #[test]
    fn a_tree_is_taken_without_its_bytecode() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        for (name, text) in [
            ("__init__.py", ""),
            ("sub/py.typed", ""),
            ("sub/__pycache__/x.pyc", "b"),
            ("old.pyc", "b"),
            (".mypy_cache/x.json", "{}"),
        ] {
            fs_err::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs_err::write(root.join(name), text).unwrap();
        }
        let mut stage = Stage::default();
        stage.tree(root, "pkg").unwrap();
        let mut paths: Vec<&str> = stage
            .entries
            .iter()
            .map(|entry| entry.path.as_str())
            .collect();
        paths.sort_unstable();
        assert_eq!(paths, ["pkg/__init__.py", "pkg/sub/py.typed"]);
    }
}
