//! Symbol lookups of the dynamic linker for an image: the names in its dynamic relocations.
//!
//! These references are more than the undefined symbols: a name that the image defines and that another image may
//! interpose is looked up as well.

use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, Rel as _, Rela as _, Sym as _};
use object::{Endianness, FileKind, Pod, ReadRef as _, SymbolIndex};

use super::dynamic::Dynamic;
use super::reader::Reader;
use super::symbols::{binding, visibility};
use crate::image_facts::{Binding, Visibility};
use crate::read::error::ReadError;
use crate::read::names::NameBudget;

/// References of an image, and the definitions that lookups find in it.
#[derive(Debug, Default, Clone)]
pub(crate) struct Lookups<'a> {
    /// The names that the dynamic linker looks up for it, in the order of its symbol table.
    pub(crate) references: Vec<Reference<'a>>,
    /// Definitions that lookups find, in the order of its symbol table.
    pub(crate) definitions: Vec<Definition<'a>>,
    /// True if its own references are looked up in itself before all other images (`DT_SYMBOLIC`).
    pub(crate) symbolic: bool,
    /// True if its definitions have versions at all.
    pub(crate) versioned: bool,
}

/// A name that is looked up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reference<'a> {
    pub(crate) name: &'a str,
    pub(crate) version: Option<&'a str>,
    /// The library from which the version is required.
    pub(crate) library: Option<&'a str>,
    /// True if the reference takes a definition of just that version, and none without one.
    pub(crate) exact: bool,
    /// True if its own definition is protected, so that no other image can interpose it.
    pub(crate) protected: bool,
}

/// A definition that lookups can find in this image.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Definition<'a> {
    pub(crate) name: &'a str,
    pub(crate) version: Option<&'a str>,
    /// The index of its version in the image: 0 and 1 mean no version, 2 is the first.
    pub(crate) version_index: u16,
    /// True if it is not its name's default version.
    pub(crate) hidden: bool,
    /// True if the process has only one definition of this name (`STB_GNU_UNIQUE`).
    pub(crate) unique: bool,
}

/// Reads the lookups of an ELF image; the result is empty for an image of another format.
pub(crate) fn lookups<'a>(
    name: &'a str,
    bytes: &'a [u8],
    budget: NameBudget,
) -> Result<Lookups<'a>, ReadError> {
    match FileKind::parse(bytes) {
        Ok(FileKind::Elf64) => {
            Reader::<FileHeader64<Endianness>>::new(name, bytes, budget)?.lookups()
        }
        Ok(FileKind::Elf32) => {
            Reader::<FileHeader32<Endianness>>::new(name, bytes, budget)?.lookups()
        }
        _ => Ok(Lookups::default()),
    }
}

impl<'a, E: FileHeader<Endian = Endianness>> Reader<'a, E> {
    fn lookups(&self) -> Result<Lookups<'a>, ReadError> {
        let dynamic = self.dynamic()?;
        // Unreadable parts are not collected here: the reader of the facts reports them.
        let tables = self.tables(&dynamic, &mut Vec::new())?;
        let referenced = self.referenced(&dynamic, tables.symbols.len())?;
        let mut found = Lookups {
            symbolic: dynamic.symbolic,
            versioned: tables.versions.any(),
            ..Lookups::default()
        };
        for (index, symbol) in tables.symbols.iter().enumerate().skip(1) {
            if symbol.st_bind() == elf::STB_LOCAL {
                continue;
            }
            let seen = visibility(symbol.st_visibility());
            if seen == Visibility::Hidden {
                continue;
            }
            let name = tables.name(self, symbol)?;
            let version_index = tables.versions.index(self.endian, SymbolIndex(index));
            let version = self.version(&tables, version_index)?;
            let defined = !symbol.is_undefined(self.endian);
            if referenced.get(index).copied().unwrap_or_default() {
                found.references.push(Reference {
                    name,
                    version: version.map(|version| version.name),
                    library: version.and_then(|version| version.library),
                    exact: version.is_some_and(|version| version.exact),
                    protected: defined && seen == Visibility::Protected,
                });
            }
            if defined && !version_index.is_local() {
                found.definitions.push(Definition {
                    name,
                    version: version.map(|version| version.name),
                    version_index: version_index.index().0,
                    hidden: version_index.is_hidden(),
                    unique: binding(symbol.st_bind()) == Binding::Unique,
                });
            }
        }
        Ok(found)
    }

    /// For each dynamic symbol, whether a relocation that the loader applies is about it.
    fn referenced(&self, dynamic: &Dynamic<'a>, symbols: usize) -> Result<Vec<bool>, ReadError> {
        let mut referenced = vec![false; symbols];
        let mut mark = |symbol: u32| {
            if let Some(mark) = usize::try_from(symbol)
                .ok()
                .and_then(|at| referenced.get_mut(at))
            {
                *mark = true;
            }
        };
        let mips64 = self.header.is_mips64el(self.endian);
        for &table in &dynamic.rela {
            let all: &[E::Rela] = self.relocations(table)?;
            all.iter()
                .for_each(|one| mark(one.r_sym(self.endian, mips64)));
        }
        for &table in &dynamic.rel {
            let all: &[E::Rel] = self.relocations(table)?;
            all.iter().for_each(|one| mark(one.r_sym(self.endian)));
        }
        Ok(referenced)
    }

    /// A table of relocations, by its address and size.
    fn relocations<R: Pod>(&self, (address, size): (u64, u64)) -> Result<&'a [R], ReadError> {
        if size == 0 {
            return Ok(&[]);
        }
        let fail = || {
            let place = format!("dynamic relocations, address {address:#x}");
            ReadError::malformed(self.name, "they are not in the file", place)
        };
        let start = self.file_offset(address).ok_or_else(fail)?;
        let count = usize::try_from(size).map_err(|_| fail())? / size_of::<R>();
        self.bytes.read_slice_at(start, count).map_err(|()| fail())
    }
}
