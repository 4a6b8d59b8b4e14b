//! The reader of bytes, variable-width integers and section headers.

use crate::error::Error;
use crate::section::Section;

/// The first bytes of a bytecode file.
pub const MAGIC: [u8; 4] = *b"ML\xefR";

/// True if `bytes` begin as bytecode does; MLIR reads everything else as text.
#[must_use]
pub fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The byte that fills the space before an aligned section.
const PADDING: u8 = 0xCB;

/// The mark of a section whose header states an alignment.
const ALIGNED: u8 = 0x80;

/// The integers that [`Reader::eight_flagged`] reads.
pub(crate) const EIGHT: usize = 8;

/// A part of a file, and the position in it. Offsets are those of the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a> {
    file: &'a [u8],
    /// The address that alignment is measured by.
    address: usize,
    at: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(file: &'a [u8], address: usize) -> Self {
        Self {
            file,
            address,
            at: 0,
            end: file.len(),
        }
    }

    /// The offset of the next byte.
    #[inline]
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// The number of bytes that are left.
    #[inline]
    pub(crate) fn left(&self) -> usize {
        self.end - self.at
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.at == self.end
    }

    /// Passes over `count` bytes; false if fewer are left.
    #[inline]
    fn skip(&mut self, count: usize) -> bool {
        if count > self.left() {
            return false;
        }
        self.at += count;
        true
    }

    /// Passes over `count` bytes, of those that are left.
    pub(crate) fn pass(&mut self, count: usize) {
        self.at = self.end.min(self.at + count);
    }

    /// The error at the next byte.
    #[cold]
    pub(crate) fn error(&self, message: impl Into<String>) -> Error {
        Error::new(self.offset(), message)
    }

    pub(crate) fn magic(&mut self) -> Result<(), Error> {
        if !is_bytecode(self.bytes()) || !self.skip(MAGIC.len()) {
            return Err(self.error("this is not bytecode: it does not begin with 'ML\\xefR'"));
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8, Error> {
        match self.file.get(self.at) {
            Some(byte) if self.skip(1) => Ok(*byte),
            _ => Err(self.error("the data end in the middle of an entry")),
        }
    }

    /// The next `length` bytes as a part of their own.
    #[inline]
    pub(crate) fn part(&mut self, length: u64) -> Result<Self, Error> {
        let before = *self;
        match usize::try_from(length) {
            Ok(length) if self.skip(length) => Ok(Self {
                end: self.at,
                ..before
            }),
            _ => Err(self.too_long(length)),
        }
    }

    #[cold]
    fn too_long(&self, length: u64) -> Error {
        let left = self.left();
        self.error(format!("{length} bytes are announced, and {left} are left"))
    }

    /// A part at the end of this one, which then ends before it.
    #[inline]
    pub(crate) fn part_at_end(&mut self, length: u64) -> Option<Self> {
        let length = usize::try_from(length).ok()?;
        let at = self.end.checked_sub(length).filter(|at| *at >= self.at)?;
        let part = Self { at, ..*self };
        self.end = at;
        Some(part)
    }

    /// The bytes that are left.
    #[inline]
    pub(crate) fn bytes(&self) -> &'a [u8] {
        &self.file[self.at..self.end]
    }

    /// A variable-width integer: one to nine bytes, whose number is the number of zero bits below the
    /// lowest one bit of the first byte, and one more.
    #[inline]
    pub(crate) fn varint(&mut self) -> Result<u64, Error> {
        match self.file.get(self.at) {
            Some(byte) if byte & 1 == 1 && self.at < self.end => {
                self.at += 1;
                Ok(u64::from(byte >> 1))
            }
            _ => self.long_varint(),
        }
    }

    /// As [`Self::varint`], of more than one byte. One copy, as the code of a bundle is counted in kilobytes.
    #[inline(never)]
    fn long_varint(&mut self) -> Result<u64, Error> {
        // One load, of which the bytes behind the integer are shifted out.
        if let Some(chunk) = self.file.get(self.at..).and_then(<[u8]>::first_chunk) {
            let word = u64::from_le_bytes(*chunk);
            let more = word.trailing_zeros();
            if more < 8 && self.skip(more as usize + 1) {
                let unused = 56 - 8 * more;
                return Ok(word << unused >> (unused + more + 1));
            }
        }
        self.varint_at_end()
    }

    /// As [`Self::varint`], of nine bytes or close to the end.
    #[cold]
    fn varint_at_end(&mut self) -> Result<u64, Error> {
        let first = self.byte()?;
        let more = first.trailing_zeros() as usize;
        let bytes = self.bytes();
        if !self.skip(more) {
            return Err(self.error("the data end in the middle of an integer"));
        }
        let mut word = [0; 8];
        word[..more].copy_from_slice(&bytes[..more]);
        let above = u64::from_le_bytes(word);
        if more == 8 {
            return Ok(above);
        }
        Ok(above << (7 - more) | u64::from(first) >> (more + 1))
    }

    /// An integer whose lowest bit is a flag.
    #[inline]
    pub(crate) fn flagged(&mut self) -> Result<(u64, bool), Error> {
        let word = self.varint()?;
        Ok((word >> 1, word & 1 == 1))
    }

    /// The next eight bytes, the first in the lowest bits, if there are so many.
    #[inline(always)]
    pub(crate) fn word(&self) -> Option<u64> {
        let chunk = self.file[..self.end].get(self.at..)?.first_chunk()?;
        Some(u64::from_le_bytes(*chunk))
    }

    /// The sum of eight variable-width integers of which each has a flag in its lowest bit, without the flags. None, and
    /// nothing is read, if one of them has more than one byte. In MLIR's encoding the lowest bit of the first byte is 1
    /// where no further byte follows; the flag is the bit above it, and the integer the six bits above that.
    #[inline(always)]
    pub(crate) fn eight_flagged(&mut self) -> Option<u64> {
        const ONES: u64 = u64::from_le_bytes([1; EIGHT]);
        let word = self.word().filter(|word| word & ONES == ONES)?;
        self.at += EIGHT;
        // All eight at once: the multiplication adds the four sums of neighbours, each in 16 bits, into the highest 16
        // bits of the word. Eight integers of 6 bits have a sum below 2^16, so that no addition carries over.
        let sizes = word >> 2 & u64::from_le_bytes([0x3f; EIGHT]);
        let even = u64::from_le_bytes([0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0]);
        let pairs = (sizes & even) + (sizes >> 8 & even);
        Some(pairs.wrapping_mul(u64::from_le_bytes([1, 0, 1, 0, 1, 0, 1, 0])) >> 48)
    }

    /// Reads a count of items. MLIR allocates that many before it reads the first one. Each item takes at least one
    /// byte, so a count that is larger than the number of bytes left is refused.
    #[inline]
    pub(crate) fn count(&mut self, things: &str) -> Result<usize, Error> {
        let at = self.offset();
        let count = self.varint()?;
        self.plausible(at, count, things)
    }

    /// As [`Self::count`], with a flag in the lowest bit.
    #[inline]
    pub(crate) fn flagged_count(&mut self, things: &str) -> Result<(usize, bool), Error> {
        let at = self.offset();
        let (count, flag) = self.flagged()?;
        Ok((self.plausible(at, count, things)?, flag))
    }

    #[inline]
    fn plausible(&self, at: usize, count: u64, things: &str) -> Result<usize, Error> {
        match usize::try_from(count) {
            Ok(count) if count <= self.left() => Ok(count),
            _ => Err(self.too_many(at, count, things)),
        }
    }

    #[cold]
    fn too_many(&self, at: usize, count: u64, things: &str) -> Error {
        let left = self.left();
        let message = format!("{count} {things} are announced, and {left} bytes are left");
        Error::new(at, message)
    }

    /// An index into a table with `length` entries.
    #[inline]
    pub(crate) fn index(&mut self, length: usize, table: &str) -> Result<usize, Error> {
        let at = self.offset();
        let index = self.varint()?;
        in_table(at, index, length, table)
    }

    /// As [`Self::index`], with a flag in the lowest bit.
    #[inline]
    pub(crate) fn flagged_index(
        &mut self,
        length: usize,
        table: &str,
    ) -> Result<(usize, bool), Error> {
        let at = self.offset();
        let (index, flag) = self.flagged()?;
        Ok((in_table(at, index, length, table)?, flag))
    }

    /// A string up to its NUL.
    pub(crate) fn terminated(&mut self) -> Result<(), Error> {
        let Some(length) = self.bytes().iter().position(|byte| *byte == 0) else {
            return Err(self.error("a string without its NUL"));
        };
        self.skip(length + 1);
        Ok(())
    }

    /// A section: its kind and its contents.
    pub(crate) fn section(&mut self) -> Result<(Section, Self), Error> {
        let at = self.offset();
        let kind = self.byte()?;
        let length = self.varint()?;
        let section = Section::of(kind & !ALIGNED)
            .ok_or_else(|| Error::new(at, format!("there is no section {}", kind & !ALIGNED)))?;
        if kind & ALIGNED != 0 {
            let at = self.offset();
            let alignment = self.varint()?;
            self.skip_padding(at, alignment)?;
        }
        Ok((section, self.part(length)?))
    }

    /// Skips the padding before something of this alignment, which stands at `at`.
    pub(crate) fn skip_padding(&mut self, at: usize, alignment: u64) -> Result<(), Error> {
        // MLIR takes it for a number of 32 bits.
        let known = u32::try_from(alignment)
            .ok()
            .filter(|alignment| alignment.is_power_of_two());
        let Some(alignment) = known else {
            let message = format!("the alignment {alignment} is not a power of two below 2^32");
            return Err(Error::new(at, message));
        };
        while !(self.address.wrapping_add(self.offset())).is_multiple_of(alignment as usize) {
            let at = self.offset();
            if self.byte()? != PADDING {
                return Err(Error::new(at, "the padding is not the byte 0xCB"));
            }
        }
        Ok(())
    }
}

