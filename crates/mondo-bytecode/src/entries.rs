//! The attributes and types that the builtin dialect encodes in binary: their references to one another,
//! and the sizes that MLIR does not compare.
//!
//! The encoding is part of the format ("mlir/IR/BuiltinDialectBytecode.td"), and its codes never change.
//! Entries of other dialects, and those in text, are leaves here.

use crate::elements;
use crate::error::Error;
use crate::fields::{ATTRIBUTES, Decoder, Entry, TYPES, attribute};
use crate::reader::Reader;
use crate::references::References;
use crate::types::Kind;

/// Checks the entries of both tables.
pub(crate) fn check(
    attributes: &[Entry<'_>],
    types: &[Entry<'_>],
    strings: usize,
) -> Result<(), Error> {
    let mut seen = Vec::with_capacity(types.len());
    let mut decoder = Decoder {
        references: References::new(attributes.len(), types.len()),
        attributes: attributes.len(),
        types: types.len(),
        strings,
    };
    let mut dense = Vec::new();
    for entry in attributes {
        if let Some((code, reader)) = coded(*entry)? {
            if let Some(fields) = ATTRIBUTES.get(code) {
                decoder.read(reader, fields)?;
            }
            if attribute::ALL.contains(&code) {
                dense.push((at(*entry), code, reader));
            }
        }
        decoder.references.end_of_entry();
    }
    for entry in types {
        let mut kind = Kind::Unknown;
        if let Some((code, reader)) = coded(*entry)?
            && let Some(fields) = TYPES.get(code)
        {
            decoder.read(reader, fields)?;
            kind = Kind::read(code, reader)?;
        }
        seen.push(kind);
        decoder.references.end_of_entry();
    }
    let offset = |entry| offset(attributes, types, entry);
    decoder.references.have_no_cycle(offset)?;
    for (kind, entry) in seen.iter().zip(types) {
        kind.check(&seen, at(*entry))?;
    }
    for (at, code, reader) in dense {
        elements::check(at, code, reader, &seen)?;
    }
    Ok(())
}

/// The code of an entry, and the reader behind it. MLIR refuses unknown codes.
fn coded(entry: Entry<'_>) -> Result<Option<(usize, Reader<'_>)>, Error> {
    let Some(mut reader) = entry else {
        return Ok(None);
    };
    let code = usize::try_from(reader.varint()?).unwrap_or(usize::MAX);
    Ok(Some((code, reader)))
}

fn at(entry: Entry<'_>) -> usize {
    entry.map_or(0, |reader| reader.offset())
}

fn offset(attributes: &[Entry<'_>], types: &[Entry<'_>], entry: usize) -> usize {
    let (table, index) = match entry.checked_sub(attributes.len()) {
        None => (attributes, entry),
        Some(index) => (types, index),
    };
    table.get(index).map_or(0, |entry| at(*entry))
}
