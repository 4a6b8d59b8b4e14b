//! ELF images, after the System V gABI, the GNU symbol versions of the LSB and `elf(5)`.
//!
//! Data for the loader (needed libraries, search paths, flags, relocations) is read through the program headers, as
//! the loader does it. Symbols and versions are read through section headers. Every linker writes these, and only a
//! malicious file would let them disagree with the loader's data. If a tool has removed the section headers, symbols
//! and versions are read through the dynamic segment.

mod dynamic;
mod notes;
mod reader;
pub(crate) mod references;
mod symbols;
mod tables;
mod unseen;
mod versions;

use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader as _, SectionHeader as _};
use object::{Endianness, FileKind};

use reader::Reader;

use super::error::ReadError;
use super::names::NameBudget;
use crate::image_facts::{Arch, Facts, Format, Hardening, ImageKind, Section};

/// Reads an ELF file of either class and either byte order.
pub(super) fn read<'a>(
    name: &'a str,
    bytes: &'a [u8],
    budget: NameBudget,
) -> Result<Facts<'a>, ReadError> {
    match FileKind::parse(bytes) {
        Ok(FileKind::Elf64) => {
            Reader::<FileHeader64<Endianness>>::new(name, bytes, budget)?.facts(64)
        }
        Ok(FileKind::Elf32) => {
            Reader::<FileHeader32<Endianness>>::new(name, bytes, budget)?.facts(32)
        }
        _ => Err(ReadError::malformed(
            name,
            "neither 32-bit nor 64-bit ELF",
            "file header, offset 4",
        )),
    }
}

impl<'a, E: FileHeader<Endian = Endianness>> Reader<'a, E> {
    fn facts(&self, bits: u8) -> Result<Facts<'a>, ReadError> {
        let kind = self.kind()?;
        let mut facts = Facts::new(self.name, Format::Elf, self.bytes);
        facts.kind = kind;
        facts.arch = self.arch();
        facts.bits = bits;
        facts.big_endian = self.endian == Endianness::Big;
        facts.flat_namespace = true;
        facts.sections = self.section_places()?;
        facts.debug_info = debug_info(&facts.sections);
        if kind == ImageKind::Object {
            self.object(&mut facts)?;
            self.unseen_in_object(&mut facts);
            return Ok(facts);
        }

        let dynamic = self.dynamic()?;
        let tables = self.tables(&dynamic, &mut facts.unseen)?;
        let named = self.dynamic_symbols(&tables)?;
        (facts.exports, facts.imports) = (named.exports, named.imports);
        (facts.symbols, facts.stripped) = self.symbols()?;
        facts.version_needs = tables.versions.needs;
        facts.version_nodes = tables.versions.nodes;
        facts.soname = dynamic.soname;
        facts.needed = dynamic.needed;
        facts.rpath = dynamic.rpath;
        facts.runpath = dynamic.runpath;
        facts.symbolic = dynamic.symbolic;
        facts.bind_now = dynamic.bind_now;
        facts.text_relocations = dynamic.text_relocations;
        facts.init_array_size = dynamic.init_array_size;
        facts.executable_stack = self
            .segment(elf::PT_GNU_STACK)
            .map(|segment| segment.p_flags(self.endian).contains(elf::PF_X));
        facts.relro = self.segment(elf::PT_GNU_RELRO).is_some();
        let notes = self.notes(facts.arch)?;
        facts.build_id = notes.build_id;
        facts.hardening = Hardening {
            position_independent: Some(self.header.e_type(self.endian) == elf::ET_DYN),
            no_execute: Some(facts.executable_stack == Some(false)),
            ..notes.hardening
        };
        if dynamic.packed_relocations {
            facts
                .unseen
                .push("packed relocations of Android: which names they are about".to_owned());
        }
        self.unseen_parts(&mut facts);
        Ok(facts)
    }

    fn arch(&self) -> Arch {
        match self.header.e_machine(self.endian) {
            elf::EM_386 => Arch::X86,
            elf::EM_X86_64 => Arch::X86_64,
            elf::EM_ARM => Arch::Arm,
            elf::EM_AARCH64 => Arch::Aarch64,
            elf::EM_PPC => Arch::PowerPc,
            elf::EM_PPC64 if self.endian == Endianness::Little => Arch::PowerPc64Le,
            elf::EM_PPC64 => Arch::PowerPc64,
            elf::EM_RISCV if self.header.is_type_64() => Arch::Riscv64,
            elf::EM_S390 if self.header.is_type_64() => Arch::S390x,
            other => Arch::Other(other.0.into()),
        }
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
            elf::ET_REL => Ok(ImageKind::Object),
            elf::ET_CORE => unsupported("it is a core dump"),
            _ => unsupported("its ELF type is unknown"),
        }
    }

    fn section_places(&self) -> Result<Vec<Section<'a>>, ReadError> {
        let mut places = Vec::with_capacity(self.names.capacity(self.sections.len()));
        for section in self.sections.iter() {
            let name = self
                .sections
                .section_name(self.endian, section)
                .unwrap_or_default();
            self.names.count(name, "section headers")?;
            let flags = section.sh_flags(self.endian);
            let has = |flag| flags.contains(flag);
            let kind = section.sh_type(self.endian);
            places.push(Section {
                name: std::str::from_utf8(name).unwrap_or_default(),
                address: section.sh_addr(self.endian).into(),
                offset: section.sh_offset(self.endian).into(),
                file_size: if kind == elf::SHT_NOBITS {
                    0
                } else {
                    section.sh_size(self.endian).into()
                },
                read_only_data: has(elf::SHF_ALLOC)
                    && !has(elf::SHF_WRITE)
                    && !has(elf::SHF_EXECINSTR)
                    && kind == elf::SHT_PROGBITS,
            });
        }
        Ok(places)
    }
}

fn debug_info(sections: &[Section<'_>]) -> u64 {
    sections
        .iter()
        .filter(|section| {
            [".debug_", ".zdebug_", ".stab"]
                .iter()
                .any(|prefix| section.name.starts_with(prefix))
        })
        .fold(0, |sum, section| sum.saturating_add(section.file_size))
}
