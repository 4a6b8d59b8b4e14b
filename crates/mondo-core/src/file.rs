//! Files: replacing one whole, and mapping one for reading.

use std::fs::File;

use camino::Utf8Path;
use memmap2::Mmap;

use crate::error::{Error, ErrorKind, Result};

/// Writes beside the target and renames, so that a reader never sees half a file.
///
/// # Errors
/// [`ErrorKind::Io`] where the folder cannot be made or the file not be written.
pub fn replace(path: &Utf8Path, bytes: &[u8]) -> Result<()> {
    let dir = path.parent().unwrap_or(Utf8Path::new("."));
    fs_err::create_dir_all(dir)?;
    let mut file = tempfile::Builder::new()
        .prefix(".mondo-")
        .tempfile_in(dir)?;
    std::io::Write::write_all(&mut file, bytes)?;
    // Temporary files are private; results are for everyone to read.
    let everyone = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    file.as_file().set_permissions(everyone)?;
    file.persist(path.as_std_path())
        .map_err(|error| Error::from(error.error).at(path))?;
    Ok(())
}

/// Maps a file for reading.
///
/// # Errors
/// [`ErrorKind::Archive`] where it cannot be opened or mapped.
pub fn map(path: &Utf8Path) -> Result<Mmap> {
    let file = File::open(path).map_err(|error| {
        Error::new(ErrorKind::Archive, "a file cannot be opened")
            .at(path)
            .caused_by(error)
    })?;
    // SAFETY: build inputs are not written while a build runs; a file cut short under the map would
    // end this process with SIGBUS, as it would the linker's.
    let map = unsafe { Mmap::map(&file) };
    map.map_err(|error| {
        Error::new(ErrorKind::Archive, "a file cannot be mapped")
            .at(path)
            .caused_by(error)
    })
}
