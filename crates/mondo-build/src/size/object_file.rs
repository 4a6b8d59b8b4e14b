//! One object file as the graph of references needs it: sections, symbols, and which section refers
//! to which symbol.

use object::read::elf::ElfFile64;
use object::{
    Object, ObjectComdat, ObjectSection, ObjectSymbol, RelocationTarget, SectionFlags,
    SectionIndex, SectionKind, SymbolIndex, elf,
};

/// A parsed member of an archive. What does not ship (debug sections) is not in it.
#[derive(Debug, Default)]
pub(super) struct ObjectFile<'a> {
    pub(super) sections: Vec<Section<'a>>,
    pub(super) symbols: Vec<Symbol<'a>>,
}

#[derive(Debug, Default)]
pub(super) struct Section<'a> {
    pub(super) name: &'a str,
    pub(super) size: u64,
    /// The name of the group of which one copy is kept.
    pub(super) comdat: Option<&'a str>,
    /// The linker keeps it, whoever refers to it.
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
    /// Anything but a 64-bit ELF object has nothing in it that is linked here.
    pub(super) fn parse(data: &'a [u8]) -> Option<Self> {
        let file = ElfFile64::<object::Endianness>::parse(data).ok()?;
        let mut this = Self::default();
        // Tables by the file's own numbers.
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

    /// An unwind table is kept for the functions that are; what its entry for a function refers to
    /// (the exception table, the personality function), the function refers to.
    fn unwind(&mut self, section: &object::read::elf::ElfSection64<'a, '_, object::Endianness>) {
        let Ok(data) = section.data() else { return };
        let mut relocations: Vec<(usize, usize)> = section
            .relocations()
            .filter_map(|(offset, it)| Some((offset as usize, symbol_of(it.target())?)))
            .collect();
        relocations.sort_unstable();
        let within = |from: usize, to: usize| {
            let start = relocations.partition_point(|it| it.0 < from);
            let end = relocations.partition_point(|it| it.0 < to);
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
            // Zero marks what entries have in common; others say how far back that is.
            if id != 0
                && let [(_, function), own @ ..] = within(at + 8, end)
                && let Some(function) = self.symbols.get(*function).and_then(|it| it.section)
            {
                let common = (at + 4).checked_sub(id);
                let shared = common.and_then(|from| Some(within(from, from + 4 + word(from)?)));
                let all = own.iter().chain(shared.into_iter().flatten());
                self.sections[function].refers.extend(all.map(|it| it.1));
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

/// Sections that lld's garbage collection begins with, beside what is exported.
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
