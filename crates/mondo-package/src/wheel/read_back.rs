//! Verification of a finished wheel with the `zip` crate, which shares no code with the writer: every member must be
//! at its position with the expected contents.

use std::io::{Cursor, Read};

use mondo_core::digest::{Sha256, hex};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::interrupt;
use rayon::prelude::*;
use serde::Serialize;
use zip::result::ZipResult;
use zip::{CompressionMethod, ZipArchive};

/// One file of a written wheel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WheelEntry {
    /// Its path in the wheel.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its size in the archive, without headers, in bytes.
    pub compressed: u64,
    /// Its SHA-256 in hex.
    pub sha256: String,
    /// Its Unix permissions: 0o644 or 0o755.
    pub permissions: u32,
}

/// An archive in memory.
type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

/// The type bits of a regular file in a Unix mode.
const REGULAR_FILE: u32 = 0o100_000;

/// Compares the members of the archive `bytes` with `expected`: names, order, sizes, permissions,
/// CRC-32 and SHA-256, and the archive's two headers of each member with each other.
///
/// # Errors
/// `ErrorKind::Wheel` with every difference.
pub(super) fn compare(bytes: &[u8], expected: &[WheelEntry]) -> Result<()> {
    let (archive, mut lines) = match open(bytes) {
        Ok(archive) => {
            let lines = order(&archive, expected);
            (Some(archive), lines)
        }
        Err(error) => (None, vec![format!("the archive: {error}")]),
    };
    // Contents are compared by position, so the names must agree.
    if let Some(archive) = archive.filter(|_| lines.is_empty()) {
        lines = contents(&archive, expected)?;
    }
    if lines.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Wheel,
        "the finished wheel differs from what mondo wrote",
    )
    .because("the `zip` crate reads different contents from the finished file")
    .details(lines)
    .help(
        "check the disk of the output folder, and run again; if the same members differ, \
         report a bug in mondo's zip writer",
    ))
}

fn open(bytes: &[u8]) -> ZipResult<Archive<'_>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    archive.validate_header_consistency()?;
    Ok(archive)
}

/// The places where another name stands than expected.
fn order(archive: &Archive<'_>, expected: &[WheelEntry]) -> Vec<String> {
    let name = |index| match archive.name_for_index(index) {
        None => "nothing".to_owned(),
        Some(Ok(name)) => name.into_owned(),
        Some(Err(error)) => error.to_string(),
    };
    let count = archive.len().max(expected.len());
    (0..count)
        .filter_map(|index| {
            let wanted = expected.get(index).map_or("nothing", |one| &one.path);
            let found = name(index);
            (found != wanted).then(|| format!("member {index}: {wanted} expected, {found} found"))
        })
        .collect()
}

/// The differences of the members, largest member first.
fn contents(archive: &Archive<'_>, expected: &[WheelEntry]) -> Result<Vec<String>> {
    let mut order: Vec<usize> = (0..expected.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(expected[index].size));
    let found = order
        .par_iter()
        .with_max_len(1)
        .map_init(
            // A clone shares the directory; each thread has its own position in the file.
            || (archive.clone(), vec![0; 1 << 18]),
            |(archive, piece), &index| member(archive, index, &expected[index], piece),
        )
        .collect::<Result<Vec<_>>>()?;
    Ok(found.concat())
}

/// The differences of one member, which is read in pieces of the size of `piece`.
fn member(
    archive: &mut Archive<'_>,
    index: usize,
    expected: &WheelEntry,
    piece: &mut [u8],
) -> Result<Vec<String>> {
    let path = &expected.path;
    let mut file = match archive.by_index(index) {
        Ok(file) => file,
        Err(error) => return Ok(vec![format!("{path}: {error}")]),
    };
    let mut lines = Vec::new();
    let mut differ = |what: &str, found: String, wanted: String| {
        if found != wanted {
            lines.push(format!("{path}: {what} {wanted} expected, {found} found"));
        }
    };
    let mode = |mode: Option<u32>| mode.map_or("none".to_owned(), |mode| format!("{mode:o}"));
    let wanted_mode = Some(REGULAR_FILE | expected.permissions);
    differ("mode", mode(file.unix_mode()), mode(wanted_mode));
    let deflated = CompressionMethod::Deflated;
    differ(
        "method",
        file.compression().to_string(),
        deflated.to_string(),
    );
    differ("size", file.size().to_string(), expected.size.to_string());
    let packed = (file.compressed_size(), expected.compressed);
    differ(
        "compressed size",
        packed.0.to_string(),
        packed.1.to_string(),
    );
    let mut sha256 = Sha256::new();
    let mut size = 0;
    loop {
        interrupt::check()?;
        // At the end of the member this compares its CRC-32 with that of the directory.
        match file.read(piece) {
            Ok(0) => break,
            Ok(read) => {
                size += read as u64;
                sha256.update(&piece[..read]);
            }
            Err(error) => {
                lines.push(format!("{path}: {error}"));
                return Ok(lines);
            }
        }
    }
    differ("length", size.to_string(), expected.size.to_string());
    differ("SHA-256", hex(sha256.finalize()), expected.sha256.clone());
    Ok(lines)
}
