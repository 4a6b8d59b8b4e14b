//! Writing a new folder of files: whole or not at all.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::path::utf8;

/// Files of a new folder, by their paths in it.
pub(crate) type Texts = Vec<(Utf8PathBuf, String)>;

/// Writes `files` into `folder`, which must not exist. They are written into a temporary folder beside it, which is
/// then renamed.
pub(crate) fn write(files: Texts, folder: &Utf8Path) -> Result<()> {
    let parent = folder.parent().unwrap_or(folder);
    fs_err::create_dir_all(parent)?;
    let temporary = tempfile::Builder::new()
        .prefix(".mondo-new-")
        .tempdir_in(parent)?;
    let root = utf8(temporary.path())?.join("new");
    for (path, text) in files {
        let path = root.join(path);
        fs_err::create_dir_all(path.parent().unwrap_or(&root))?;
        fs_err::write(path, text)?;
    }
    fs_err::rename(&root, folder)?;
    Ok(())
}
