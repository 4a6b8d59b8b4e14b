//! The attributes and types that the builtin dialect encodes in binary: their references to one another,
//! and the sizes that MLIR does not compare.
//!
//! The encoding is part of the format ("mlir/IR/BuiltinDialectBytecode.td"), and its codes never change.
//! Entries of other dialects, and those in text, are leaves here.

use std::ops::Range;

use crate::elements;
use crate::error::Error;
use crate::fields::{ATTRIBUTES, Decoder, TYPES, attribute};
use crate::reader::Reader;
use crate::references::{References, has_room};
use crate::types::Kind;

/// The entries of both tables, types first: attributes are compared with them.
pub(crate) struct Entries {
    decoder: Decoder,
    /// Each type, and its offset in the file.
    types: Vec<(Kind, usize)>,
}

impl Entries {
    pub(crate) fn new(attributes: usize, types: usize, strings: usize) -> Self {
        Self {
            decoder: Decoder {
                references: References::new(attributes + types),
                attributes,
                types,
                strings,
            },
            types: Vec::with_capacity(types),
        }
    }

    /// Reads the next type; `coded` if it is the builtin dialect's in binary.
    pub(crate) fn add_type(&mut self, mut contents: Reader<'_>, coded: bool) -> Result<(), Error> {
        let at = contents.offset();
        let mut kind = Kind::Unknown;
        if coded {
            let code = code(&mut contents)?;
            if let Some(fields) = TYPES.get(code) {
                self.decoder.read(contents, fields)?;
                kind = Kind::read(code, contents)?;
            }
        } else if is_small_float(contents.bytes()) {
            kind = Kind::Float { width: 8 };
        }
        let entry = self.decoder.attributes + self.types.len();
        self.types.push((kind, at));
        self.decoder.references.end_of_entry(entry, at)
    }

    /// Fails where MLIR would make a type that it does not allow, once all of them were read.
    pub(crate) fn check_types(&self) -> Result<(), Error> {
        for (kind, at) in &self.types {
            kind.check(&self.types, *at)?;
        }
        Ok(())
    }

    /// Reads the attributes of the builtin dialect with these indices, as far as they are places in files: most
    /// attributes of a file are. Returns the number of those that were read; the others are left to
    /// [`Self::add_attribute`].
    pub(crate) fn add_places(
        &mut self,
        entries: Range<usize>,
        sizes: &mut Reader<'_>,
        contents: &mut Reader<'_>,
    ) -> usize {
        let depths = self.decoder.references.depths(self.decoder.attributes);
        let (mut left_sizes, mut left_contents) = (sizes.bytes(), contents.bytes());
        let (first, mut next) = (entries.start, entries.start);
        while next < entries.end {
            let Some((size, name)) = place(left_sizes, left_contents) else {
                break;
            };
            let Some(depth) = depths.get(name).copied().filter(|depth| has_room(*depth)) else {
                break;
            };
            let Some(entry) = depths.get_mut(next) else {
                break;
            };
            *entry = depth + 1;
            left_sizes = &left_sizes[1..];
            left_contents = &left_contents[size..];
            next += 1;
        }
        sizes.pass(sizes.left() - left_sizes.len());
        contents.pass(contents.left() - left_contents.len());
        next - first
    }

    /// Reads the attribute with the index `entry`; `coded` as for types.
    #[inline]
    pub(crate) fn add_attribute(
        &mut self,
        entry: usize,
        mut contents: Reader<'_>,
        coded: bool,
    ) -> Result<(), Error> {
        let at = contents.offset();
        if coded {
            let code = code(&mut contents)?;
            if let Some(fields) = ATTRIBUTES.get(code) {
                self.decoder.read(contents, fields)?;
            }
            if attribute::ALL.contains(&code) {
                elements::check(at, code, contents, &self.types)?;
            }
        }
        self.decoder.references.end_of_entry(entry, at)
    }

    /// Fails where entries refer to themselves.
    pub(crate) fn finish(self) -> Result<(), Error> {
        self.decoder.references.have_no_cycle()
    }
}

/// The size of the next attribute, in one byte, and the index of the name of a file, if it is a line and a
/// column in that, in less than eight bytes.
#[inline(always)]
fn place(sizes: &[u8], contents: &[u8]) -> Option<(usize, usize)> {
    const CODE: u64 = (attribute::FILE_LINE_COLUMN << 1 | 1) as u64;
    const IN_BINARY: u8 = 0b11;
    let size = *sizes.first()?;
    let word = u64::from_le_bytes(*contents.first_chunk()?);
    if size & IN_BINARY != IN_BINARY || word & 0xff != CODE {
        return None;
    }
    let size = u32::from(size >> 2);
    // The bytes of an integer are one more than the zeros that it begins with. A bit that is added bounds the
    // shifts; where it is the first one, the sum is above 7.
    let rest = word >> 8;
    let name = (rest | 1 << 63).trailing_zeros() + 1;
    if name > 3 {
        return None;
    }
    let index = (rest & ((1 << (8 * name)) - 1)) >> name;
    let rest = rest >> (8 * name);
    let line = (rest | 1 << 5).trailing_zeros() + 1;
    let rest = rest >> (8 * line);
    let column = (rest | 1 << 8).trailing_zeros() + 1;
    (1 + name + line + column <= size && size < 8).then_some((size as usize, index as usize))
}

/// True for the names of the floating-point types of 8 bits, which are in text.
fn is_small_float(text: &[u8]) -> bool {
    text.strip_prefix(b"f8E")
        .and_then(|rest| rest.strip_suffix(b"\0"))
        .is_some_and(|rest| rest.iter().all(u8::is_ascii_alphanumeric))
}

/// The code of an entry. MLIR refuses unknown codes.
#[inline]
fn code(reader: &mut Reader<'_>) -> Result<usize, Error> {
    Ok(usize::try_from(reader.varint()?).unwrap_or(usize::MAX))
}
