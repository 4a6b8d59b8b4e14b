//! A check of MLIR bytecode before MLIR reads it.
//!
//! MLIR's bytecode reader trusts some counts and indices of a file and writes outside of its buffers, or
//! ends the process, where they are wrong. [`check`] reads the frame of a file, which is all that the
//! format defines without a dialect (mlir.llvm.org, "MLIR Bytecode Format"; versions 0 to 6): sections and
//! their alignment, the tables of strings, dialects, operation names, attributes, types, properties and
//! resources, and the operations, regions and blocks with the use-lists of their values. It allocates in
//! proportion to the file and does not recurse.
//!
//! The contents of attributes, types and properties are their dialect's. Only those of the builtin dialect
//! are read here, since MLIR makes them without comparing the sizes that they state, and does not end
//! where one refers to itself. This crate does no I/O, has no dependency and no `unsafe` code.
//!
//! Of text, which MLIR's parser checks itself, [`check_text`] looks at the nesting, in which MLIR recurses
//! without a limit, and at a last string that does not end.
//!
//! ```
//! let error = mondo_bytecode::check(b"ML\xefR\x0dtest\0").unwrap_err();
//! assert_eq!(error.to_string(), "at byte 10: the section String is missing");
//! ```

mod dictionaries;
mod elements;
mod entries;
mod error;
mod fields;
mod operations;
mod reader;
mod records;
mod references;
mod section;
mod sections;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod types;
mod use_lists;

pub use dictionaries::Name;
pub use error::Error;
use reader::Reader;
pub use reader::{MAGIC, is_bytecode};
pub use section::Section;
pub use text::{TextError, check_text};

use sections::Sections;
use tables::Tables;

/// A part of what a sound file has, for its reader.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents<'a> {
    /// The names in the dictionaries of operations, in the order of these. After MLIR has read the file, each is
    /// the name of an attribute of the operation, unless the attribute is of the wrong kind.
    pub names: Vec<Name<'a>>,
}

/// The newest version of the format that this crate knows, that of LLVM 18 to 22.
pub const VERSION: u64 = 6;

/// Checks the frame of a bytecode file. Alignment is measured by the address of `bytes`, which therefore
/// is that of the memory that MLIR is going to read.
///
/// A file of a version above [`VERSION`] passes, since MLIR refuses it by its header.
///
/// # Errors
/// [`Error`] with the offset of the first thing that MLIR must not be given.
pub fn check(bytes: &[u8]) -> Result<Contents<'_>, Error> {
    check_at(Reader::new(bytes, bytes.as_ptr() as usize))
}

/// As [`check`], of the bytes of a file, which MLIR maps or reads to an address of the largest alignment
/// that they need.
///
/// # Errors
/// As [`check`].
pub fn check_file(bytes: &[u8]) -> Result<Contents<'_>, Error> {
    check_at(Reader::new(bytes, 0))
}

fn check_at(mut reader: Reader<'_>) -> Result<Contents<'_>, Error> {
    reader.magic()?;
    let version = reader.varint()?;
    if version > VERSION {
        return Ok(Contents::default());
    }
    reader.terminated()?;
    let sections = Sections::read(reader, version)?;
    let tables = Tables::read(&sections, version)?;
    let dictionaries = operations::check(&tables, version, sections.required(Section::Ir)?)?;
    let names = dictionaries::names(&sections, version, &dictionaries)?;
    Ok(Contents { names })
}
