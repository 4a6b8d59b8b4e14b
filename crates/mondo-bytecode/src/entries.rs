//! The attributes and types that the builtin dialect encodes in binary: their references to one another,
//! and the sizes that MLIR does not compare.
//!
//! The encoding is part of the format ("mlir/IR/BuiltinDialectBytecode.td"), and its codes never change.
//! Entries of other dialects, and those in text, are leaves here.

use crate::elements;
use crate::error::Error;
use crate::fields::{ATTRIBUTES, Decoder, TYPES, attribute};
use crate::reader::Reader;
use crate::references::References;
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

/// The code of an entry. MLIR refuses unknown codes.
#[inline]
fn code(reader: &mut Reader<'_>) -> Result<usize, Error> {
    Ok(usize::try_from(reader.varint()?).unwrap_or(usize::MAX))
}