#[inline]
fn in_table(at: usize, index: u64, length: usize, table: &str) -> Result<usize, Error> {
    match usize::try_from(index) {
        Ok(index) if index < length => Ok(index),
        _ => Err(outside(at, index, length, table)),
    }
}

#[cold]
fn outside(at: usize, index: u64, length: usize, table: &str) -> Error {
    let message =
        format!("the index {index} is outside of the table of {table}, which has {length}");
    Error::new(at, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_each_width() {
        let cases: [(&[u8], u64); 6] = [
            (&[0x01], 0),
            (&[0xff], 127),
            (&[0x02, 0x02], 128),
            (&[0xfe, 0xff], (1 << 14) - 1),
            (&[0x80, 1, 0, 0, 0, 0, 0, 0], 1),
            (&[0, 1, 0, 0, 0, 0, 0, 0, 0x80], (1 << 63) + 1),
        ];
        for (bytes, value) in cases {
            let mut reader = Reader::new(bytes, 0);
            assert_eq!(reader.varint().unwrap(), value, "{bytes:?}");
            assert!(reader.is_empty());
        }
        assert_eq!(Reader::new(&[0, 1], 0).varint().unwrap_err().offset(), 1);
    }

    #[test]
    fn a_count_is_at_most_the_bytes_that_are_left() {
        assert_eq!(Reader::new(&[3, 0], 0).count("things").unwrap(), 1);
        let error = Reader::new(&[5, 0], 0).count("things").unwrap_err();
        assert_eq!(
            error.to_string(),
            "at byte 0: 2 things are announced, and 1 bytes are left"
        );
    }
}
