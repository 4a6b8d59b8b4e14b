//! Files: replacing one whole, and opening, reading or mapping one.
//!
//! Paths come from users, and can name a pipe that nobody writes, a device that never ends, or a folder. So a file is opened
//! here, which refuses whatever is no regular file, and read up to a limit.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

use camino::Utf8Path;
use memmap2::Mmap;
use rustix::fs::{OFlags, PROC_SUPER_MAGIC, fstatfs};

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

/// The most bytes of a text that people or mondo write: manifests, policies, records, stamps.
pub const LARGEST_TEXT: u64 = 64 << 20;

/// Opens a regular file for reading. Neither opening nor reading it waits for another process.
///
/// # Errors
/// [`ErrorKind::Io`] where it cannot be opened, and for a folder, a pipe, a device, a socket, or a file of /proc.
pub fn open(path: &Utf8Path) -> Result<File> {
    let failed = |error| {
        Error::new(ErrorKind::Io, "a file cannot be opened")
            .at(path)
            .caused_by(error)
    };
    // Opening a device can have effects of its own, so the path is looked at before.
    check_regular(path, &path.metadata().map_err(failed)?)?;
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags.cast_signed())
        .open(path)
        .map_err(failed)?;
    // The path may name something else by now.
    check_regular(path, &file.metadata().map_err(failed)?)?;
    let system = fstatfs(&file).map_err(|error| failed(error.into()))?;
    if system.f_type == PROC_SUPER_MAGIC {
        return Err(irregular(path, "a file of /proc, which the kernel writes"));
    }
    Ok(file)
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// Those of [`open`], and [`ErrorKind::Io`] for a larger file.
pub fn read(path: &Utf8Path, most: u64) -> Result<Vec<u8>> {
    let file = open(path)?;
    let failed = |error| {
        Error::new(ErrorKind::Io, "a file cannot be read")
            .at(path)
            .caused_by(error)
    };
    let size = file.metadata().map_err(failed)?.len();
    let mut bytes = Vec::with_capacity(usize::try_from(size.min(most)).unwrap_or_default());
    // One byte more than the limit tells a file that is too large, or that grows.
    file.take(most.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > most {
        let what = format!("a file has more than {most} bytes");
        return Err(Error::new(ErrorKind::Io, what).at(path));
    }
    Ok(bytes)
}

/// Reads a text of at most [`LARGEST_TEXT`] bytes.
///
/// # Errors
/// Those of [`read`], and [`ErrorKind::Io`] for a file that is not UTF-8.
pub fn text(path: &Utf8Path) -> Result<String> {
    String::from_utf8(read(path, LARGEST_TEXT)?).map_err(|error| {
        Error::new(ErrorKind::Io, "a file is not UTF-8")
            .at(path)
            .caused_by(error.utf8_error())
    })
}

/// Maps a file for reading.
///
/// # Errors
/// [`ErrorKind::Archive`] where it cannot be opened or mapped, and for what is no regular file.
pub fn map(path: &Utf8Path) -> Result<Mmap> {
    let file = open(path).map_err(|error| error.with_kind(ErrorKind::Archive))?;
    // SAFETY: the invariant is that nothing writes to build inputs during a build. A file that is truncated while it
    // is mapped ends this process, as it ends the linker, but with a message: `report_truncated_maps`.
    let map = unsafe { Mmap::map(&file) };
    map.map_err(|error| {
        Error::new(ErrorKind::Archive, "a file cannot be mapped")
            .at(path)
            .caused_by(error)
    })
}

fn check_regular(path: &Utf8Path, metadata: &Metadata) -> Result<()> {
    match metadata.file_type() {
        kind if kind.is_file() => Ok(()),
        kind => Err(irregular(path, described(kind))),
    }
}

fn described(kind: FileType) -> &'static str {
    if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

fn irregular(path: &Utf8Path, described: &str) -> Error {
    Error::new(
        ErrorKind::Io,
        format!("this is {described}, and not a file"),
    )
    .at(path)
    .help("give the path of a regular file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_opened() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let pipe = dir.join("pipe");
        let everyone = rustix::fs::Mode::from_raw_mode(0o666);
        rustix::fs::mkfifoat(rustix::fs::CWD, pipe.as_std_path(), everyone).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(dir.join("socket")).unwrap();
        fs_err::os::unix::fs::symlink("round", dir.join("round")).unwrap();
        for (path, words) in [
            (dir, "this is a folder"),
            (&pipe, "this is a pipe"),
            (&dir.join("socket"), "this is a socket"),
            ("/dev/zero".into(), "this is a device"),
            ("/dev/tty".into(), "this is a device"),
            ("/proc/self/maps".into(), "a file of /proc"),
            (&dir.join("round"), "cannot be opened"),
            (&dir.join("nothing"), "cannot be opened"),
        ] {
            let error = open(path).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Io, "{error}");
            assert!(error.what().contains(words), "{error}");
            assert_eq!(error.place(), Some(path.as_str()));
            assert_eq!(map(path).unwrap_err().kind(), ErrorKind::Archive);
        }
    }

    #[test]
    fn files_are_read_up_to_a_limit() {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(dir.path()).unwrap().join("a");
        fs_err::write(&path, "four").unwrap();
        assert_eq!(read(&path, 4).unwrap(), b"four");
        assert_eq!(text(&path).unwrap(), "four");
        let error = read(&path, 3).unwrap_err();
        assert!(error.to_string().contains("more than 3 bytes"), "{error}");
        fs_err::write(&path, b"\xff").unwrap();
        assert!(text(&path).unwrap_err().what().contains("UTF-8"));
    }
}
