//! Wheels, after the binary distribution format (PEP 427 and its successors): a zip file with a
//! `.dist-info` folder.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::{ReadError, zip};

/// A file of a wheel.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its path as it stands in the zip file, which need not be safe.
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
    /// Its Unix mode, if the wheel was made on Unix.
    pub mode: Option<u32>,
    /// How it stands in the zip file.
    pub zip: Packed,
}

/// How an entry stands in the zip file.
#[derive(Debug, Clone)]
pub struct Packed {
    /// Where its local header is.
    pub offset: u64,
    /// What it unpacks to, in bytes.
    pub size: u64,
    /// Its CRC-32.
    pub crc: u32,
    /// Whether its compression is not known here, so that nothing is known of its contents.
    pub unread: bool,
    /// What indexes refuse about it, a sentence each.
    pub oddities: Vec<String>,
}

/// A wheel, unpacked into memory.
#[derive(Debug, Clone)]
pub struct Wheel {
    /// The file name, without a folder.
    pub name: String,
    /// All entries but folders, in the file's order. Names may repeat.
    pub entries: Vec<Entry>,
    /// The size of the wheel itself, in bytes.
    pub file_size: u64,
    /// Offsets of bytes that belong to no entry.
    pub gaps: Vec<u64>,
}

impl Wheel {
    /// Unpacks a wheel that unpacks to at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// [`ReadError::TooLarge`] and [`ReadError::Malformed`].
    pub fn read(name: &str, bytes: &[u8], limit: u64) -> Result<Self, ReadError> {
        let name = name.rsplit('/').next().unwrap_or(name);
        let zip::Directory { records, gaps } = zip::directory(name, bytes)?;
        let mut total = 0_u64;
        for record in &records {
            total = total.saturating_add(record.size);
            if total > limit {
                return Err(ReadError::TooLarge {
                    name: name.to_owned(),
                    entry: record.name.to_owned(),
                    size: total,
                    limit,
                });
            }
        }
        let entries: Result<Vec<Entry>, ReadError> = records
            .par_iter()
            .filter(|record| !record.name.ends_with('/'))
            .map(|record| {
                Ok(Entry {
                    name: record.name.to_owned(),
                    bytes: if record.readable() {
                        record.unpack(name)?
                    } else {
                        Vec::new()
                    },
                    mode: record.mode,
                    zip: Packed {
                        offset: record.offset,
                        size: record.size,
                        crc: record.crc,
                        unread: !record.readable(),
                        oddities: record.oddities.clone(),
                    },
                })
            })
            .collect();
        Ok(Self {
            name: name.to_owned(),
            entries: entries?,
            file_size: bytes.len() as u64,
            gaps,
        })
    }

    /// The first entry of this name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
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
