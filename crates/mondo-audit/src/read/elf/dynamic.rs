//! The dynamic segment: what the loader acts on.

use object::read::elf::{Dyn as _, FileHeader, ProgramHeader as _};
use object::{Endianness, StringTable, elf};

use super::{ReadError, Reader, in_part};

/// What the dynamic segment says.
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

        let mut found = Dynamic::default();
        for &(tag, value) in &entries {
            match tag {
                elf::DT_SONAME => found.soname = Some(text(value)?),
                elf::DT_NEEDED => found.needed.push(text(value)?),
                elf::DT_RPATH => found.rpath.extend(text(value)?.split(':')),
                elf::DT_RUNPATH => found.runpath.extend(text(value)?.split(':')),
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
                _ => {}
            }
        }
        Ok(found)
    }

    /// Where in the file the byte is that gets loaded at this address.
    fn file_offset(&self, address: u64) -> Option<u64> {
        self.segments
            .iter()
            .filter(|segment| segment.p_type(self.endian) == elf::PT_LOAD)
            .find_map(|segment| {
                let inside = address.checked_sub(segment.p_vaddr(self.endian).into())?;
                let (start, size) = segment.file_range(self.endian);
                (inside < size).then(|| start.checked_add(inside)).flatten()
            })
    }
}
