//! The headers and tables of an ELF file that all parts are found through.

use object::Endianness;
use object::elf;
use object::read::elf::{FileHeader, ProgramHeader as _, SectionHeader as _, SectionTable};

use crate::read::error::ReadError;
use crate::read::names::{NameBudget, Names};

/// The tables that everything else is found through.
pub(super) struct Reader<'a, E: FileHeader<Endian = Endianness>> {
    pub(super) name: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) header: &'a E,
    pub(super) endian: Endianness,
    pub(super) segments: &'a [E::ProgramHeader],
    pub(super) sections: SectionTable<'a, E>,
    pub(super) names: Names<'a>,
}

impl<'a, E: FileHeader<Endian = Endianness>> Reader<'a, E> {
    pub(super) fn new(
        name: &'a str,
        bytes: &'a [u8],
        budget: NameBudget,
    ) -> Result<Self, ReadError> {
        let header = E::parse(bytes).map_err(in_part(name, "file header", 0))?;
        let endian = header.endian().map_err(in_part(name, "file header", 5))?;
        let place = header.e_phoff(endian).into();
        let segments = header.program_headers(endian, bytes).map_err(in_part(
            name,
            "program headers",
            place,
        ))?;
        let place = header.e_shoff(endian).into();
        let sections =
            header
                .sections(endian, bytes)
                .map_err(in_part(name, "section headers", place))?;
        Ok(Self {
            name,
            bytes,
            header,
            endian,
            segments,
            sections,
            names: Names::new(name, budget),
        })
    }

    pub(super) fn segment(&self, kind: elf::ProgramType) -> Option<&'a E::ProgramHeader> {
        self.segments
            .iter()
            .find(|segment| segment.p_type(self.endian) == kind)
    }

    /// Offset of the first section of this type; 0 if there is none.
    pub(super) fn start_of(&self, kind: elf::SectionType) -> u64 {
        self.sections
            .iter()
            .find(|section| section.sh_type(self.endian) == kind)
            .map_or(0, |section| section.sh_offset(self.endian).into())
    }

    pub(super) fn text(&self, bytes: &'a [u8], part: &str) -> Result<&'a str, ReadError> {
        self.names.text(bytes, part)
    }
}

/// Turns `object`'s error about a part of the file into ours.
pub(super) fn in_part<'n>(
    name: &'n str,
    part: &'static str,
    offset: u64,
) -> impl Fn(object::read::Error) -> ReadError + use<'n> {
    move |error| ReadError::malformed(name, error.to_string(), format!("{part}, offset {offset}"))
}
