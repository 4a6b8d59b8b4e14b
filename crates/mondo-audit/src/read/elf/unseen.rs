//! Parts of an image that no reader looks into: packed code, sections of unknown types.

use object::Endianness;
use object::elf::{self, SectionType};
use object::read::elf::{FileHeader, ProgramHeader as _, SectionHeader as _};

use super::reader::Reader;
use crate::image_facts::{Facts, Section};
use crate::read::names::shown;

/// More of one kind are counted, not listed.
const LISTED: usize = 8;

impl<'a, E: FileHeader<Endian = Endianness>> Reader<'a, E> {
    pub(super) fn unseen_parts(&self, facts: &mut Facts<'a>) {
        if self.packed_by_upx() {
            facts.unseen.push(
                "packed by UPX: the code and data that it unpacks when it is loaded".to_owned(),
            );
        }
        if self
            .segments
            .iter()
            .any(|segment| self.is_written_later(segment))
        {
            facts.unseen.push(
                "a segment of code of which the file has nothing: it is written when it is loaded"
                    .to_owned(),
            );
        }
        if self.sections.is_empty() {
            facts.sections = self.segment_places();
        }
        self.unknown_sections(facts);
    }

    /// Reports the unread parts of an object, which has sections and no segments.
    pub(super) fn unseen_in_object(&self, facts: &mut Facts<'a>) {
        let mut symbols = facts.symbols.iter();
        if symbols.any(|symbol| symbol.name == b"__gnu_lto_slim") {
            facts.unseen.push(
                "gcc's own code in place of machine code, made for link-time optimization"
                    .to_owned(),
            );
        }
        self.unknown_sections(facts);
    }

    fn unknown_sections(&self, facts: &mut Facts<'a>) {
        let mut more = 0;
        for section in self.sections.iter() {
            let kind = section.sh_type(self.endian);
            let flags = section.sh_flags(self.endian);
            if is_known(kind) || !flags.contains(elf::SHF_ALLOC) {
                continue;
            }
            more += 1;
            if more <= LISTED {
                let name = self.sections.section_name(self.endian, section);
                let name = shown(name.unwrap_or_default());
                let what = format!("section {name} of the unknown type {:#x}", kind.0);
                facts.unseen.push(what);
            }
        }
        if more > LISTED {
            let what = format!("{} more sections of unknown types", more - LISTED);
            facts.unseen.push(what);
        }
    }

    /// UPX writes a header of its own right after the program headers of a file that it packs.
    fn packed_by_upx(&self) -> bool {
        let start = &self.bytes[..self.bytes.len().min(0x400)];
        memchr::memmem::find(start, b"UPX!").is_some()
    }

    fn is_written_later(&self, segment: &E::ProgramHeader) -> bool {
        let size: u64 = segment.p_memsz(self.endian).into();
        segment.p_type(self.endian) == elf::PT_LOAD
            && segment.p_flags(self.endian).contains(elf::PF_X)
            && segment.p_filesz(self.endian).into() == 0
            && size > 0
    }

    /// Loaded segments, in the form of sections, for a file without section headers. Findings use their names as
    /// places, and rules search constants in them.
    fn segment_places(&self) -> Vec<Section<'a>> {
        self.segments
            .iter()
            .filter(|segment| segment.p_type(self.endian) == elf::PT_LOAD)
            .map(|segment| {
                let flags = segment.p_flags(self.endian);
                let (name, read_only_data) = if flags.contains(elf::PF_X) {
                    ("PT_LOAD r-x", true)
                } else if flags.contains(elf::PF_W) {
                    ("PT_LOAD rw-", false)
                } else {
                    ("PT_LOAD r--", true)
                };
                let (offset, file_size) = segment.file_range(self.endian);
                Section {
                    name,
                    address: segment.p_vaddr(self.endian).into(),
                    offset,
                    file_size,
                    read_only_data,
                }
            })
            .collect()
    }
}

/// Types of the gABI, of processors, of GNU, LLVM and Android.
fn is_known(kind: SectionType) -> bool {
    matches!(
        kind.0,
        0..=19
            | 0x6000_0000..=0x6000_0002
            | 0x6fff_4c00..=0x6fff_4c10
            | 0x6fff_ff00
            | 0x6fff_fff0..=0x6fff_ffff
            | 0x7000_0000..=0x7fff_ffff
    )
}
