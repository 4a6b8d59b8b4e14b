//! The package by which the users of a project import it, where that is another than the bundle's.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::file::replace;

/// The package's only file. `@NAME@` is its name and `@ROOT@` the bundle's import root.
const TEMPLATE: &str = include_str!("../data/alias.py");

/// Writes the package `name` below `folder`, whose contents go to the top of a wheel. Returns the folder.
///
/// # Errors
/// `ErrorKind::Io` where it cannot be written.
pub fn alias(folder: &Utf8Path, name: &str, root: &str) -> Result<Utf8PathBuf> {
    let text = TEMPLATE.replace("@NAME@", name).replace("@ROOT@", root);
    let path = folder.join(name.replace('.', "/")).join("__init__.py");
    if !fs_err::read_to_string(&path).is_ok_and(|there| there == text) {
        if folder.exists() {
            fs_err::remove_dir_all(folder)?;
        }
        replace(&path, text.as_bytes())?;
    }
    Ok(folder.to_owned())
}
