//! Looking up the files and folders that a `dialect.toml` names.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;

use super::Placer;
use crate::file_patterns;
use crate::spanned::Spanned;

impl Placer<'_> {
    /// Finds the files that the patterns fit. A pattern that fits no file is refused, as it is a
    /// typing error.
    pub(super) fn sources(
        &self,
        key: &str,
        patterns: &[Spanned<String>],
    ) -> Result<Vec<Utf8PathBuf>> {
        self.files_below(&self.folder, key, patterns)
    }

    /// The files below `folder` that the patterns fit, without those that a pattern with `!` fits.
    pub(super) fn files_below(
        &self,
        folder: &Utf8Path,
        key: &str,
        patterns: &[Spanned<String>],
    ) -> Result<Vec<Utf8PathBuf>> {
        let mut all = BTreeSet::new();
        let mut excluded = BTreeSet::new();
        for pattern in patterns {
            let word = pattern.get_ref();
            let refused = |what: &str| {
                self.refuse(pattern.span(), format!("invalid `{key}`: `{word}`, {what}"))
            };
            let without = word.strip_prefix('!');
            let found = file_patterns::files(folder, without.unwrap_or(word)).map_err(|error| {
                refused("which is not a valid pattern").because(error.to_string())
            })?;
            if found.is_empty() {
                return Err(refused("which matches no file")
                    .because(format!("searched {folder}"))
                    .help("`*` matches any part of a name, `**` any number of folders"));
            }
            match without {
                Some(_) => excluded.extend(found),
                None => all.extend(found),
            }
        }
        let left: Vec<Utf8PathBuf> = all.difference(&excluded).cloned().collect();
        match patterns.first() {
            Some(first) if left.is_empty() => Err(self.refuse(
                first.span(),
                format!("`{key}` excludes all files that it lists"),
            )),
            _ => Ok(left),
        }
    }

    /// Headers as they are included: relative to the include folder that they are below.
    pub(super) fn headers(
        &self,
        key: &str,
        headers: &[Spanned<String>],
        include: &[Utf8PathBuf],
    ) -> Result<Vec<Spanned<String>>> {
        headers
            .iter()
            .map(|header| {
                let word = header.get_ref();
                let in_folder = self.folder.join(word).canonicalize_utf8();
                let in_folder = in_folder.ok().filter(|path| path.is_file());
                let path = in_folder.or_else(|| self.below_include(word, include));
                let path = path.ok_or_else(|| {
                    let folders = include.iter().map(|dir| format!(", {dir}"));
                    let folders: String = folders.collect();
                    self.refuse(
                        header.span(),
                        format!("`{key}` lists a file that does not exist: `{word}`"),
                    )
                    .because(format!("searched {}{folders}", self.folder))
                    .help(
                        "paths are relative to the folder of dialect.toml, or to an include folder",
                    )
                })?;
                let below = include.iter().find_map(|dir| path.strip_prefix(dir).ok());
                let below = below.ok_or_else(|| {
                    self.refuse(
                        header.span(),
                        format!("`{key}` lists `{word}`, which is outside all include folders"),
                    )
                    .because("a header ships under the name that `#include` uses")
                    .help("add the folder to `include`")
                })?;
                Ok(Spanned::new(header.span(), below.to_string()))
            })
            .collect()
    }

    pub(super) fn below_include(&self, name: &str, include: &[Utf8PathBuf]) -> Option<Utf8PathBuf> {
        let mut paths = include.iter().map(|dir| dir.join(name));
        let path = paths.find(|path| path.is_file())?;
        path.canonicalize_utf8().ok()
    }

    pub(super) fn folders(&self, key: &str, paths: &[Spanned<String>]) -> Result<Vec<Utf8PathBuf>> {
        paths.iter().map(|path| self.folder(key, path)).collect()
    }

    pub(super) fn folder(&self, key: &str, path: &Spanned<String>) -> Result<Utf8PathBuf> {
        self.existing(key, path, "folder", Utf8Path::is_dir)
    }

    pub(super) fn file(&self, key: &str, path: &Spanned<String>) -> Result<Utf8PathBuf> {
        self.existing(key, path, "file", Utf8Path::is_file)
    }

    pub(super) fn existing(
        &self,
        key: &str,
        path: &Spanned<String>,
        what: &str,
        is_there: fn(&Utf8Path) -> bool,
    ) -> Result<Utf8PathBuf> {
        let joined = self.folder.join(path.get_ref());
        if is_there(&joined) {
            return Ok(joined.canonicalize_utf8()?);
        }
        Err(self
            .refuse(
                path.span(),
                format!(
                    "`{key}` names a {what} that does not exist: `{}`",
                    path.get_ref()
                ),
            )
            .because(format!("`{joined}` does not exist"))
            .help("paths are relative to the folder of dialect.toml"))
    }
}
