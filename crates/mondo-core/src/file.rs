//! Files: replacing one whole, and mapping one for reading.

use std::fs::File;

use camino::Utf8Path;
use memmap2::Mmap;

use crate::error::{Error, ErrorKind, Result};

/// Replaces a file atomically: the bytes are written to a temporary file beside it, which is then renamed, so that no
/// reader sees a partial file.
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
    // Temporary files are readable by their owner only; results must be readable by everyone.
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
    // SAFETY: the invariant is that nothing writes to build inputs during a build. A file that is truncated while it
    // is mapped would end this process with SIGBUS, as it would end the linker.
    let map = unsafe { Mmap::map(&file) };
    map.map_err(|error| {
        Error::new(ErrorKind::Archive, "a file cannot be mapped")
            .at(path)
            .caused_by(error)
    })
}
