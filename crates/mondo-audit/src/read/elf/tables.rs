//! The locations of the tables for dynamic linking. They are found through the section headers, or without these
//! through the dynamic segment, which the loader uses.

use object::read::elf::{FileHeader, GnuHashTable, HashTable, SectionHeader as _, Sym};
use object::{Endianness, ReadRef as _, StringTable, elf};

use super::dynamic::Dynamic;
use super::reader::{Reader, in_part};
use super::versions::{Raw, Versions};
use crate::read::error::ReadError;

/// The dynamic symbol table and the tables that belong to it.
pub(super) struct Tables<'a, E: FileHeader> {
    pub(super) symbols: &'a [E::Sym],
    strings: StringTable<'a>,
    pub(super) versions: Versions<'a>,
    /// The table of symbols with its place, for errors.
    pub(super) place: String,
}

impl<'a, E: FileHeader<Endian = Endianness>> Reader<'a, E> {
    /// Finds the tables. Parts that cannot be found are added to `unseen`.
    pub(super) fn tables(
        &self,
        dynamic: &Dynamic<'a>,
        unseen: &mut Vec<String>,
    ) -> Result<Tables<'a, E>, ReadError> {
        if self.sections.is_empty() {
            return self.tables_of_the_loader(dynamic, unseen);
        }
        let part = "dynamic symbol table";
        let section = self
            .sections
            .iter()
            .find(|section| section.sh_type(self.endian) == elf::SHT_DYNSYM);
        let start = section.map_or(0, |section| section.sh_offset(self.endian).into());
        let fail = in_part(self.name, part, start);
        let place = format!("{part}, offset {start}");
        let address = section.map(|section| section.sh_addr(self.endian).into());
        if dynamic.symbol_table != address {
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
        let versions = self.versions(&self.version_sections(table.strings())?)?;
        Ok(Tables {
            symbols: table.symbols(),
            strings: table.strings(),
            versions,
            place,
        })
    }

    fn version_sections(&self, strings: StringTable<'a>) -> Result<Raw<'a>, ReadError> {
        let mut raw = Raw {
            strings,
            start: self.start_of(elf::SHT_GNU_VERSYM),
            ..Raw::default()
        };
        let fail = in_part(self.name, "version tables", raw.start);
        for section in self.sections.iter() {
            let data = || section.data(self.endian, self.bytes).map_err(&fail);
            match section.sh_type(self.endian) {
                elf::SHT_GNU_VERSYM if raw.symbols.is_empty() => {
                    let found = section.gnu_versym(self.endian, self.bytes);
                    raw.symbols = found.map_err(&fail)?.map_or(&[][..], |found| found.0);
                }
                elf::SHT_GNU_VERDEF if raw.definitions.is_empty() => raw.definitions = data()?,
                elf::SHT_GNU_VERNEED if raw.needs.is_empty() => raw.needs = data()?,
                _ => {}
            }
        }
        Ok(raw)
    }

    fn tables_of_the_loader(
        &self,
        dynamic: &Dynamic<'a>,
        unseen: &mut Vec<String>,
    ) -> Result<Tables<'a, E>, ReadError> {
        let part = "dynamic symbol table";
        let mut tables = Tables {
            symbols: &[],
            strings: dynamic.strings,
            versions: Versions::default(),
            place: part.to_owned(),
        };
        unseen.push(
            "there are no section headers, which would tell of a symbol table, debug information \
             and the places of things"
                .to_owned(),
        );
        let Some(address) = dynamic.symbol_table else {
            return Ok(tables);
        };
        let Some(length) = self.symbol_count(dynamic) else {
            unseen.push("dynamic symbols: no hash table says how many there are".to_owned());
            return Ok(tables);
        };
        let outside = |what: &str| ReadError::malformed(self.name, what, part);
        let start = self
            .file_offset(address)
            .ok_or_else(|| outside("DT_SYMTAB points outside the file"))?;
        tables.place = format!("{part}, offset {start}");
        let symbols = self.bytes.read_slice_at(start, length);
        tables.symbols = symbols.map_err(|()| outside("it has more symbols than the file"))?;
        let rest = |address: Option<u64>| address.map_or(&[][..], |address| self.loaded(address));
        let symbols = dynamic.version_symbols.and_then(|address| {
            let start = self.file_offset(address)?;
            self.bytes.read_slice_at(start, length).ok()
        });
        tables.versions = self.versions(&Raw {
            symbols: symbols.unwrap_or_default(),
            definitions: rest(dynamic.version_definitions),
            needs: rest(dynamic.version_needs),
            strings: dynamic.strings,
            start: dynamic
                .version_symbols
                .and_then(|address| self.file_offset(address))
                .unwrap_or_default(),
        })?;
        Ok(tables)
    }

    /// The number of dynamic symbols, by the size of the hash table.
    fn symbol_count(&self, dynamic: &Dynamic<'_>) -> Option<usize> {
        let by_hash = || {
            let table = HashTable::<E>::parse(self.endian, self.loaded(dynamic.hash?)).ok()?;
            Some(table.symbol_table_length())
        };
        let by_gnu_hash = || {
            let table =
                GnuHashTable::<E>::parse(self.endian, self.loaded(dynamic.gnu_hash?)).ok()?;
            // Symbols outside the hash table precede those in it, so that an empty table still has
            // their number.
            let length = table.symbol_table_length(self.endian);
            Some(length.unwrap_or_else(|| table.symbol_base()))
        };
        usize::try_from(by_hash().or_else(by_gnu_hash)?).ok()
    }

    /// The bytes of the file from what is loaded at an address to the end of its segment.
    fn loaded(&self, address: u64) -> &'a [u8] {
        self.file_range(address)
            .and_then(|(start, size)| self.bytes.read_bytes_at(start, size).ok())
            .unwrap_or_default()
    }
}

impl<'a, E: FileHeader<Endian = Endianness>> Tables<'a, E> {
    /// The name of one of the symbols.
    pub(super) fn name(
        &self,
        reader: &Reader<'a, E>,
        symbol: &E::Sym,
    ) -> Result<&'a str, ReadError> {
        let name = symbol
            .name(reader.endian, self.strings)
            .map_err(|error| ReadError::malformed(reader.name, error.to_string(), &*self.place))?;
        reader.text(name, &self.place)
    }
}
