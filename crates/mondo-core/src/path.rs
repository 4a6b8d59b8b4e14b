//! The conventions for paths in this workspace: they are UTF-8, and paths from the environment are made absolute.

use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};

use crate::error::{Error, ErrorKind, Result};

/// A path from the environment; unset and empty are the same.
///
/// # Errors
/// [`ErrorKind::Io`] where it is not UTF-8.
pub fn variable(name: &str) -> Result<Option<Utf8PathBuf>> {
    match std::env::var_os(name) {
        Some(value) if !value.is_empty() => utf8(Path::new(&value))
            .map(|path| Some(path.to_owned()))
            .map_err(|error| error.at(name)),
        _ => Ok(None),
    }
}

/// `path` as UTF-8.
///
/// # Errors
/// [`ErrorKind::Io`] where it is not.
pub fn utf8(path: &Path) -> Result<&Utf8Path> {
    Utf8Path::from_path(path).ok_or_else(|| {
        Error::new(ErrorKind::Io, "path is not UTF-8").because(path.display().to_string())
    })
}

/// The relative name of `path` from the folder `from`: `lib/x`, `../x`, or empty for the folder itself. Both must be
/// absolute and without symbolic links.
#[must_use]
pub fn relative(path: &Utf8Path, from: &Utf8Path) -> Utf8PathBuf {
    let common = path.components().zip(from.components());
    let common = common.take_while(|(one, other)| one == other).count();
    let up = from.components().skip(common).map(|_| "..");
    let down = path.components().skip(common);
    up.chain(down.map(|part| part.as_str())).collect()
}

/// Makes `path` absolute; a relative path is relative to the current folder.
///
/// # Errors
/// [`ErrorKind::Io`] where there is no current folder.
pub fn absolute(path: &Utf8Path) -> Result<Utf8PathBuf> {
    Ok(camino::absolute_utf8(path)?)
}
