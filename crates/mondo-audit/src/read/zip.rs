//! Zip files, after PKWARE's APPNOTE 6.3.10, as far as wheels use them: stored and deflated entries
//! listed in a central directory, no encryption, no Zip64, no spanning.
//!
//! General zip libraries keep one entry per name and trust the central directory. An audit must detect duplicate
//! names, local headers that disagree with the directory, overlapping entries, and sizes that deflate cannot reach.
//! So this reader keeps the directory as it is.

use std::borrow::Cow;

use libdeflater::{Decompressor, crc32};

use super::error::ReadError;

/// Size in bytes from which on an index takes a wheel for a zip bomb, at [`BOMB_RATIO`].
const BOMB_SIZE: u64 = 64 << 20;
/// Ratio of the unpacked to the packed size of a zip bomb.
const BOMB_RATIO: u64 = 50;

/// Returns whether a wheel of this size unpacks to so much that indexes refuse it.
pub(crate) fn is_bomb(unpacked: u64, file_size: u64) -> bool {
    unpacked >= BOMB_SIZE && unpacked / BOMB_RATIO >= file_size
}

const END: &[u8; 4] = b"PK\x05\x06";
const CENTRAL: &[u8; 4] = b"PK\x01\x02";
const LOCAL: &[u8; 4] = b"PK\x03\x04";
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
const END_SIZE: usize = 22;
/// The longest data descriptor: signature, CRC-32, two sizes of 8 bytes.
const DESCRIPTOR: usize = 24;
const MAX_COMMENT: usize = 0xffff;
/// Deflate makes at most 258 bytes of 2 bits; with the block's overhead it never exceeds this.
const MAX_RATIO: u64 = 1032;
/// The unpacked size below which an entry is harmless at any ratio.
const SWOLLEN: u64 = 1 << 20;

/// Record of an entry in the central directory.
#[derive(Debug, Clone)]
pub(super) struct Record<'a> {
    pub(super) name: &'a str,
    /// The Unix mode, if the entry was made on Unix.
    pub(super) mode: Option<u32>,
    /// Offset of its local header.
    pub(super) offset: u64,
    /// Properties that package indexes refuse.
    pub(super) oddities: Vec<String>,
    method: u16,
    pub(super) crc: u32,
    compressed: &'a [u8],
    /// Stated unpacked size; [`Record::unpack`] enforces it.
    pub(super) size: u64,
}

/// A central directory, and the bytes of the file that belong to no entry of it.
#[derive(Debug, Clone)]
pub(super) struct Directory<'a> {
    pub(super) records: Vec<Record<'a>>,
    /// Offsets of bytes that belong to no entry.
    pub(super) gaps: Vec<u64>,
}

/// Reads a central directory.
pub(super) fn directory<'a>(file: &str, bytes: &'a [u8]) -> Result<Directory<'a>, ReadError> {
    let end = find_end(bytes).ok_or_else(|| {
        ReadError::malformed(
            file,
            "there is no end of central directory",
            "end of the file",
        )
    })?;
    let fail = |what: &str, place: String| ReadError::malformed(file, what, place);
    let field16 = |at: usize| u16_at(bytes, end + at).map(usize::from);
    let field32 = |at: usize| u32_at(bytes, end + at).and_then(|value| usize::try_from(value).ok());
    let (Some(count), Some(size), Some(start)) = (field16(10), field32(12), field32(16)) else {
        return Err(fail(
            "it is cut short",
            format!("end of central directory, offset {end}"),
        ));
    };
    if count == 0xffff || start == 0xffff_ffff {
        return Err(fail(
            "Zip64 is not supported",
            format!("end of central directory, offset {end}"),
        ));
    }
    if start.checked_add(size) != Some(end) {
        return Err(fail(
            "the central directory does not end where its end record starts",
            format!("central directory, offset {start}"),
        ));
    }

    let mut at = start;
    let mut found = Vec::new();
    let mut ranges = Vec::new();
    while at < end {
        let place = || format!("central directory, offset {at}");
        let (record, range, next) =
            read_record(bytes, at, start).map_err(|what| fail(what, place()))?;
        found.push(record);
        ranges.push(range);
        at = next;
    }
    if found.len() != count || at != end {
        return Err(fail(
            "the number of entries is not the one stated",
            format!("central directory, offset {start}"),
        ));
    }
    ranges.sort_unstable();
    if let Some(pair) = ranges.windows(2).find(|pair| pair[0].1 > pair[1].0) {
        return Err(fail(
            "two entries share bytes",
            format!("offset {}", pair[1].0),
        ));
    }
    let mut covered = 0;
    let mut gaps = Vec::new();
    for (from, to, described) in ranges.into_iter().chain([(start, end, false)]) {
        if from > covered {
            gaps.push(covered as u64);
        }
        // A data descriptor does not state its own length, so the longest form is assumed. An entry with a descriptor
        // is reported anyway.
        covered = if described { to + DESCRIPTOR } else { to };
        covered = covered.max(to);
    }
    Ok(Directory {
        records: found,
        gaps,
    })
}

