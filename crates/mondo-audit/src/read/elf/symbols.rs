//! Symbol tables and the version tables beside them.

use object::read::elf::{FileHeader, SectionHeader as _, Sym as _, SymbolTable, Version};
use object::{Endianness, SymbolIndex, elf};

use super::dynamic::Dynamic;
use super::{ReadError, Reader, in_part};
use crate::facts::{Binding, Export, Facts, Import, Need, Symbol, SymbolKind, Visibility};

/// Exports and imports of the dynamic symbol table.
#[derive(Default)]
pub(super) struct DynamicSymbols<'a> {
    pub(super) exports: Vec<Export<'a>>,
    pub(super) imports: Vec<Import<'a>>,
}

impl<'a, E: FileHeader<Endian = Endianness>> Reader<'a, E> {
    pub(super) fn dynamic_symbols(
        &self,
        dynamic: &Dynamic<'a>,
        nodes: &[&'a str],
    ) -> Result<DynamicSymbols<'a>, ReadError> {
        let part = "dynamic symbol table";
        let section = self
            .sections
            .iter()
            .find(|section| section.sh_type(self.endian) == elf::SHT_DYNSYM);
        let start = section.map_or(0, |section| section.sh_offset(self.endian).into());
        let fail = in_part(self.name, part, start);
        let place = format!("{part}, offset {start}");
        let version_start = self.start_of(elf::SHT_GNU_VERSYM);
        let version_fail = in_part(self.name, "version tables", version_start);
        let version_place = format!("version tables, offset {version_start}");
        let section_address = section.map(|section| section.sh_addr(self.endian).into());
        if dynamic.symbol_table != section_address {
            return Err(ReadError::malformed(
                self.name,
                "the section headers do not show the symbol table that DT_SYMTAB names",
                place,
            ));
        }
        let table = self
            .sections
            .symbols(self.endian, self.bytes, elf::SHT_DYNSYM)
            .map_err(&fail)?;
        let versions = self
            .sections
            .versions(self.endian, self.bytes)
            .map_err(&version_fail)?
            .unwrap_or_default();

        let mut found = DynamicSymbols::default();
        for (index, symbol) in table.enumerate() {
            if index == SymbolIndex(0) || symbol.st_bind() == elf::STB_LOCAL {
                continue;
            }
            let name = self.text(
                table.symbol_name(self.endian, symbol).map_err(&fail)?,
                &place,
            )?;
            let version_index = versions.version_index(self.endian, index);
            let version = versions
                .version(version_index.index())
                .map_err(&version_fail)?;
            let version_name = match version {
                Some(version) => Some(self.text(version.name(), &version_place)?),
                None => None,
            };
            if symbol.is_undefined(self.endian) {
                let library = match version.and_then(Version::file) {
                    Some(file) => Some(self.text(file, &version_place)?),
                    None => None,
                };
                found.imports.push(Import {
                    name,
                    ordinal: None,
                    version: version_name,
                    library,
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
                version: version_name,
                // A program's copy of another library's data has that library's version.
                default_version: !version_index.is_hidden()
                    && version.and_then(Version::file).is_none(),
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
        let mut symbols = Vec::with_capacity(table.len().saturating_sub(1));
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

    /// What an object defines for others and what it lacks.
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

    pub(super) fn version_nodes(&self) -> Result<Vec<&'a str>, ReadError> {
        let part = "version definitions";
        let start = self.start_of(elf::SHT_GNU_VERDEF);
        let fail = in_part(self.name, part, start);
        let place = format!("{part}, offset {start}");
        let Some((mut definitions, link)) = self
            .sections
            .gnu_verdef(self.endian, self.bytes)
            .map_err(&fail)?
        else {
            return Ok(Vec::new());
        };
        let strings = self
            .sections
            .strings(self.endian, self.bytes, link)
            .map_err(&fail)?;
        let mut nodes = Vec::new();
        while let Some((definition, mut names)) = definitions.next().map_err(&fail)? {
            if definition
                .vd_flags
                .get(self.endian)
                .contains(elf::VER_FLG_BASE)
            {
                continue;
            }
            if let Some(first) = names.next().map_err(&fail)? {
                nodes.push(self.text(first.name(self.endian, strings).map_err(&fail)?, &place)?);
            }
        }
        Ok(nodes)
    }

    pub(super) fn version_needs(&self) -> Result<Vec<Need<'a>>, ReadError> {
        let part = "version needs";
        let start = self.start_of(elf::SHT_GNU_VERNEED);
        let fail = in_part(self.name, part, start);
        let place = format!("{part}, offset {start}");
        let Some((mut libraries, link)) = self
            .sections
            .gnu_verneed(self.endian, self.bytes)
            .map_err(&fail)?
        else {
            return Ok(Vec::new());
        };
        let strings = self
            .sections
            .strings(self.endian, self.bytes, link)
            .map_err(&fail)?;
        let mut needs = Vec::new();
        while let Some((library, mut versions)) = libraries.next().map_err(&fail)? {
            let library = self.text(library.file(self.endian, strings).map_err(&fail)?, &place)?;
            while let Some(version) = versions.next().map_err(&fail)? {
                let version =
                    self.text(version.name(self.endian, strings).map_err(&fail)?, &place)?;
                needs.push(Need { library, version });
            }
        }
        Ok(needs)
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
