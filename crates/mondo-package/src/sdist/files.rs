//! The files of a project that its source distribution has.

use std::collections::BTreeSet;

use camino::Utf8Path;
use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::path::utf8;
use mondo_plan::manifest::SdistPlan;

/// Folders that no project ships: of version control, of builds, of environments and caches.
const NEVER: [&str; 12] = [
    ".git",
    ".hg",
    ".svn",
    ".venv",
    "__pycache__",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".tox",
    ".nox",
    ".eggs",
    "node_modules",
];

/// Folders that builds leave at the top of a project.
const NEVER_AT_TOP: [&str; 3] = ["target", "dist", "build"];

/// The paths of the files below `folder`, relative to it, sorted.
///
/// # Errors
/// `ErrorKind::Manifest` for a pattern that cannot be read, and `ErrorKind::Io` for a folder.
pub(super) fn of(folder: &Utf8Path, sdist: &SdistPlan) -> Result<BTreeSet<String>> {
    let include = matcher(folder, &sdist.include, "include")?;
    let exclude = matcher(folder, &sdist.exclude, "exclude")?;
    let mut found = walk(folder, true)?;
    if !include.is_empty() {
        found.extend(
            walk(folder, false)?
                .into_iter()
                .filter(|path| is_matched(&include, path)),
        );
    }
    found.retain(|path| !is_matched(&exclude, path));
    Ok(found)
}

/// True if the patterns name the file or a folder above it.
fn is_matched(patterns: &Gitignore, path: &str) -> bool {
    patterns
        .matched_path_or_any_parents(path, false)
        .is_ignore()
}

fn matcher(folder: &Utf8Path, patterns: &[String], key: &str) -> Result<Gitignore> {
    let mut builder = GitignoreBuilder::new(folder);
    let refused = |error: ignore::Error| {
        Error::new(
            ErrorKind::Manifest,
            format!("invalid pattern in `sdist.{key}`"),
        )
        .at(folder)
        .because(error.to_string())
    };
    for pattern in patterns {
        builder.add_line(None, pattern).map_err(refused)?;
    }
    builder.build().map_err(refused)
}

/// All files below `folder`, without those that `.gitignore` names if it is `heeded`. Ignore rules of parent folders,
/// of the user and of the clone (`.git/info/exclude`) have no effect, because they differ between clones.
fn walk(folder: &Utf8Path, heeded: bool) -> Result<BTreeSet<String>> {
    let top = folder.to_owned();
    let walker = WalkBuilder::new(folder)
        .standard_filters(false)
        .git_ignore(heeded)
        .require_git(false)
        .filter_entry(move |entry| {
            let name = entry.file_name().to_string_lossy();
            let at_top = entry.path().parent() == Some(top.as_std_path());
            let never = NEVER.contains(&name.as_ref())
                || (at_top && NEVER_AT_TOP.contains(&name.as_ref()))
                || name.ends_with(".egg-info")
                || entry.path().join("pyvenv.cfg").is_file();
            !(entry.file_type().is_some_and(|kind| kind.is_dir()) && never && entry.depth() > 0)
        })
        .build();
    let mut found = BTreeSet::new();
    for entry in walker {
        let entry = entry.map_err(|error| {
            Error::new(ErrorKind::Io, "cannot read a folder of the project")
                .at(folder)
                .because(error.to_string())
        })?;
        let path = utf8(entry.path())?;
        if path.is_dir() {
            if entry.path_is_symlink() {
                return Err(Error::new(
                    ErrorKind::Wheel,
                    "an sdist must not contain a symbolic link to a folder",
                )
                .at(path)
                .because("some systems cannot unpack archives with links")
                .help(
                    "add it to `exclude` in [tool.mondo.sdist], or replace it with a copy of \
                     the folder",
                ));
            }
            continue;
        }
        let relative = path.strip_prefix(folder).unwrap_or(path);
        if !matches!(relative.extension(), Some("pyc" | "pyo")) {
            found.insert(relative.to_string());
        }
    }
    Ok(found)
}
