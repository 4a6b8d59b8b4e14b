//! The facts about one object file that the graph of references needs: its sections, its symbols, and the symbols
//! that each section refers to.

use object::read::elf::ElfFile64;
use object::{
    Object, ObjectComdat, ObjectSection, ObjectSymbol, RelocationTarget, SectionFlags,
    SectionIndex, SectionKind, SymbolIndex, elf,
};

/// A parsed member of an archive, without the debug sections, which do not ship.
#[derive(Debug, Default)]
pub(super) struct ObjectFile<'a> {
    pub(super) sections: Vec<Section<'a>>,
    pub(super) symbols: Vec<Symbol<'a>>,
}

#[derive(Debug, Default)]
pub(super) struct Section<'a> {
    pub(super) name: &'a str,
    pub(super) size: u64,
    /// The signature of its COMDAT group, if it is in one.
    pub(super) comdat: Option<&'a str>,
    /// True if the linker's garbage collection keeps it without any reference to it.
    pub(super) root: bool,
    /// The symbols that it refers to, by index.
    pub(super) refers: Vec<usize>,
}

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Symbol<'a> {
    pub(super) name: &'a str,
    pub(super) section: Option<usize>,
    pub(super) local: bool,
    pub(super) weak: bool,
}

impl<'a> ObjectFile<'a> {
    /// Parses a member. Returns none for anything but a 64-bit ELF object, because a link takes nothing else.
    pub(super) fn parse(data: &'a [u8]) -> Option<Self> {
        let file = ElfFile64::<object::Endianness>::parse(data).ok()?;
        let mut this = Self::default();
        // The index in the result by the index in the file's section table.
        let mut place: Vec<Option<usize>> = Vec::new();
        for section in file.sections() {
            let SectionFlags::Elf { sh_flags, .. } = section.flags() else {
                continue;
            };
            let index = section.index().0;
            place.resize(place.len().max(index + 1), None);
            if !sh_flags.contains(elf::SHF_ALLOC) {
                continue;
            }
            let name = section.name().unwrap_or_default();
            let bits = section.kind() != SectionKind::UninitializedData;
            place[index] = Some(this.sections.len());
            this.sections.push(Section {
                name,
                size: if bits { section.size() } else { 0 },
                comdat: None,
                root: is_root(name) || sh_flags.contains(elf::SHF_GNU_RETAIN),
                refers: Vec::new(),
            });
        }
        let at = |index: SectionIndex| place.get(index.0).copied().flatten();
        for comdat in file.comdats() {
            let Ok(name) = comdat.name() else { continue };
            for section in comdat.sections() {
                if let Some(index) = at(section) {
                    this.sections[index].comdat = Some(name);
                }
            }
        }
        for symbol in file.symbols() {
            let index = symbol.index().0;
            this.symbols
                .resize(this.symbols.len().max(index + 1), Symbol::default());
            this.symbols[index] = Symbol {
                name: symbol.name().unwrap_or_default(),
                section: symbol.section_index().and_then(at),
                local: symbol.is_local(),
                weak: symbol.is_weak(),
            };
        }
        for section in file.sections() {
            let Some(index) = at(section.index()) else {
                continue;
            };
            if this.sections[index].name == ".eh_frame" {
                this.unwind(&section);
                continue;
            }
            let mut refers: Vec<usize> = section
                .relocations()
                .filter_map(|(_, relocation)| symbol_of(relocation.target()))
                .collect();
            refers.sort_unstable();
            refers.dedup();
            this.sections[index].refers = refers;
        }
        Some(this)
    }

    /// Adds the references of an unwind table. Its entry for a function is kept only if the function is. So the
    /// references of the entry (to the exception table and the personality routine) count as references of the
    /// function.
    fn unwind(&mut self, section: &object::read::elf::ElfSection64<'a, '_, object::Endianness>) {
        let Ok(data) = section.data() else { return };
        let mut relocations: Vec<(usize, usize)> = section
            .relocations()
            .filter_map(|(offset, relocation)| {
                Some((offset as usize, symbol_of(relocation.target())?))
            })
            .collect();
        relocations.sort_unstable();
        let within = |from: usize, to: usize| {
            let start = relocations.partition_point(|relocation| relocation.0 < from);
            let end = relocations.partition_point(|relocation| relocation.0 < to);
            &relocations[start..end]
        };
        let word = |at: usize| {
            let bytes = data.get(at..at + 4)?;
            Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
        };
        let mut at = 0;
        while let (Some(length), Some(id)) = (word(at), word(at + 4)) {
            if length == 0 {
                break;
            }
            let end = at + 4 + length;
            // An ID of zero marks a common information entry (CIE). In the entry of a function (FDE) it is the
            // distance back to its CIE.
            if id != 0
                && let [(_, function), own @ ..] = within(at + 8, end)
                && let Some(function) = self
                    .symbols
                    .get(*function)
                    .and_then(|symbol| symbol.section)
            {
                let common = (at + 4).checked_sub(id);
                let shared = common.and_then(|from| Some(within(from, from + 4 + word(from)?)));
                let all = own.iter().chain(shared.into_iter().flatten());
                self.sections[function]
                    .refers
                    .extend(all.map(|relocation| relocation.1));
            }
            at = end;
        }
    }
}

fn symbol_of(target: RelocationTarget) -> Option<usize> {
    match target {
        RelocationTarget::Symbol(SymbolIndex(index)) => Some(index),
        _ => None,
    }
}

/// True for sections that are roots of lld's garbage collection, besides exported symbols.
fn is_root(name: &str) -> bool {
    [
        ".init_array",
        ".fini_array",
        ".preinit_array",
        ".ctors",
        ".dtors",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
        || matches!(name, ".init" | ".fini" | ".jcr")
}
