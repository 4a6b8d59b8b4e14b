//! The names in the dictionaries of operations.
//!
//! MLIR sets an operation's properties from its dictionary. An attribute of another kind than the property's becomes a
//! null property, which verifiers and printers dereference. The dialect alone knows the kinds, so that bytes do not tell;
//! but after reading, a caller can look whether each operation still has every name of its dictionary.

use crate::error::Error;
use crate::fields::attribute;
use crate::reader::Reader;
use crate::section::Section;
use crate::sections::Sections;
use crate::tables;

/// A name in the dictionary of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name<'a> {
    /// The number of the operation among all of the file, from 0 on, parents before what is in them.
    pub operation: usize,
    /// The name, which need not be UTF-8.
    pub name: &'a [u8],
}

/// The dictionary of an operation, by the index of the attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dictionary {
    pub(crate) operation: usize,
    pub(crate) attribute: usize,
}

/// The names of all dictionaries, in the order of the operations. The file was checked otherwise.
pub(crate) fn names<'a>(
    sections: &Sections<'a>,
    version: u64,
    dictionaries: &[Dictionary],
) -> Result<Vec<Name<'a>>, Error> {
    if dictionaries.is_empty() {
        return Ok(Vec::new());
    }
    let strings = tables::strings(sections.required(Section::String)?)?;
    let entries = tables::coded_attributes(sections, &strings, version)?;
    let mut names = Vec::new();
    for dictionary in dictionaries {
        let Some(mut entry) = coded(&entries, dictionary.attribute, &[attribute::DICTIONARY])?
        else {
            let at = sections.required(Section::Ir)?.offset();
            let message = "the attributes of an operation are not a dictionary in binary";
            return Err(Error::new(at, message));
        };
        for _ in 0..entry.count("named attributes")? {
            let name = entry.index(entries.len(), "attributes")?;
            entry.index(entries.len(), "attributes")?;
            let kinds = [attribute::STRING, attribute::TYPED_STRING];
            let Some(mut string) = coded(&entries, name, &kinds)? else {
                return Err(entry.error("the name of an attribute is not a string in binary"));
            };
            let string = strings[string.index(strings.len(), "strings")?];
            names.push(Name {
                operation: dictionary.operation,
                // Without the NUL.
                name: &string[..string.len() - 1],
            });
        }
    }
    Ok(names)
}

/// The fields of an attribute of one of these codes.
fn coded<'a>(
    entries: &[Option<Reader<'a>>],
    index: usize,
    codes: &[usize],
) -> Result<Option<Reader<'a>>, Error> {
    let Some(mut entry) = entries[index] else {
        return Ok(None);
    };
    let code = entry.varint()?;
    let known = codes.iter().any(|known| *known as u64 == code);
    Ok(known.then_some(entry))
}
