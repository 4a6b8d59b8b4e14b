//! Symbol tables.

use std::collections::HashSet;

use object::elf::VersymIndex;
use object::read::elf::{FileHeader, Sym as _, SymbolTable};
use object::{Endianness, SymbolIndex, elf};

use super::reader::{Reader, in_part};
use super::tables::Tables;
use super::versions::Version;
use crate::image_facts::{Binding, Export, Facts, Import, Symbol, SymbolKind, Visibility};
use crate::read::error::ReadError;

/// Exports and imports of the dynamic symbol table.
#[derive(Default)]
pub(super) struct DynamicSymbols<'a> {
    pub(super) exports: Vec<Export<'a>>,
    pub(super) imports: Vec<Import<'a>>,
}

impl<'a, E: FileHeader<Endian = Endianness>> Reader<'a, E> {
    pub(super) fn dynamic_symbols(
        &self,
        tables: &Tables<'a, E>,
    ) -> Result<DynamicSymbols<'a>, ReadError> {
        let nodes: HashSet<&str> = tables.versions.nodes.iter().copied().collect();
        let mut found = DynamicSymbols::default();
        for (index, symbol) in tables.symbols.iter().enumerate().skip(1) {
            if symbol.st_bind() == elf::STB_LOCAL {
                continue;
            }
            let name = tables.name(self, symbol)?;
            let version_index = tables.versions.index(self.endian, SymbolIndex(index));
            let version = self.version(tables, version_index)?;
            if symbol.is_undefined(self.endian) {
                found.imports.push(Import {
                    name,
                    ordinal: None,
                    version: version.map(|version| version.name),
                    library: version.and_then(|version| version.library),
                    weak: symbol.st_bind() == elf::STB_WEAK,
                });
                continue;
            }
            // GNU ld defines each version node as an absolute symbol of that name.
            let is_node = symbol.is_absolute(self.endian) && nodes.contains(&name);
            let visibility = visibility(symbol.st_visibility());
            if is_node || visibility == Visibility::Hidden || version_index.is_local() {
                continue;
            }
            found.exports.push(Export {
                name: name.into(),
                version: version.map(|version| version.name),
                // In a program, a copy relocation of another library's data has the version of that library.
                default_version: !version_index.is_hidden()
                    && version.is_none_or(|version| version.library.is_none()),
                kind: symbol_kind(symbol.st_type()),
                binding: binding(symbol.st_bind()),
                visibility,
                address: symbol.st_value(self.endian).into(),
                size: symbol.st_size(self.endian).into(),
                forwarded: None,
            });
        }
        Ok(found)
    }

    /// The version of that number, which must be in a table.
    pub(super) fn version(
        &self,
        tables: &Tables<'a, E>,
        index: VersymIndex,
    ) -> Result<Option<Version<'a>>, ReadError> {
        tables.versions.version(index).ok_or_else(|| {
            let what = format!("a symbol has the version {}, which is in no table", index.0);
            ReadError::malformed(self.name, what, &*tables.place)
        })
    }

    /// The full symbol table, and whether there is none.
    pub(super) fn symbols(&self) -> Result<(Vec<Symbol<'a>>, bool), ReadError> {
        let part = "symbol table";
        let start = self.start_of(elf::SHT_SYMTAB);
        let fail = in_part(self.name, part, start);
        let place = format!("{part}, offset {start}");
        let table: SymbolTable<'a, E> = self
            .sections
            .symbols(self.endian, self.bytes, elf::SHT_SYMTAB)
            .map_err(&fail)?;
        let (endian, strings) = (self.endian, table.strings());
        let mut symbols = Vec::with_capacity(self.names.capacity(table.len()));
        for (index, symbol) in table.symbols().iter().enumerate().skip(1) {
            let section = table
                .symbol_section(endian, symbol, SymbolIndex(index))
                .map_err(&fail)?;
            let name = symbol.name(endian, strings).map_err(&fail)?;
            self.names.count(name, &place)?;
            symbols.push(Symbol {
                name,
                address: symbol.st_value(endian).into(),
                size: symbol.st_size(endian).into(),
                section: section.and_then(|section| u32::try_from(section.0).ok()),
                kind: symbol_kind(symbol.st_type()),
                binding: binding(symbol.st_bind()),
            });
        }
        let stripped = symbols.is_empty();
        Ok((symbols, stripped))
    }

    /// Global definitions and undefined symbols of an object.
    pub(super) fn object(&self, facts: &mut Facts<'a>) -> Result<(), ReadError> {
        let part = "symbol table";
        let start = self.start_of(elf::SHT_SYMTAB);
        let fail = in_part(self.name, part, start);
        let place = format!("{part}, offset {start}");
        (facts.symbols, facts.stripped) = self.symbols()?;
        let table: SymbolTable<'a, E> = self
            .sections
            .symbols(self.endian, self.bytes, elf::SHT_SYMTAB)
            .map_err(&fail)?;
        for symbol in table.symbols().iter().skip(1) {
            if symbol.st_bind() == elf::STB_LOCAL {
                continue;
            }
            let name = symbol.name(self.endian, table.strings()).map_err(&fail)?;
            let name = self.text(name, &place)?;
            let visibility = visibility(symbol.st_visibility());
            if symbol.is_undefined(self.endian) {
                facts.imports.push(Import {
                    name,
                    ordinal: None,
                    version: None,
                    library: None,
                    weak: symbol.st_bind() == elf::STB_WEAK,
                });
            } else {
                facts.exports.push(Export {
                    name: name.into(),
                    version: None,
                    default_version: true,
                    kind: symbol_kind(symbol.st_type()),
                    binding: binding(symbol.st_bind()),
                    visibility,
                    address: symbol.st_value(self.endian).into(),
                    size: symbol.st_size(self.endian).into(),
                    forwarded: None,
                });
            }
        }
        Ok(())
    }
}

fn symbol_kind(kind: elf::SymbolType) -> SymbolKind {
    match kind {
        elf::STT_FUNC | elf::STT_GNU_IFUNC => SymbolKind::Function,
        elf::STT_OBJECT | elf::STT_COMMON => SymbolKind::Object,
        elf::STT_TLS => SymbolKind::Tls,
        elf::STT_FILE => SymbolKind::File,
        _ => SymbolKind::Other,
    }
}

pub(super) fn binding(binding: elf::SymbolBind) -> Binding {
    match binding {
        elf::STB_LOCAL => Binding::Local,
        elf::STB_GLOBAL => Binding::Global,
        elf::STB_WEAK => Binding::Weak,
        elf::STB_GNU_UNIQUE => Binding::Unique,
        _ => Binding::Other,
    }
}

pub(super) fn visibility(visibility: elf::SymbolVisibility) -> Visibility {
    match visibility {
        elf::STV_DEFAULT => Visibility::Default,
        elf::STV_PROTECTED => Visibility::Protected,
        _ => Visibility::Hidden,
    }
}
