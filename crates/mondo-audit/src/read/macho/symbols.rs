//! The symbol table, and the exports of the trie.

use std::borrow::Cow;

use object::Endianness;
use object::macho;
use object::read::macho::{MachHeader, Nlist};

use super::reader::{Reader, is_code};
use super::trie;
use crate::image_facts::{
    Binding, Export, Facts, ImageKind, Import, Symbol, SymbolKind, Visibility,
};
use crate::read::error::ReadError;

impl<'a, M: MachHeader<Endian = Endianness>> Reader<'a, M> {
    /// Symbols, imports and exports.
    pub(super) fn read_symbols(&self, facts: &mut Facts<'a>) -> Result<(), ReadError> {
        let object = facts.kind == ImageKind::Object;
        let from_trie = self.exports.filter(|_| !object);
        if let Some((start, size)) = from_trie {
            self.exported(facts, start, size)?;
        }
        facts.stripped = true;
        let Some(command) = self.symbols else {
            facts
                .unseen
                .push("no symbol table: what it takes from other libraries".to_owned());
            return Ok(());
        };
        let start = command.symoff.get(self.endian);
        let place = format!("symbol table, offset {start}");
        let fail = |error: object::read::Error| {
            ReadError::malformed(self.name, error.to_string(), &*place)
        };
        let table = command
            .symbols::<M, &[u8]>(self.endian, self.bytes)
            .map_err(fail)?;
        for nlist in table.iter() {
            if nlist.is_stab() {
                // Debug information's map to the object files: names of files and functions.
                facts.debug_info = facts
                    .debug_info
                    .saturating_add(size_of::<M::Nlist>() as u64);
                continue;
            }
            let raw = table.symbol_name(self.endian, nlist).map_err(fail)?;
            self.names.count(raw, &place)?;
            let name = plain(raw);
            let flags = nlist.n_type();
            let description = nlist.n_desc(self.endian);
            let outside = flags.contains(macho::N_EXT);
            let private = flags.contains(macho::N_PEXT);
            if nlist.is_undefined() {
                facts.imports.push(Import {
                    name: self.names.text(name, &place)?,
                    ordinal: None,
                    version: None,
                    library: self.bound_to(facts, nlist),
                    weak: description.contains(macho::N_WEAK_REF),
                });
                continue;
            }
            let section = nlist.is_definition().then(|| u32::from(nlist.n_sect()));
            let section = section.and_then(|number| number.checked_sub(1));
            let kind = match section {
                Some(section) => self.kind_in(section as usize),
                None if nlist.is_common() => SymbolKind::Object,
                None => SymbolKind::Other,
            };
            let binding = match (outside && (object || !private), description) {
                (false, _) => Binding::Local,
                (true, bits) if bits.contains(macho::N_WEAK_DEF) => Binding::Weak,
                (true, _) => Binding::Global,
            };
            let value: u64 = nlist.n_value(self.endian).into();
            let address = value.wrapping_sub(self.base);
            facts.stripped &= outside && !private;
            if from_trie.is_none() && binding != Binding::Local {
                facts.exports.push(Export {
                    name: self.names.text(name, &place)?.into(),
                    version: None,
                    default_version: true,
                    kind,
                    binding,
                    visibility: if private {
                        Visibility::Hidden
                    } else {
                        Visibility::Default
                    },
                    address,
                    size: 0,
                    forwarded: None,
                });
            }
            facts.symbols.push(Symbol {
                name,
                address,
                size: 0,
                section,
                kind,
                binding,
            });
        }
        if object {
            facts.stripped = facts.symbols.is_empty();
        }
        Ok(())
    }

    /// Exports in the trie, as the loader reads them.
    fn exported(&self, facts: &mut Facts<'a>, start: u32, size: u32) -> Result<(), ReadError> {
        let fail = |what: &str, inside: u64| {
            let place = format!("exports trie, offset {}", u64::from(start) + inside);
            ReadError::malformed(self.name, what, place)
        };
        let from = start as usize;
        let bytes = from
            .checked_add(size as usize)
            .and_then(|end| self.bytes.get(from..end))
            .ok_or_else(|| fail("it reaches beyond the file", 0))?;
        let nodes = trie::read(bytes, self.names.capacity(usize::MAX), self.bytes.len())
            .map_err(|(what, inside)| fail(what, inside as u64))?;
        for node in nodes {
            let name = String::from_utf8(node.name).map_err(|_| fail("a name is not UTF-8", 0))?;
            let name = match name.strip_prefix('_') {
                Some(name) => name.to_owned(),
                None => name,
            };
            let reexport = node.flags.contains(macho::EXPORT_SYMBOL_FLAGS_REEXPORT);
            let forwarded = if reexport {
                let index = usize::try_from(node.value).ok();
                let index = index.and_then(|ordinal| ordinal.checked_sub(1));
                let library = index.and_then(|index| facts.needed.get(index).copied());
                Some(library.ok_or_else(|| fail("a name is passed on from no library", 0))?)
            } else {
                None
            };
            let kind = match node.flags.kind() {
                macho::EXPORT_SYMBOL_FLAGS_KIND_THREAD_LOCAL => SymbolKind::Tls,
                macho::EXPORT_SYMBOL_FLAGS_KIND_REGULAR if !reexport => {
                    self.kind_at(facts, node.value)
                }
                _ => SymbolKind::Other,
            };
            let weak = node
                .flags
                .contains(macho::EXPORT_SYMBOL_FLAGS_WEAK_DEFINITION);
            facts.exports.push(Export {
                name: Cow::Owned(name),
                version: None,
                default_version: true,
                kind,
                binding: if weak { Binding::Weak } else { Binding::Global },
                visibility: Visibility::Default,
                address: if reexport { 0 } else { node.value },
                size: 0,
                forwarded,
            });
        }
        Ok(())
    }

    /// The library that the two-level namespace names.
    fn bound_to(&self, facts: &Facts<'a>, nlist: &M::Nlist) -> Option<&'a str> {
        if facts.flat_namespace {
            return None;
        }
        let ordinal = nlist.library_ordinal(self.endian).index()?;
        facts.needed.get(usize::from(ordinal) - 1).copied()
    }

    fn kind_in(&self, section: usize) -> SymbolKind {
        match self.section_flags.get(section) {
            Some(&flags) if is_code(flags) => SymbolKind::Function,
            Some(flags) => match flags.typ() {
                macho::S_THREAD_LOCAL_REGULAR
                | macho::S_THREAD_LOCAL_ZEROFILL
                | macho::S_THREAD_LOCAL_VARIABLES => SymbolKind::Tls,
                _ => SymbolKind::Object,
            },
            None => SymbolKind::Other,
        }
    }

    /// Kind of the symbol at this address, which is relative to the image.
    fn kind_at(&self, facts: &Facts<'a>, address: u64) -> SymbolKind {
        // The last section that starts at or before it: sections do not overlap, and there are few.
        facts
            .sections
            .iter()
            .enumerate()
            .filter(|(_, section)| section.address <= address)
            .max_by_key(|(_, section)| section.address)
            .map_or(SymbolKind::Other, |(index, _)| self.kind_in(index))
    }
}

/// The name as C has it: without the underscore that the compiler put before it.
fn plain(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"_").unwrap_or(name)
}
