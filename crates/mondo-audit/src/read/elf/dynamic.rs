//! The dynamic segment: what the loader acts on.

use object::read::elf::{Dyn as _, FileHeader, ProgramHeader as _};
use object::{Endianness, StringTable, elf};

use super::reader::{Reader, in_part};
use crate::read::error::ReadError;

/// Dynamic tags of Android's compressed relocations.
const ANDROID_REL: i64 = 0x6000_000f;
const ANDROID_RELA: i64 = 0x6000_0011;

/// Contents of the dynamic segment.
#[derive(Default)]
pub(super) struct Dynamic<'a> {
    pub(super) soname: Option<&'a str>,
    pub(super) needed: Vec<&'a str>,
    pub(super) rpath: Vec<&'a str>,
    pub(super) runpath: Vec<&'a str>,
    pub(super) symbolic: bool,
    pub(super) bind_now: bool,
    pub(super) text_relocations: bool,
    pub(super) init_array_size: u64,
    pub(super) symbol_table: Option<u64>,
    pub(super) strings: StringTable<'a>,
    pub(super) hash: Option<u64>,
    pub(super) gnu_hash: Option<u64>,
    pub(super) version_symbols: Option<u64>,
    pub(super) version_definitions: Option<u64>,
    pub(super) version_needs: Option<u64>,
    /// Address and size of the relocation tables, with and without addends.
    pub(super) rela: Vec<(u64, u64)>,
    pub(super) rel: Vec<(u64, u64)>,
    /// True if there are relocations in a form that is not read here.
    pub(super) packed_relocations: bool,
}

impl<'a, E: FileHeader<Endian = Endianness>> Reader<'a, E> {
    pub(super) fn dynamic(&self) -> Result<Dynamic<'a>, ReadError> {
        let start = self
            .segment(elf::PT_DYNAMIC)
            .map_or(0, |segment| segment.p_offset(self.endian).into());
        let part = "dynamic segment";
        let place = format!("{part}, offset {start}");
        let mut entries = Vec::new();
        if let Some(segment) = self.segment(elf::PT_DYNAMIC) {
            let all = segment
                .dynamic(self.endian, self.bytes)
                .map_err(in_part(
                    self.name,
                    part,
                    segment.p_offset(self.endian).into(),
                ))?
                .unwrap_or_default();
            entries.extend(
                all.iter()
                    .map(|entry| (entry.tag(self.endian), entry.val(self.endian)))
                    .take_while(|(tag, _)| *tag != elf::DT_NULL),
            );
        }
        let value = |tag| {
            entries
                .iter()
                .find(|entry| entry.0 == tag)
                .map(|entry| entry.1)
        };
        let strings = match value(elf::DT_STRTAB) {
            Some(address) => {
                let start = self.file_offset(address).ok_or_else(|| {
                    ReadError::malformed(self.name, "DT_STRTAB points outside the file", &place)
                })?;
                let size = value(elf::DT_STRSZ).unwrap_or_default();
                StringTable::new(self.bytes, start, start.saturating_add(size))
            }
            None => StringTable::default(),
        };
        let text = |offset: u64| -> Result<&'a str, ReadError> {
            let bytes = u32::try_from(offset)
                .ok()
                .and_then(|offset| strings.get(offset).ok());
            let bytes = bytes
                .ok_or_else(|| ReadError::malformed(self.name, "a string is missing", &place))?;
            self.text(bytes, &place)
        };

        let paths = |offset: u64| -> Result<Vec<&'a str>, ReadError> {
            let paths: Vec<&str> = text(offset)?.split(':').collect();
            for path in &paths {
                self.names.count(path.as_bytes(), &place)?;
            }
            Ok(paths)
        };

        let mut found = Dynamic {
            strings,
            ..Dynamic::default()
        };
        for &(tag, value) in &entries {
            match tag {
                elf::DT_SONAME => found.soname = Some(text(value)?),
                elf::DT_NEEDED => found.needed.push(text(value)?),
                elf::DT_RPATH => found.rpath.extend(paths(value)?),
                elf::DT_RUNPATH => found.runpath.extend(paths(value)?),
                elf::DT_SYMBOLIC => found.symbolic = true,
                elf::DT_BIND_NOW => found.bind_now = true,
                elf::DT_TEXTREL => found.text_relocations = true,
                elf::DT_FLAGS => {
                    found.bind_now |= value & elf::DF_BIND_NOW.0 != 0;
                    found.symbolic |= value & elf::DF_SYMBOLIC.0 != 0;
                    found.text_relocations |= value & elf::DF_TEXTREL.0 != 0;
                }
                elf::DT_FLAGS_1 => found.bind_now |= value & elf::DF_1_NOW.0 != 0,
                elf::DT_INIT_ARRAYSZ => found.init_array_size = value,
                elf::DT_SYMTAB => found.symbol_table = Some(value),
                elf::DT_HASH => found.hash = Some(value),
                elf::DT_GNU_HASH => found.gnu_hash = Some(value),
                elf::DT_VERSYM => found.version_symbols = Some(value),
                elf::DT_VERDEF => found.version_definitions = Some(value),
                elf::DT_VERNEED => found.version_needs = Some(value),
                elf::DynamicTag(ANDROID_REL | ANDROID_RELA) => found.packed_relocations = true,
                _ => {}
            }
        }
        let pair = |address, size| Some((value(address)?, value(size)?));
        found.rela.extend(pair(elf::DT_RELA, elf::DT_RELASZ));
        found.rel.extend(pair(elf::DT_REL, elf::DT_RELSZ));
        let of_calls = pair(elf::DT_JMPREL, elf::DT_PLTRELSZ);
        if value(elf::DT_PLTREL) == u64::try_from(elf::DT_RELA.0).ok() {
            found.rela.extend(of_calls);
        } else {
            found.rel.extend(of_calls);
        }
        Ok(found)
    }

    /// Offset in the file of the byte that is loaded at this address.
    pub(super) fn file_offset(&self, address: u64) -> Option<u64> {
        Some(self.file_range(address)?.0)
    }

    /// The file offset of the byte at this address, and the number of bytes from there to the end of the segment's
    /// part in the file.
    pub(super) fn file_range(&self, address: u64) -> Option<(u64, u64)> {
        self.segments
            .iter()
            .filter(|segment| segment.p_type(self.endian) == elf::PT_LOAD)
            .find_map(|segment| {
                let inside = address.checked_sub(segment.p_vaddr(self.endian).into())?;
                let (start, size) = segment.file_range(self.endian);
                let left = size.checked_sub(inside).filter(|&left| left > 0)?;
                Some((start.checked_add(inside)?, left))
            })
    }
}
