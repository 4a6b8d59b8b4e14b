//! The fields of the builtin dialect's attributes and types, by code.

use crate::error::Error;
use crate::reader::Reader;
use crate::references::References;

/// A field of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Attribute,
    Attributes,
    /// Pairs of attributes.
    Named,
    Type,
    Types,
    String,
    Integer,
    /// Integers, a count before them.
    Integers,
    /// Bytes, a count before them.
    Bytes,
    /// The rest, which needs the entry's type to be read.
    Rest,
}

use Field::{Attribute, Attributes, Bytes, Integer, Integers, Named, Rest, String, Type, Types};

/// The fields of attributes.
pub(crate) const ATTRIBUTES: &[&[Field]] = &[
    &[Attributes],
    &[Named],
    &[String],
    &[String, Type],
    &[Attribute],
    &[Attribute, Attributes],
    &[Type],
    &[],
    &[Type, Rest],
    &[Type, Rest],
    &[Attribute, Attribute],
    &[Attribute, Integer, Integer],
    &[Attributes],
    &[Attributes, Attribute],
    &[Attribute, Attribute],
    &[],
    &[Type, Integer],
    &[Type, Integer, Bytes],
    &[Type, Bytes],
    &[Type, Integer, Rest],
    &[Type, Attribute, Attribute],
    &[Attribute],
    &[Attribute, Integers],
];

/// The codes of some attributes, and of all that MLIR does not compare with their types.
pub(crate) mod attribute {
    pub(crate) const DICTIONARY: usize = 1;
    pub(crate) const STRING: usize = 2;
    pub(crate) const TYPED_STRING: usize = 3;
    pub(crate) const INTEGER: usize = 8;
    pub(crate) const FLOAT: usize = 9;
    pub(crate) const FILE_LINE_COLUMN: usize = 11;
    pub(crate) const DENSE_ARRAY: usize = 17;
    pub(crate) const DENSE_ELEMENTS: usize = 18;
    pub(crate) const DENSE_STRINGS: usize = 19;
    pub(crate) const ALL: [usize; 5] = [INTEGER, FLOAT, DENSE_ARRAY, DENSE_ELEMENTS, DENSE_STRINGS];
}

/// The fields of types.
pub(crate) const TYPES: &[&[Field]] = &[
    &[Integer],
    &[],
    &[Types, Types],
    &[],
    &[],
    &[],
    &[],
    &[],
    &[],
    &[Type],
    &[Integers, Type, Attribute],
    &[Attribute, Integers, Type, Attribute],
    &[],
    &[Integers, Type],
    &[Attribute, Integers, Type],
    &[Types],
    &[Type],
    &[Attribute, Type],
    &[Type],
    &[Integers, Type],
    &[Bytes, Integers, Type],
];

/// The reader of an entry's fields.
pub(crate) struct Decoder {
    pub(crate) references: References,
    pub(crate) attributes: usize,
    pub(crate) types: usize,
    pub(crate) strings: usize,
}

impl Decoder {
    /// Reads `fields`, and adds what they refer to.
    pub(crate) fn read(&mut self, mut reader: Reader<'_>, fields: &[Field]) -> Result<(), Error> {
        let reader = &mut reader;
        for field in fields {
            match field {
                Attribute => self.attribute(reader)?,
                Attributes => {
                    for _ in 0..reader.count("attributes")? {
                        self.attribute(reader)?;
                    }
                }
                Named => {
                    for _ in 0..reader.count("named attributes")? {
                        self.attribute(reader)?;
                        self.attribute(reader)?;
                    }
                }
                Type => self.r#type(reader)?,
                Types => {
                    for _ in 0..reader.count("types")? {
                        self.r#type(reader)?;
                    }
                }
                String => {
                    reader.index(self.strings, "strings")?;
                }
                Integer => {
                    reader.varint()?;
                }
                Integers => {
                    for _ in 0..reader.count("integers")? {
                        reader.varint()?;
                    }
                }
                Bytes => {
                    let count = reader.varint()?;
                    reader.part(count)?;
                }
                Rest => return Ok(()),
            }
        }
        Ok(())
    }

    #[inline]
    fn attribute(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        let index = reader.index(self.attributes, "attributes")?;
        self.references.add(index);
        Ok(())
    }

    fn r#type(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        let index = reader.index(self.types, "types")?;
        self.references.add(self.attributes + index);
        Ok(())
    }
}
