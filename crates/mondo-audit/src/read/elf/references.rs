//! Which names the loader looks up for an image: those that its dynamic relocations are about.
//!
//! That is more than its undefined symbols: a name that the image defines itself and that another
//! image may replace is looked up as well.

use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{
    Dyn as _, FileHeader, ProgramHeader as _, Rel as _, Rela as _, SectionHeader as _, Sym as _,
    Version, VersionTable,
};
use object::{Endianness, FileKind, SymbolIndex};

use super::symbols::{binding, visibility};
use super::{ReadError, Reader, in_part};
use crate::facts::{Binding, Visibility};

/// What an image has looked up, and how it is searched.
#[derive(Debug, Default)]
pub(crate) struct Lookups<'a> {
    /// The names it has looked up, in the order of its symbol table.
    pub(crate) references: Vec<Reference<'a>>,
    /// What it answers lookups with, in the order of its symbol table.
    pub(crate) definitions: Vec<Definition<'a>>,
    /// Whether it is searched before all others for its own references (`DT_SYMBOLIC`).
    pub(crate) symbolic: bool,
    /// Whether its definitions have versions at all.
    pub(crate) versioned: bool,
}

/// A name that is looked up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reference<'a> {
    pub(crate) name: &'a str,
    pub(crate) version: Option<&'a str>,
    /// The library that the version is asked of.
    pub(crate) library: Option<&'a str>,
    /// Whether the reference takes a definition of just that version (`name@version`).
    pub(crate) version_hidden: bool,
    /// Whether no other image's definition counts, since its own one is protected.
    pub(crate) protected: bool,
}

/// A name that lookups find here.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Definition<'a> {
    pub(crate) name: &'a str,
    pub(crate) version: Option<&'a str>,
    /// Its place among the image's versions: 0 and 1 mean none, 2 is the first.
    pub(crate) version_index: u16,
    /// Whether it is not its name's default version.
    pub(crate) hidden: bool,
    /// Whether there is one of it in the process (`STB_GNU_UNIQUE`).
    pub(crate) unique: bool,
}

/// Reads what an ELF image has looked up; nothing of an image of another format.
pub(crate) fn lookups<'a>(name: &'a str, bytes: &'a [u8]) -> Result<Lookups<'a>, ReadError> {
    match FileKind::parse(bytes) {
        Ok(FileKind::Elf64) => Reader::<FileHeader64<Endianness>>::new(name, bytes)?.lookups(),
        Ok(FileKind::Elf32) => Reader::<FileHeader32<Endianness>>::new(name, bytes)?.lookups(),
        _ => Ok(Lookups::default()),
    }
}

impl<'a, E: FileHeader<Endian = Endianness>> Reader<'a, E> {
    fn lookups(&self) -> Result<Lookups<'a>, ReadError> {
        let part = "dynamic symbol table";
        let fail = in_part(self.name, part, self.start_of(elf::SHT_DYNSYM));
        let version_start = self.start_of(elf::SHT_GNU_VERSYM);
        let version_fail = in_part(self.name, "version tables", version_start);
        let table = self
            .sections
            .symbols(self.endian, self.bytes, elf::SHT_DYNSYM)
            .map_err(&fail)?;
        let versions = self
            .sections
            .versions(self.endian, self.bytes)
            .map_err(&version_fail)?;
        let referenced = self.referenced(table.len())?;
        let mut found = Lookups {
            symbolic: self.symbolic()?,
            versioned: versions.is_some(),
            ..Lookups::default()
        };
        let versions: VersionTable<'a, E> = versions.unwrap_or_default();
        for (index, symbol) in table.enumerate() {
            if index == SymbolIndex(0) || symbol.st_bind() == elf::STB_LOCAL {
                continue;
            }
            let seen = visibility(symbol.st_visibility());
            if seen == Visibility::Hidden {
                continue;
            }
            let name = table.symbol_name(self.endian, symbol).map_err(&fail)?;
            let name = self.text(name, part)?;
            let version_index = versions.version_index(self.endian, index);
            let version = versions
                .version(version_index.index())
                .map_err(&version_fail)?;
            let library = match version.and_then(Version::file) {
                Some(file) => Some(self.text(file, "version tables")?),
                None => None,
            };
            let version = match version {
                Some(version) => Some(self.text(version.name(), "version tables")?),
                None => None,
            };
            let defined = !symbol.is_undefined(self.endian);
            if referenced.get(index.0).copied().unwrap_or_default() {
                found.references.push(Reference {
                    name,
                    version,
                    library,
                    version_hidden: version_index.is_hidden(),
                    protected: defined && seen == Visibility::Protected,
                });
            }
            if defined && !version_index.is_local() {
                found.definitions.push(Definition {
                    name,
                    version,
                    version_index: version_index.index().0,
                    hidden: version_index.is_hidden(),
                    unique: binding(symbol.st_bind()) == Binding::Unique,
                });
            }
        }
        Ok(found)
    }

    /// For each dynamic symbol, whether a relocation that the loader applies is about it.
    fn referenced(&self, symbols: usize) -> Result<Vec<bool>, ReadError> {
        let part = "dynamic relocations";
        let fail = in_part(self.name, part, self.start_of(elf::SHT_RELA));
        let mut referenced = vec![false; symbols];
        let mut mark = |symbol: u32| {
            if let Some(mark) = usize::try_from(symbol)
                .ok()
                .and_then(|at| referenced.get_mut(at))
            {
                *mark = true;
            }
        };
        for section in self.sections.iter() {
            if !section.sh_flags(self.endian).contains(elf::SHF_ALLOC) {
                continue;
            }
            if let Some((all, _)) = section.rela(self.endian, self.bytes).map_err(&fail)? {
                let mips64 = self.header.is_mips64el(self.endian);
                all.iter()
                    .for_each(|one| mark(one.r_sym(self.endian, mips64)));
            }
            if let Some((all, _)) = section.rel(self.endian, self.bytes).map_err(&fail)? {
                all.iter().for_each(|one| mark(one.r_sym(self.endian)));
            }
        }
        Ok(referenced)
    }

    fn symbolic(&self) -> Result<bool, ReadError> {
        let Some(segment) = self.segment(elf::PT_DYNAMIC) else {
            return Ok(false);
        };
        let entries = segment
            .dynamic(self.endian, self.bytes)
            .map_err(in_part(
                self.name,
                "dynamic segment",
                segment.p_offset(self.endian).into(),
            ))?
            .unwrap_or_default();
        Ok(entries.iter().any(|entry| {
            let (tag, value) = (entry.tag(self.endian), entry.val(self.endian));
            tag == elf::DT_SYMBOLIC || tag == elf::DT_FLAGS && value & elf::DF_SYMBOLIC.0 != 0
        }))
    }
}
