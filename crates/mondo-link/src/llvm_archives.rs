//! The archives of an LLVM that is installed, and the static libraries below it.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_toolchain::Toolchain;

/// Static libraries that LLVM's own archives need.
const NATIVE: &[(&str, &str)] = &[("zstd", "libzstd-dev"), ("z", "zlib1g-dev")];

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

/// Finds the static libraries [`NATIVE`]: their names and paths.
pub(crate) fn native(toolchain: &Toolchain) -> Result<Vec<(String, Utf8PathBuf)>> {
    let mut found = Vec::new();
    for (name, package) in NATIVE {
        let file = format!("lib{name}.a");
        let path = toolchain
            .library_dirs
            .iter()
            .map(|dir| dir.join(&file))
            .find(|path| path.is_file());
        let Some(path) = path else {
            return Err(
                Error::new(ErrorKind::Archive, format!("{file} was not found"))
                    .because("LLVM's archives require it, linked statically")
                    .details(
                        toolchain
                            .library_dirs
                            .iter()
                            .map(|dir| format!("searched {dir}")),
                    )
                    .help(format!("apt-get install {package}")),
            );
        };
        found.push(((*name).to_owned(), path));
    }
    Ok(found)
}
