//! The key `sources` of a project: third-party sources that its `CMake` would download or find.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{ErrorKind, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::Document;
use crate::spanned::Spanned;

/// The number of hexadecimal digits of a SHA-256.
const DIGITS: usize = 64;

/// A source as the manifest has it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum File {
    /// A folder, relative to the manifest.
    Folder(String),
    /// An archive.
    Archive(Archive),
}

/// An archive of sources, which is checked before it is unpacked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Archive {
    /// Its address, or its path relative to the manifest.
    pub url: String,
    /// Its SHA-256.
    pub sha256: String,
}

/// Third-party sources of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum ProjectSource {
    /// A folder.
    Folder(Utf8PathBuf),
    /// An archive; a path in `url` is absolute.
    Archive(Archive),
}

/// Checks the sources; paths become absolute. `unfit` finds a character with which a path cannot be on command lines.
pub(super) fn check(
    files: BTreeMap<String, Spanned<File>>,
    source: &Document,
    unfit: fn(&Utf8Path) -> Option<char>,
) -> Result<BTreeMap<String, Spanned<ProjectSource>>> {
    let checked = files.into_iter().map(|(name, word)| {
        let span = word.span();
        let refuse =
            |what: String| source.error(ErrorKind::Manifest, span.clone(), what);
        let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
        if name.is_empty() || !name.chars().all(good) {
            return Err(refuse(format!("invalid name in `project.sources`: {name:?}"))
                .help("use the name in the project's FetchContent_Declare, ExternalProject_Add or find_package"));
        }
        let absolute = |path: &str| camino::absolute_utf8(source.folder().join(path));
        let checked = match word.into_inner() {
            File::Folder(folder) => {
                let path = absolute(&folder)?;
                if !path.is_dir() {
                    return Err(refuse(format!(
                        "`project.sources` of `{name}` is a folder that does not exist: `{folder}`"
                    ))
                    .because(format!("`{path}` does not exist"))
                    .help("paths are relative to the manifest"));
                }
                let path = path.canonicalize_utf8()?;
                if let Some(char) = unfit(&path) {
                    return Err(refuse(format!(
                        "`project.sources` of `{name}` is a folder whose path contains {char:?}"
                    ))
                    .help("rename or move the folder"));
                }
                ProjectSource::Folder(path)
            }
            File::Archive(Archive { url, sha256 }) => {
                if sha256.len() != DIGITS || !sha256.bytes().all(|b| b.is_ascii_hexdigit()) {
                    return Err(refuse(format!(
                        "invalid `sha256` of `{name}` in `project.sources`: {sha256:?}"
                    ))
                    .help("use what `sha256sum` prints for the archive"));
                }
                let url = match url.contains("://") {
                    true => url,
                    false => {
                        let path = absolute(&url)?;
                        if !path.is_file() {
                            return Err(refuse(format!(
                                "`project.sources` of `{name}` is an archive that does not exist: `{url}`"
                            ))
                            .because(format!("`{path}` does not exist"))
                            .help("paths are relative to the manifest"));
                        }
                        path.into_string()
                    }
                };
                let sha256 = sha256.to_lowercase();
                ProjectSource::Archive(Archive { url, sha256 })
            }
        };
        Ok((name, Spanned::new(span.clone(), checked)))
    });
    checked.collect()
}
