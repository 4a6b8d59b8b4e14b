//! Wheels, after the binary distribution format (PEP 427 and its successors): a zip file with a
//! `.dist-info` folder.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::error::ReadError;
use super::zip;
use crate::printable::printed;

/// A file of a wheel.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// Its path as it stands in the zip file, which need not be safe.
    pub name: String,
    /// Its Unix mode, if the wheel was made on Unix.
    pub mode: Option<u32>,
    /// Metadata in the zip file.
    pub zip: Packed,
    record: zip::Record<'a>,
}

impl Entry<'_> {
    /// Bytes that its contents take in the zip file.
    pub(crate) fn packed_size(&self) -> usize {
        self.record.packed_size()
    }
}

/// Metadata of an entry in the zip file.
#[derive(Debug, Clone)]
pub struct Packed {
    /// Offset of its local header.
    pub offset: u64,
    /// Unpacked size in bytes.
    pub size: u64,
    /// Its CRC-32.
    pub crc: u32,
    /// True if the entry was not unpacked, so that its contents are unknown: its compression method is not supported,
    /// it makes the file a zip bomb, or it is a swollen text.
    pub unread: bool,
    /// True if it is a text that the audit reads, and unpacks to far more than texts do. Lines take more memory than
    /// their bytes, so that such a text is not read even where the wheel as a whole is not a zip bomb.
    pub swollen_text: bool,
    /// Properties that package indexes refuse, a sentence each.
    pub oddities: Vec<String>,
}

/// A wheel whose entries can be unpacked one by one.
#[derive(Debug, Clone)]
pub struct Wheel<'a> {
    /// The file name, without a folder.
    pub name: String,
    /// All entries but folders, in the file's order. Names may repeat.
    pub entries: Vec<Entry<'a>>,
    /// The size of the wheel itself, in bytes.
    pub file_size: u64,
    /// Offsets of bytes that belong to no entry.
    pub gaps: Vec<u64>,
    /// The first entry of each name.
    by_name: HashMap<String, usize>,
}

impl<'a> Wheel<'a> {
    /// Reads the directory of a wheel that unpacks to at most `limit` bytes. Entries that make it a zip bomb do not
    /// count, since they are never unpacked.
    ///
    /// # Errors
    ///
    /// [`ReadError::TooLarge`] and [`ReadError::Malformed`].
    pub fn read(name: &str, bytes: &'a [u8], limit: u64) -> Result<Self, ReadError> {
        let name = name.rsplit('/').next().unwrap_or(name);
        let zip::Directory { records, gaps } = zip::directory(name, bytes)?;
        let sum = |sum: u64, record: &zip::Record<'_>| sum.saturating_add(record.size);
        let bomb = zip::is_bomb(records.iter().fold(0, sum), bytes.len() as u64);
        let reads = |record: &zip::Record<'_>| {
            record.readable() && !((bomb || is_read_as_text(record.name)) && record.swells())
        };
        let mut total = 0_u64;
        for record in records.iter().filter(|record| reads(record)) {
            total = total.saturating_add(record.size);
            if total > limit {
                return Err(ReadError::TooLarge {
                    name: name.to_owned(),
                    entry: printed(record.name),
                    size: total,
                    limit,
                });
            }
        }
        let files = records
            .into_iter()
            .filter(|record| !record.name.ends_with('/'));
        let entries: Vec<Entry<'a>> = files
            .map(|mut record| Entry {
                name: record.name.to_owned(),
                mode: record.mode,
                zip: Packed {
                    offset: record.offset,
                    size: record.size,
                    crc: record.crc,
                    unread: !reads(&record),
                    swollen_text: is_read_as_text(record.name) && record.swells(),
                    oddities: std::mem::take(&mut record.oddities),
                },
                record,
            })
            .collect();
        let mut by_name = HashMap::with_capacity(entries.len());
        for (at, entry) in entries.iter().enumerate() {
            by_name.entry(entry.name.clone()).or_insert(at);
        }
        Ok(Self {
            name: name.to_owned(),
            entries,
            by_name,
            file_size: bytes.len() as u64,
            gaps,
        })
    }

    /// The unpacked contents of an entry; for a stored entry, its bytes in the zip file. Empty for an entry that is
    /// not unpacked.
    ///
    /// # Errors
    ///
    /// [`ReadError::Malformed`] where what it unpacks to is not what the directory says.
    pub fn contents(&self, entry: &Entry<'a>) -> Result<Cow<'a, [u8]>, ReadError> {
        if entry.zip.unread {
            return Ok(Cow::default());
        }
        entry.record.unpack(&self.name)
    }

    /// The size of the buffer that [`Wheel::unpack_into`] needs for an entry, in bytes.
    pub(crate) fn room(&self, entry: &Entry<'a>) -> Result<usize, ReadError> {
        if entry.zip.unread {
            return Ok(0);
        }
        entry.record.room(&self.name)
    }

    /// Unpacks an entry into a buffer of that size.
    pub(crate) fn unpack_into<'o>(
        &self,
        entry: &Entry<'a>,
        room: &'o mut [u8],
    ) -> Result<&'o [u8], ReadError>
    where
        'a: 'o,
    {
        if entry.zip.unread {
            return Ok(&[]);
        }
        entry.record.unpack_into(&self.name, room)
    }

    /// Index of the first entry of this name.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The first entry of this name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&Entry<'a>> {
        self.entries.get(*self.by_name.get(name)?)
    }

    /// The names of the `.dist-info` folders at the top, sorted; a wheel has one.
    #[must_use]
    pub fn dist_infos(&self) -> BTreeSet<&str> {
        self.entries
            .iter()
            .filter_map(|entry| entry.name.split_once('/'))
            .map(|(folder, _)| folder)
            .filter(|folder| folder.ends_with(".dist-info"))
            .collect()
    }

    /// The name of the `.dist-info` folder, if there is just one.
    #[must_use]
    pub fn dist_info(&self) -> Option<&str> {
        let folders = self.dist_infos();
        folders.first().copied().filter(|_| folders.len() == 1)
    }
}

/// Returns whether the audit reads the lines of a file of this name.
fn is_read_as_text(name: &str) -> bool {
    let inside = name.split_once(".dist-info/").map(|(_, path)| path);
    inside.is_some_and(|path| matches!(path, "METADATA" | "RECORD" | "WHEEL") || is_sbom(path))
}

/// Returns whether this path in a `.dist-info` folder is that of a bill of materials in JSON.
pub(crate) fn is_sbom(path: &str) -> bool {
    path.starts_with("sboms/") && path.ends_with(".json")
}
