//! ELF images, after the System V gABI, the GNU symbol versions of the LSB and `elf(5)`.
//!
//! What the loader acts on (needed libraries, search paths, flags) is read from the program headers
//! as the loader does; symbols and versions are read through section headers, which every linker
//! writes and only a malicious file would let disagree.

mod dynamic;
pub(crate) mod references;
mod symbols;

use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader as _, SectionHeader as _, SectionTable};
use object::{Endianness, FileKind};

use super::ReadError;
use crate::facts::{Arch, Facts, ImageKind, Section};

/// Reads an ELF file of either class and either byte order.
pub(super) fn read<'a>(name: &'a str, bytes: &'a [u8]) -> Result<Facts<'a>, ReadError> {
    match FileKind::parse(bytes) {
        Ok(FileKind::Elf64) => Reader::<FileHeader64<Endianness>>::new(name, bytes)?.facts(64),
        Ok(FileKind::Elf32) => Reader::<FileHeader32<Endianness>>::new(name, bytes)?.facts(32),
        _ => Err(ReadError::malformed(
            name,
            "neither 32-bit nor 64-bit ELF",
            "file header",
        )),
    }
}

/// The tables that everything else is found through.
struct Reader<'a, E: FileHeader<Endian = Endianness>> {
    name: &'a str,
    bytes: &'a [u8],
    header: &'a E,
    endian: Endianness,
    segments: &'a [E::ProgramHeader],
    sections: SectionTable<'a, E>,
}

impl<'a, E: FileHeader<Endian = Endianness>> Reader<'a, E> {
    fn new(name: &'a str, bytes: &'a [u8]) -> Result<Self, ReadError> {
        let header = E::parse(bytes).map_err(in_part(name, "file header"))?;
        let endian = header.endian().map_err(in_part(name, "file header"))?;
        let segments = header
            .program_headers(endian, bytes)
            .map_err(in_part(name, "program headers"))?;
        let sections = header
            .sections(endian, bytes)
            .map_err(in_part(name, "section headers"))?;
        Ok(Self {
            name,
            bytes,
            header,
            endian,
            segments,
            sections,
        })
    }

    fn facts(&self, bits: u8) -> Result<Facts<'a>, ReadError> {
        let kind = self.kind()?;
        let dynamic = self.dynamic()?;
        let nodes = self.version_nodes()?;
        let named = self.dynamic_symbols(&dynamic, &nodes)?;
        let (symbols, stripped) = self.symbols()?;
        Ok(Facts {
            name: self.name,
            kind,
            arch: match self.header.e_machine(self.endian) {
                elf::EM_X86_64 => Arch::X86_64,
                elf::EM_AARCH64 => Arch::Aarch64,
                other => Arch::Other(other.0),
            },
            bits,
            file_size: self.bytes.len() as u64,
            soname: dynamic.soname,
            needed: dynamic.needed,
            rpath: dynamic.rpath,
            runpath: dynamic.runpath,
            exports: named.exports,
            imports: named.imports,
            version_needs: self.version_needs()?,
            version_nodes: nodes,
            symbols,
            stripped,
            sections: self.section_places(),
            executable_stack: self
                .segment(elf::PT_GNU_STACK)
                .map(|segment| segment.p_flags(self.endian).contains(elf::PF_X)),
            relro: self.segment(elf::PT_GNU_RELRO).is_some(),
            bind_now: dynamic.bind_now,
            text_relocations: dynamic.text_relocations,
            build_id: self.build_id()?,
            init_array_size: dynamic.init_array_size,
        })
    }

    fn kind(&self) -> Result<ImageKind, ReadError> {
        let unsupported = |found| {
            Err(ReadError::Unsupported {
                name: self.name.to_owned(),
                found,
            })
        };
        match self.header.e_type(self.endian) {
            elf::ET_DYN if self.segment(elf::PT_INTERP).is_none() => Ok(ImageKind::SharedLibrary),
            elf::ET_DYN | elf::ET_EXEC => Ok(ImageKind::Program),
            elf::ET_REL => unsupported("it is an object file that is not linked yet"),
            elf::ET_CORE => unsupported("it is a core dump"),
            _ => unsupported("its ELF type is unknown"),
        }
    }

    fn segment(&self, kind: elf::ProgramType) -> Option<&'a E::ProgramHeader> {
        self.segments
            .iter()
            .find(|segment| segment.p_type(self.endian) == kind)
    }

    fn build_id(&self) -> Result<Option<&'a [u8]>, ReadError> {
        let fail = in_part(self.name, "notes");
        for segment in self.segments {
            let Some(mut notes) = segment.notes(self.endian, self.bytes).map_err(&fail)? else {
                continue;
            };
            while let Some(note) = notes.next().map_err(&fail)? {
                if note.name() == elf::ELF_NOTE_GNU
                    && note.n_type(self.endian) == elf::NT_GNU_BUILD_ID
                    && !note.desc().is_empty()
                {
                    return Ok(Some(note.desc()));
                }
            }
        }
        Ok(None)
    }

    fn section_places(&self) -> Vec<Section<'a>> {
        self.sections
            .iter()
            .map(|section| {
                let name = self
                    .sections
                    .section_name(self.endian, section)
                    .unwrap_or_default();
                let flags = section.sh_flags(self.endian);
                let has = |flag| flags.contains(flag);
                let in_file = section.sh_type(self.endian) != elf::SHT_NOBITS;
                Section {
                    name: std::str::from_utf8(name).unwrap_or_default(),
                    address: section.sh_addr(self.endian).into(),
                    offset: section.sh_offset(self.endian).into(),
                    file_size: if in_file {
                        section.sh_size(self.endian).into()
                    } else {
                        0
                    },
                    read_only_data: has(elf::SHF_ALLOC)
                        && !has(elf::SHF_WRITE)
                        && !has(elf::SHF_EXECINSTR)
                        && section.sh_type(self.endian) == elf::SHT_PROGBITS,
                }
            })
            .collect()
    }

    fn text(&self, bytes: &'a [u8], part: &str) -> Result<&'a str, ReadError> {
        std::str::from_utf8(bytes)
            .map_err(|_| ReadError::malformed(self.name, "a name is not UTF-8", part))
    }
}

/// Turns `object`'s error about a part of the file into ours.
fn in_part<'n>(
    name: &'n str,
    part: &'static str,
) -> impl Fn(object::read::Error) -> ReadError + use<'n> {
    move |error| ReadError::malformed(name, error.to_string(), part)
}
