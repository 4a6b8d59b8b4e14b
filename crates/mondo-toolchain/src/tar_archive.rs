//! Compressed tar files. Their entries stay inside of the folder that they are unpacked to, and are files, folders and
//! links.

use std::io::{self, BufReader, Read};
use std::path::{Component, Path};

use camino::Utf8Path;
use lzma_rust2::XzReader;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::interrupt;
use ruzstd::decoding::StreamingDecoder;
use tar::{Archive, Entry, EntryType};

/// The memory that the xz format may ask for, in KiB. Debian's packages need 64 MiB.
const XZ_MEMORY: u32 = 512 << 10;

/// The decompressed contents of a tar file, by the ending of its name.
///
/// # Errors
/// `ErrorKind::Integrity` for another format, and where the beginning is not of the format.
pub(super) fn decompressed<'r>(name: &str, file: impl Read + 'r) -> Result<Box<dyn Read + 'r>> {
    let file = BufReader::with_capacity(1 << 16, file);
    match name.rsplit('.').next() {
        Some("tar") => Ok(Box::new(file)),
        Some("xz") => Ok(Box::new(XzReader::new_mem_limit(file, true, XZ_MEMORY))),
        Some("zst") => match StreamingDecoder::new(file) {
            Ok(decoder) => Ok(Box::new(decoder)),
            Err(error) => Err(damaged(&error.to_string())),
        },
        _ => Err(damaged(&format!("`{name}` has an unknown compression"))),
    }
}

/// Unpacks the entries that `keeps` accepts into `folder`. At most `most` bytes are read.
///
/// # Errors
/// `ErrorKind::Integrity` where the archive is damaged or has other entries than it may, and `ErrorKind::Io` on a full
/// disk.
pub(super) fn unpack(
    contents: impl Read,
    folder: &Utf8Path,
    most: u64,
    keeps: impl Fn(&Path) -> bool,
) -> Result<()> {
    fs_err::create_dir_all(folder)?;
    let mut contents = contents.take(most);
    let mut archive = Archive::new(&mut contents);
    for entry in archive.entries().map_err(failed)? {
        interrupt::check()?;
        let mut entry = entry.map_err(failed)?;
        if let Some(flaw) = flaw(&entry)? {
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            return Err(damaged(flaw).at(format!("{name:?}")));
        }
        let kept = keeps(&entry.path().map_err(failed)?);
        if kept && !entry.unpack_in(folder).map_err(failed)? {
            return Err(damaged("the name of an entry leaves the folder"));
        }
    }
    // The checksum of the compressed data is at its end.
    io::copy(&mut contents, &mut io::sink()).map_err(failed)?;
    Ok(())
}

/// The reason for which an entry is refused.
fn flaw<R: Read>(entry: &Entry<'_, R>) -> Result<Option<&'static str>> {
    let path = entry.path().map_err(failed)?;
    Ok(match entry.header().entry_type() {
        EntryType::Fifo => Some("it is a pipe"),
        EntryType::Block | EntryType::Char => Some("it is a device"),
        EntryType::Regular
        | EntryType::Continuous
        | EntryType::GNUSparse
        | EntryType::Directory
        | EntryType::Symlink
        | EntryType::Link => {
            if path.components().any(|part| part == Component::ParentDir) {
                Some("its name leaves the folder")
            } else if entry.path_bytes().iter().any(u8::is_ascii_control) {
                Some("its name has a control character")
            } else {
                None
            }
        }
        _ => Some("it is neither a file, a folder nor a link"),
    })
}

/// An error while an archive is read or its files are written: of the disk, or else of the archive.
pub(super) fn failed(error: io::Error) -> Error {
    use io::ErrorKind as Kind;
    let of_disk = matches!(
        error.kind(),
        Kind::StorageFull | Kind::QuotaExceeded | Kind::ReadOnlyFilesystem
    );
    // tar's error has the reason as its source.
    let mut why = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        why = format!("{why}: {inner}");
        source = inner.source();
    }
    if of_disk {
        return Error::new(
            ErrorKind::Io,
            "could not unpack a package file: the disk is full",
        )
        .because(why)
        .help("free some space, or set MONDO_CACHE_DIR to a folder on another disk");
    }
    damaged(&why)
}

/// An error for an archive that cannot be used.
pub(super) fn damaged(why: &str) -> Error {
    Error::new(
        ErrorKind::Integrity,
        "could not unpack a package file: it is damaged",
    )
    .because(why)
    .help("download the file again from a distribution that you trust")
}