/// Start and end of an entry, and whether a data descriptor follows.
type Range = (usize, usize, bool);

/// Reads the record at `at`, and its local header, which must lie before `directory`.
fn read_record(
    bytes: &[u8],
    at: usize,
    directory: usize,
) -> Result<(Record<'_>, Range, usize), &'static str> {
    let short = "a record is cut short";
    if bytes.get(at..at + 4) != Some(CENTRAL) {
        return Err("a record does not start with its signature");
    }
    let u16_of = |field: usize| u16_at(bytes, at + field).ok_or(short);
    let u32_of = |field: usize| u32_at(bytes, at + field).ok_or(short);
    let (made_by, flags, method) = (u16_of(4)?, u16_of(8)?, u16_of(10)?);
    let (crc, compressed, size) = (u32_of(16)?, u32_of(20)?, u32_of(24)?);
    let name_len = usize::from(u16_of(28)?);
    let tail_len = usize::from(u16_of(30)?) + usize::from(u16_of(32)?);
    let (attributes, local) = (u32_of(38)?, u32_of(42)?);
    if flags & 1 != 0 {
        return Err("an entry is encrypted");
    }
    if [compressed, size, local].contains(&0xffff_ffff) {
        return Err("Zip64 is not supported");
    }
    let name_end = at + 46 + name_len;
    let raw_name = bytes.get(at + 46..name_end).ok_or(short)?;
    let name = std::str::from_utf8(raw_name).map_err(|_| "a name is not UTF-8")?;

    let local = usize::try_from(local).map_err(|_| short)?;
    let local_field = |field: usize| local.checked_add(field).ok_or(short);
    if bytes.get(local..local_field(4)?) != Some(LOCAL) {
        return Err("a local header is not where its record says");
    }
    let local_name_len = usize::from(u16_at(bytes, local_field(26)?).ok_or(short)?);
    let extra_len = usize::from(u16_at(bytes, local_field(28)?).ok_or(short)?);
    let local_name_end = local_field(30 + local_name_len)?;
    if bytes.get(local_field(30)?..local_name_end) != Some(raw_name) {
        return Err("a local header has another name than its record");
    }
    let data = local_name_end + extra_len;
    let data_end = usize::try_from(compressed)
        .ok()
        .and_then(|length| data.checked_add(length))
        .filter(|&data_end| data_end <= directory)
        .ok_or("an entry reaches into the central directory or beyond the file")?;
    let descriptor = flags & 8 != 0;
    let local_u32 = |field: usize| u32_at(bytes, local + field).ok_or(short);
    let agrees = u16_at(bytes, local + 8) == Some(method)
        && (descriptor
            || local_u32(14)? == crc && local_u32(18)? == compressed && local_u32(22)? == size);
    let mut oddities = Vec::new();
    if !matches!(method, STORED | DEFLATED) {
        oddities.push(format!(
            "compressed with method {method}, not stored or deflated"
        ));
    }
    if descriptor {
        oddities.push("its sizes follow it, in a data descriptor".to_owned());
    }
    if !agrees {
        oddities.push("its local header states another size, sum or method".to_owned());
    }
    if u16_of(32)? != 0 {
        oddities.push("has a comment".to_owned());
    }
    let record = Record {
        offset: local as u64,
        oddities,
        name,
        mode: (made_by >> 8 == 3).then_some(attributes >> 16),
        method,
        crc,
        compressed: bytes.get(data..data_end).ok_or(short)?,
        size: u64::from(size),
    };
    Ok((record, (local, data_end, descriptor), name_end + tail_len))
}

impl<'a> Record<'a> {
    /// Returns whether [`Record::unpack`] knows its compression.
    pub(super) fn readable(&self) -> bool {
        matches!(self.method, STORED | DEFLATED)
    }

    /// Bytes that it takes in the file, without its header.
    pub(super) fn packed_size(&self) -> usize {
        self.compressed.len()
    }

    /// Returns whether its unpacked size is suspiciously large in relation to its compressed size.
    pub(super) fn swells(&self) -> bool {
        self.size >= SWOLLEN && self.size / BOMB_RATIO >= self.compressed.len() as u64
    }

    fn fail<T>(&self, file: &str, what: &str) -> Result<T, ReadError> {
        let place = format!("entry {}", self.name);
        Err(ReadError::malformed(file, what, place))
    }

    /// The size of the buffer that [`Record::unpack_into`] needs, in bytes: 0 for a stored entry.
    ///
    /// The size is also 0 for deflated data that is too short to unpack to the stated size.
    pub(super) fn room(&self, file: &str) -> Result<usize, ReadError> {
        let reachable = (self.compressed.len() as u64).saturating_mul(MAX_RATIO);
        match usize::try_from(self.size) {
            _ if self.method != DEFLATED => Ok(0),
            Ok(size) if self.size <= reachable => Ok(size),
            _ => self.fail(file, "it cannot unpack to the size that it states"),
        }
    }

    /// Unpacks the entry into as much room as it needs, and checks its size and CRC.
    pub(super) fn unpack_into<'o>(
        &self,
        file: &str,
        room: &'o mut [u8],
    ) -> Result<&'o [u8], ReadError>
    where
        'a: 'o,
    {
        let contents = match self.method {
            STORED => self.compressed,
            DEFLATED => match Decompressor::new().deflate_decompress(self.compressed, room) {
                Ok(size) => &room[..size],
                Err(_) => {
                    return self.fail(file, "its deflated data is broken or longer than stated");
                }
            },
            _ => return self.fail(file, "it is compressed with something other than deflate"),
        };
        if contents.len() as u64 != self.size {
            return self.fail(file, "it unpacks to another size than it states");
        }
        if crc32(contents) != self.crc {
            return self.fail(file, "its CRC-32 is wrong");
        }
        Ok(contents)
    }

    /// Unpacks the entry into memory of its own, if it is not stored as it is.
    pub(super) fn unpack(&self, file: &str) -> Result<Cow<'a, [u8]>, ReadError> {
        let mut room = vec![0; self.room(file)?];
        if self.method == STORED {
            return self.unpack_into(file, &mut []).map(Cow::Borrowed);
        }
        self.unpack_into(file, &mut room)?;
        Ok(Cow::Owned(room))
    }
}

/// The offset of the end record: the last one whose comment ends with the file.
fn find_end(bytes: &[u8]) -> Option<usize> {
    let lowest = bytes.len().saturating_sub(END_SIZE + MAX_COMMENT);
    let window = bytes.get(lowest..)?;
    memchr::memmem::rfind_iter(window, END)
        .map(|at| lowest + at)
        .find(|&at| {
            u16_at(bytes, at + 20).map(|comment| at + END_SIZE + usize::from(comment))
                == Some(bytes.len())
        })
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let field = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(field.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(field.try_into().ok()?))
}
