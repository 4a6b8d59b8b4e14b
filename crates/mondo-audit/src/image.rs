//! One image of the set: the facts that were read, and its role.

use crate::finding::Severity;
use crate::image_facts::{Arch, Facts, Format};
use crate::llvm_statics::{is_told, type_names};
use crate::policy::{Expect, Input, Policy, Role};
use crate::read::elf::references::{Lookups, lookups};
use crate::read::error::ReadError;
use crate::read::names::NameBudget;
use crate::read::{Part, parts, read_within};

/// Everything that the audit keeps of an image after its bytes are gone.
#[derive(Debug, Clone)]
pub(crate) struct Reading<'a> {
    /// Offset in its file.
    pub(crate) offset: u64,
    /// The facts. Of the full symbol table, which can be a third of the file, they have only the symbols that rules
    /// look for.
    pub(crate) facts: Facts<'a>,
    /// Number of symbols in that table.
    pub(crate) symbols: usize,
    /// Lookups of the dynamic linker.
    pub(crate) lookups: Result<Lookups<'a>, ReadError>,
    /// Names of types that occur in its constants, sorted.
    pub(crate) type_names: Vec<&'a [u8]>,
}

impl<'a> Reading<'a> {
    /// Reads a file that was given as it is, or its part of a universal file.
    pub(crate) fn new(part: &'a Part<'a>) -> Result<Self, ReadError> {
        Self::within(part, NameBudget::for_file(part.bytes.len()))
    }

    /// Reads an image whose names have this budget.
    pub(crate) fn within(part: &'a Part<'a>, budget: NameBudget) -> Result<Self, ReadError> {
        let mut facts = read_within(&part.name, part.bytes, budget)?;
        let symbols = facts.symbols.len();
        facts.symbols.retain(is_told);
        facts.symbols.shrink_to_fit();
        // Objects and archives are not loaded into a process, so the dynamic linker looks nothing up for them.
        let (lookups, type_names) = if facts.kind.is_linked() {
            (
                lookups(&part.name, part.bytes, budget),
                type_names(&facts, part.bytes),
            )
        } else {
            (Ok(Lookups::default()), Vec::new())
        };
        Ok(Self {
            offset: part.offset,
            facts,
            symbols,
            lookups,
            type_names,
        })
    }
}

/// SHA-256 of a file.
pub(crate) type Sum = [u8; 32];

/// One image of the set, in the form that rules get.
#[derive(Debug, Clone)]
pub(crate) struct Image<'a> {
    /// The file that it is, or is a part of, as the caller named it.
    pub(crate) file: &'a str,
    /// The wheel that it comes in.
    pub(crate) package: Option<&'a str>,
    /// Offset in that file.
    pub(crate) offset: u64,
    /// As in [`Reading`].
    pub(crate) facts: Facts<'a>,
    pub(crate) symbols: usize,
    pub(crate) lookups: Result<Lookups<'a>, ReadError>,
    pub(crate) type_names: Vec<&'a [u8]>,
    /// The SHA-256 of that file, if another file may have the same contents.
    pub(crate) sum: Option<Sum>,
    pub(crate) role: Role,
    pub(crate) expect: Option<&'a Expect>,
}

impl<'a> Image<'a> {
    /// An image of one of several wheels is called `<wheel>!<entry>`.
    pub(crate) fn new(
        file: &'a str,
        package: Option<&'a str>,
        reading: Reading<'a>,
        sum: Option<Sum>,
        policy: &'a Policy,
    ) -> Self {
        let Reading {
            offset,
            facts,
            symbols,
            lookups,
            type_names,
        } = reading;
        let expect = policy.expectation(file);
        let role = expect.map_or_else(|| Role::guess(&facts), |expect| expect.role.clone());
        Self {
            file,
            package: package.or_else(|| Some(file.split_once('!')?.0)),
            offset,
            facts,
            symbols,
            lookups,
            type_names,
            sum,
            role,
            expect,
        }
    }

    /// The same image under the names that it has in an audit of several wheels.
    pub(crate) fn among_others(
        self,
        (file, name): &'a (String, String),
        policy: &'a Policy,
    ) -> Self {
        let reading = Reading {
            offset: self.offset,
            facts: Facts { name, ..self.facts },
            symbols: self.symbols,
            lookups: self.lookups,
            type_names: self.type_names,
        };
        Self::new(file, self.package, reading, self.sum, policy)
    }

    /// The severity of a difference from the images that this project makes: an error where the caller states an
    /// expectation, a warning for any other image.
    pub(crate) fn severity(&self) -> Severity {
        match self.expect {
            Some(_) => Severity::Error,
            None => Severity::Warning,
        }
    }

    /// The world of an image: only images with the same format and machine can meet in one process, and unlinked
    /// objects meet in none.
    pub(crate) fn world(&self) -> (Format, Arch, bool) {
        let facts = &self.facts;
        (facts.format, facts.arch, facts.kind.is_linked())
    }
}

/// A file that was given, or its part of a universal file.
#[derive(Debug)]
pub(crate) struct Piece<'a> {
    pub(crate) input: Input<'a>,
    pub(crate) part: Part<'a>,
}

/// The parts of a file; an error if a universal file's table is malformed.
pub(crate) fn pieces<'a>(input: Input<'a>) -> Result<Vec<Piece<'a>>, ReadError> {
    let parts = parts(input.name, input.bytes)?;
    Ok(parts
        .into_iter()
        .map(|part| Piece { input, part })
        .collect())
}
