//! The version tables: which versions the image defines and needs, and which of them each symbol has.

use object::elf::{self, Verdaux, Verdef, Vernaux, Verneed, Versym, VersymIndex};
use object::read::elf::FileHeader;
use object::{Endianness, Pod, ReadRef as _, StringTable, SymbolIndex};

use super::reader::Reader;
use crate::image_facts::Need;
use crate::read::error::ReadError;

/// The bytes of the version tables, wherever they were found.
#[derive(Default)]
pub(super) struct Raw<'a> {
    /// A version's number for each symbol.
    pub(super) symbols: &'a [Versym<Endianness>],
    pub(super) definitions: &'a [u8],
    pub(super) needs: &'a [u8],
    /// String table of the names.
    pub(super) strings: StringTable<'a>,
    /// Offset of the first table.
    pub(super) start: u64,
}

/// A version that symbols can have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Version<'a> {
    pub(super) name: &'a str,
    /// The library that must define the version; `None` for a version that the image itself defines.
    pub(super) library: Option<&'a str>,
    /// True if the reference matches only a definition with this very version, and none without a version.
    pub(super) exact: bool,
}

/// The version tables, read.
#[derive(Default)]
pub(super) struct Versions<'a> {
    symbols: &'a [Versym<Endianness>],
    by_index: Vec<Option<Version<'a>>>,
    /// Names of the versions that the image defines, without its own name.
    pub(super) nodes: Vec<&'a str>,
    pub(super) needs: Vec<Need<'a>>,
}

impl<'a> Versions<'a> {
    /// Returns whether symbols have versions at all.
    pub(super) fn any(&self) -> bool {
        !self.symbols.is_empty()
    }

    /// The number of a symbol's version.
    pub(super) fn index(&self, endian: Endianness, symbol: SymbolIndex) -> VersymIndex {
        let found = self.symbols.get(symbol.0);
        found.map_or(elf::VER_NDX_GLOBAL.into(), |found| found.0.get(endian))
    }

    /// The version with this index: `Some(None)` for the two indexes that mean no version, `None` for an index that
    /// is in no table.
    pub(super) fn version(&self, index: VersymIndex) -> Option<Option<Version<'a>>> {
        if index.is_local() || index.is_global() {
            return Some(None);
        }
        let found = self.by_index.get(usize::from(index.index().0));
        found.copied().flatten().map(Some)
    }

    fn set(&mut self, index: u16, version: Version<'a>) {
        let index = usize::from(index & elf::VERSYM_VERSION);
        if index > usize::from(elf::VER_NDX_GLOBAL.0) {
            if self.by_index.len() <= index {
                self.by_index.resize(index + 1, None);
            }
            self.by_index[index] = Some(version);
        }
    }
}

/// A chain of records, each of which has the distance to the next one.
///
/// A crafted chain can visit the same bytes again and again. So records are counted, and the limit is the number of
/// records that fit into the table without overlap.
struct Chain<'a> {
    table: &'a [u8],
    left: usize,
}

impl<'a> Chain<'a> {
    fn new(table: &'a [u8]) -> Self {
        let smallest = size_of::<Verdaux<Endianness>>();
        Self {
            table,
            left: table.len() / smallest,
        }
    }

    fn record<T: Pod>(&mut self, at: u64) -> Result<&'a T, &'static str> {
        let left = self.left.checked_sub(1);
        self.left = left.ok_or("more records than the table can hold")?;
        let found = self.table.read_at(at);
        found.map_err(|()| "a record reaches beyond the table")
    }
}

impl<'a, E: FileHeader<Endian = Endianness>> Reader<'a, E> {
    pub(super) fn versions(&self, raw: &Raw<'a>) -> Result<Versions<'a>, ReadError> {
        let place = format!("version tables, offset {}", raw.start);
        let fail = |what: &str| ReadError::malformed(self.name, what, &*place);
        let text = |offset: u32| -> Result<&'a str, ReadError> {
            let name = raw.strings.get(offset);
            let name = name.map_err(|()| fail("a version has no name"))?;
            self.text(name, &place)
        };
        let mut found = Versions {
            symbols: raw.symbols,
            ..Versions::default()
        };
        let endian = self.endian;
        let mut chain = Chain::new(raw.definitions);
        let mut at = 0;
        while !raw.definitions.is_empty() {
            let definition: &Verdef<Endianness> = chain.record(at).map_err(fail)?;
            let base = definition.vd_flags.get(endian).contains(elf::VER_FLG_BASE);
            if !base && definition.vd_cnt.get(endian) > 0 {
                let first = at + u64::from(definition.vd_aux.get(endian));
                let first: &Verdaux<Endianness> = chain.record(first).map_err(fail)?;
                let name = text(first.vda_name.get(endian))?;
                found.nodes.push(name);
                let version = Version {
                    name,
                    library: None,
                    exact: false,
                };
                found.set(definition.vd_ndx.get(endian).0, version);
            }
            match definition.vd_next.get(endian) {
                0 => break,
                next => at += u64::from(next),
            }
        }
        let mut chain = Chain::new(raw.needs);
        let mut at = 0;
        while !raw.needs.is_empty() {
            let need: &Verneed<Endianness> = chain.record(at).map_err(fail)?;
            let library = text(need.vn_file.get(endian))?;
            let mut version_at = at + u64::from(need.vn_aux.get(endian));
            for _ in 0..need.vn_cnt.get(endian) {
                let version: &Vernaux<Endianness> = chain.record(version_at).map_err(fail)?;
                let name = text(version.vna_name.get(endian))?;
                found.needs.push(Need {
                    library,
                    version: name,
                });
                let number = version.vna_other.get(endian);
                let needed = Version {
                    name,
                    library: Some(library),
                    exact: VersymIndex(number.0).is_hidden(),
                };
                found.set(number.0, needed);
                version_at += u64::from(version.vna_next.get(endian));
            }
            match need.vn_next.get(endian) {
                0 => break,
                next => at += u64::from(next),
            }
        }
        Ok(found)
    }
}
