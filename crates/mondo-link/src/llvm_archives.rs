//! The archives of an LLVM that is installed, and the static libraries below it.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_toolchain::Toolchain;

/// Static libraries that LLVM's own archives need.
const NATIVE: &[&str] = &["zstd", "z"];

/// The archives in a folder, by their names without `lib` and `.a`.
pub(crate) fn archives_in(lib: &Utf8Path) -> Result<BTreeMap<String, Utf8PathBuf>> {
    let mut found = BTreeMap::new();
    for entry in lib.read_dir_utf8().map_err(|error| {
        Error::new(ErrorKind::Archive, "cannot read the folder of archives")
            .at(lib)
            .caused_by(error)
    })? {
        let entry = entry?;
        let stem = entry
            .file_name()
            .strip_prefix("lib")
            .and_then(|name| name.strip_suffix(".a"));
        if let Some(stem) = stem {
            found.insert(stem.to_owned(), entry.path().to_owned());
        }
    }
    Ok(found)
}

/// Finds those of the static libraries [`NATIVE`] that this LLVM was built with: their names and paths.
pub(crate) fn native(toolchain: &Toolchain) -> Vec<(String, Utf8PathBuf)> {
    let path = |name: &str| {
        let mut places = toolchain.library_dirs.iter();
        places.find_map(|dir| Some(dir.join(format!("lib{name}.a"))).filter(|path| path.is_file()))
    };
    NATIVE
        .iter()
        .filter_map(|&name| Some((name.to_owned(), path(name)?)))
        .collect()
}
