//! The records of operations in the form that most have: of up to 32 bytes, without regions, successors and
//! orders of uses.
//!
//! They are read without a comparison with the end of the data for each byte: from a window of 64 bytes, of
//! which a record that is too long for this reads some again, and is then refused. Whatever is refused here
//! is read by [`crate::operations`], which says what is wrong with it.

use crate::dictionaries::Dictionary;
use crate::tables::Tables;

/// The bytes that a record is read from.
const WINDOW: usize = 64;

/// The largest offset of a load of 8 bytes, which is one less than a power of two.
const LAST: usize = 31;

/// The most results, and operands, of a record that is read here.
const MOST: u64 = 16;

/// A window, and the position in it.
struct Cursor<'w> {
    window: &'w [u8; WINDOW],
    at: usize,
}

impl Cursor<'_> {
    /// An integer of up to eight bytes.
    #[inline(always)]
    fn varint(&mut self) -> Option<u64> {
        let at = self.at & LAST;
        let chunk = self.window[at..at + 8].first_chunk()?;
        let word = u64::from_le_bytes(*chunk);
        if word & 1 == 1 {
            self.at += 1;
            return Some((word & 0xff) >> 1);
        }
        if word & 2 != 0 {
            self.at += 2;
            return Some((word & 0xffff) >> 2);
        }
        if word & 4 != 0 {
            self.at += 3;
            return Some((word & 0xff_ffff) >> 3);
        }
        let more = word.trailing_zeros();
        if more > 7 {
            return None;
        }
        self.at += more as usize + 1;
        let unused = 56 - 8 * more;
        Some(word << unused >> (unused + more + 1))
    }

    #[inline(always)]
    fn index(&mut self, length: u64) -> Option<()> {
        (self.varint()? < length).then_some(())
    }

    #[inline(always)]
    fn byte(&mut self) -> u8 {
        let byte = self.window[self.at & LAST];
        self.at += 1;
        byte
    }
}

/// The sizes of the tables that a record refers to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    operation_names: u64,
    attributes: u64,
    types: u64,
    properties: u64,
}

impl Limits {
    pub(crate) fn new(tables: &Tables, version: u64) -> Self {
        Self {
            operation_names: tables.operation_names as u64,
            attributes: tables.attributes as u64,
            types: tables.types as u64,
            // Older versions have no properties.
            properties: if version < 5 {
                0
            } else {
                tables.properties as u64
            },
        }
    }

    /// Reads the record of an operation, in a scope with `values` values so far. Returns the record's length in bytes,
    /// the number of results, and the index of the attribute dictionary if it has one, or none if the slower reader has
    /// to read it.
    #[inline(always)]
    fn record(&self, window: &[u8; WINDOW], values: u64) -> Option<(usize, u64, Option<u64>)> {
        let mut cursor = Cursor { window, at: 0 };
        cursor.index(self.operation_names)?;
        let parts = cursor.byte();
        if parts & (part::SUCCESSORS | part::REGIONS | part::USE_LIST_ORDERS) != 0 {
            return None;
        }
        cursor.index(self.attributes)?;
        let mut dictionary = None;
        if parts & part::ATTRIBUTES != 0 {
            dictionary = Some(cursor.varint().filter(|index| *index < self.attributes)?);
        }
        if parts & part::PROPERTIES != 0 {
            cursor.index(self.properties)?;
        }
        let mut results = 0;
        if parts & part::RESULTS != 0 {
            results = cursor.varint().filter(|count| *count <= MOST)?;
            for _ in 0..results {
                cursor.index(self.types)?;
            }
        }
        if parts & part::OPERANDS != 0 {
            for _ in 0..cursor.varint().filter(|count| *count <= MOST)? {
                cursor.index(values)?;
            }
        }
        (cursor.at <= LAST).then_some((cursor.at, results, dictionary))
    }
}

/// The records at the beginning of some bytes that could be read here.
#[derive(Debug)]
pub(crate) struct Records {
    pub(crate) count: usize,
    /// The bytes of all of them.
    pub(crate) length: usize,
    /// The results of all of them.
    pub(crate) results: usize,
}

impl Records {
    /// Reads up to `most` records in a scope of `values`, of which they may define `free`. The first is the
    /// operation `number`.
    pub(crate) fn read(
        bytes: &[u8],
        limits: &Limits,
        most: usize,
        values: usize,
        free: usize,
        number: usize,
        dictionaries: &mut Vec<Dictionary>,
    ) -> Self {
        let (mut rest, mut left, mut results) = (bytes, most, 0);
        while left != 0 {
            let Some(window) = rest.first_chunk() else {
                break;
            };
            let Some((length, defined, dictionary)) = limits.record(window, values as u64) else {
                break;
            };
            if defined > (free - results) as u64 {
                break;
            }
            results += defined as usize;
            if let Some(attribute) = dictionary {
                dictionaries.push(Dictionary {
                    operation: number + (most - left),
                    attribute: attribute as usize,
                });
            }
            rest = &rest[length.min(WINDOW)..];
            left -= 1;
        }
        Self {
            count: most - left,
            length: bytes.len() - rest.len(),
            results,
        }
    }
}

/// The parts that an operation has, a bit each.
pub(crate) mod part {
    pub(crate) const ATTRIBUTES: u8 = 1;
    pub(crate) const RESULTS: u8 = 1 << 1;
    pub(crate) const OPERANDS: u8 = 1 << 2;
    pub(crate) const SUCCESSORS: u8 = 1 << 3;
    pub(crate) const REGIONS: u8 = 1 << 4;
    pub(crate) const USE_LIST_ORDERS: u8 = 1 << 5;
    pub(crate) const PROPERTIES: u8 = 1 << 6;
}
