//! An arena of strings, by which facts outlive the bytes of their file. Facts borrow names from the file's string
//! tables, which are a small part of it. Only that part is copied, once for all facts, and the facts then borrow from
//! the copy.

use std::borrow::Cow;
use std::cmp::Reverse;

use crate::image::Reading;
use crate::image_facts::{Export, Facts, Import, Need, Section, Symbol};
use crate::read::elf::references::{Definition, Lookups, Reference};

/// The maximum distance of two names that are copied together with the bytes between them.
const GAP: usize = 64;

/// Copies of the borrowed parts of a file.
#[derive(Debug)]
pub(crate) struct StringArena {
    /// Names of the images in it.
    names: Vec<String>,
    bytes: Vec<u8>,
    /// Sorted by address.
    parts: Vec<Part>,
}

/// Bytes that were copied.
#[derive(Debug)]
struct Part {
    /// Address of the original.
    from: usize,
    /// Offset of the copy.
    place: usize,
}

impl StringArena {
    /// Copies the parts of `file` from which these readings borrow.
    pub(crate) fn of(readings: &[Reading<'_>], file: &[u8]) -> Self {
        let mut borrowed: Vec<&[u8]> = Vec::new();
        for reading in readings {
            let mut note = |slice| {
                borrowed.push(slice);
                &[][..]
            };
            moved(reading.clone(), "", &mut note);
        }
        borrowed.retain(|slice| !slice.is_empty());
        borrowed.sort_unstable_by_key(|slice| (address(slice), Reverse(slice.len())));

        let start = address(file);
        let within = |address: usize| (start..=start + file.len()).contains(&address);
        let mut originals: Vec<&[u8]> = Vec::new();
        for slice in borrowed {
            let from = address(slice);
            let to = from + slice.len();
            match originals.last_mut() {
                Some(last) if to <= end(last) => {}
                Some(last) if within(address(last)) && within(to) && from <= end(last) + GAP => {
                    *last = &file[address(last) - start..to - start];
                }
                // The bytes are in another table, or are a name that is not part of the file.
                _ => originals.push(slice),
            }
        }
        let mut place = 0;
        let parts = originals.iter().map(|original| {
            let from = address(original);
            place += original.len();
            Part {
                from,
                place: place - original.len(),
            }
        });
        Self {
            parts: parts.collect(),
            names: readings
                .iter()
                .map(|reading| reading.facts.name.to_owned())
                .collect(),
            bytes: originals.concat(),
        }
    }

    /// Returns the same readings, which now borrow from this arena.
    pub(crate) fn readings<'a>(&'a self, readings: Vec<Reading<'_>>) -> Vec<Reading<'a>> {
        let named = readings.into_iter().zip(&self.names);
        named
            .map(|(reading, name)| moved(reading, name, &mut |slice| self.copy_of(slice)))
            .collect()
    }

    /// The copy of a slice whose bytes are in the arena.
    fn copy_of(&self, slice: &[u8]) -> &[u8] {
        let from = address(slice);
        let after = self.parts.partition_point(|part| part.from <= from);
        let part = after.checked_sub(1).map(|at| &self.parts[at]);
        part.and_then(|part| {
            let start = part.place + (from - part.from);
            self.bytes.get(start..start + slice.len())
        })
        .unwrap_or_default()
    }
}

fn address(slice: &[u8]) -> usize {
    slice.as_ptr().addr()
}

fn end(slice: &[u8]) -> usize {
    address(slice) + slice.len()
}

/// Replaces every slice that a reading borrows by the slice that `to` returns for it.
fn moved<'t, 'a>(
    reading: Reading<'t>,
    name: &'a str,
    to: &mut dyn FnMut(&'t [u8]) -> &'a [u8],
) -> Reading<'a> {
    let type_names = reading.type_names.into_iter().map(&mut *to).collect();
    let lookups = reading.lookups.map(|lookups| lookups_to(lookups, to));
    Reading {
        offset: reading.offset,
        facts: facts_to(reading.facts, name, to),
        symbols: reading.symbols,
        lookups,
        type_names,
    }
}

/// Applies `to` to the bytes of a text.
fn text<'t, 'a>(text: &'t str, to: &mut dyn FnMut(&'t [u8]) -> &'a [u8]) -> &'a str {
    std::str::from_utf8(to(text.as_bytes())).unwrap_or_default()
}

fn lookups_to<'t, 'a>(
    lookups: Lookups<'t>,
    to: &mut dyn FnMut(&'t [u8]) -> &'a [u8],
) -> Lookups<'a> {
    let references = lookups.references.into_iter().map(|one| Reference {
        name: text(one.name, to),
        version: one.version.map(|version| text(version, to)),
        library: one.library.map(|library| text(library, to)),
        exact: one.exact,
        protected: one.protected,
    });
    let references = references.collect();
    let definitions = lookups.definitions.into_iter().map(|one| Definition {
        name: text(one.name, to),
        version: one.version.map(|version| text(version, to)),
        version_index: one.version_index,
        hidden: one.hidden,
        unique: one.unique,
    });
    Lookups {
        references,
        definitions: definitions.collect(),
        symbolic: lookups.symbolic,
        versioned: lookups.versioned,
    }
}

fn facts_to<'t, 'a>(
    facts: Facts<'t>,
    name: &'a str,
    to: &mut dyn FnMut(&'t [u8]) -> &'a [u8],
) -> Facts<'a> {
    let mut texts = |all: Vec<&'t str>| -> Vec<&'a str> {
        all.into_iter().map(|one| text(one, &mut *to)).collect()
    };
    let needed = texts(facts.needed);
    let optional = texts(facts.optional);
    let reexported = texts(facts.reexported);
    let rpath = texts(facts.rpath);
    let runpath = texts(facts.runpath);
    let version_nodes = texts(facts.version_nodes);
    Facts {
        name,
        format: facts.format,
        kind: facts.kind,
        arch: facts.arch,
        bits: facts.bits,
        big_endian: facts.big_endian,
        file_size: facts.file_size,
        soname: facts.soname.map(|name| text(name, to)),
        needed,
        optional,
        reexported,
        rpath,
        runpath,
        exports: exports_to(facts.exports, to),
        nameless_exports: facts.nameless_exports,
        imports: imports_to(facts.imports, to),
        symbolic: facts.symbolic,
        flat_namespace: facts.flat_namespace,
        version_needs: needs_to(facts.version_needs, to),
        version_nodes,
        symbols: symbols_to(facts.symbols, to),
        stripped: facts.stripped,
        sections: sections_to(facts.sections, to),
        debug_info: facts.debug_info,
        executable_stack: facts.executable_stack,
        relro: facts.relro,
        bind_now: facts.bind_now,
        text_relocations: facts.text_relocations,
        hardening: facts.hardening,
        build_id: facts.build_id.map(&mut *to),
        pdb: facts.pdb.map(|path| text(path, to)),
        signature: facts.signature,
        changed_pages: facts.changed_pages,
        minimum_os: facts.minimum_os,
        init_array_size: facts.init_array_size,
        unseen: facts.unseen,
    }
}

fn exports_to<'t, 'a>(
    exports: Vec<Export<'t>>,
    to: &mut dyn FnMut(&'t [u8]) -> &'a [u8],
) -> Vec<Export<'a>> {
    let moved = exports.into_iter().map(|export| Export {
        name: match export.name {
            Cow::Borrowed(name) => Cow::Borrowed(text(name, to)),
            Cow::Owned(name) => Cow::Owned(name),
        },
        version: export.version.map(|version| text(version, to)),
        forwarded: export.forwarded.map(|other| text(other, to)),
        default_version: export.default_version,
        kind: export.kind,
        binding: export.binding,
        visibility: export.visibility,
        address: export.address,
        size: export.size,
    });
    moved.collect()
}

fn imports_to<'t, 'a>(
    imports: Vec<Import<'t>>,
    to: &mut dyn FnMut(&'t [u8]) -> &'a [u8],
) -> Vec<Import<'a>> {
    let moved = imports.into_iter().map(|import| Import {
        name: text(import.name, to),
        version: import.version.map(|version| text(version, to)),
        library: import.library.map(|library| text(library, to)),
        ordinal: import.ordinal,
        weak: import.weak,
    });
    moved.collect()
}

fn needs_to<'t, 'a>(
    needs: Vec<Need<'t>>,
    to: &mut dyn FnMut(&'t [u8]) -> &'a [u8],
) -> Vec<Need<'a>> {
    let moved = needs.into_iter().map(|need| Need {
        library: text(need.library, to),
        version: text(need.version, to),
    });
    moved.collect()
}

fn symbols_to<'t, 'a>(
    symbols: Vec<Symbol<'t>>,
    to: &mut dyn FnMut(&'t [u8]) -> &'a [u8],
) -> Vec<Symbol<'a>> {
    let moved = symbols.into_iter().map(|symbol| Symbol {
        name: to(symbol.name),
        address: symbol.address,
        size: symbol.size,
        section: symbol.section,
        kind: symbol.kind,
        binding: symbol.binding,
    });
    moved.collect()
}

fn sections_to<'t, 'a>(
    sections: Vec<Section<'t>>,
    to: &mut dyn FnMut(&'t [u8]) -> &'a [u8],
) -> Vec<Section<'a>> {
    let moved = sections.into_iter().map(|section| Section {
        name: text(section.name, to),
        address: section.address,
        offset: section.offset,
        file_size: section.file_size,
        read_only_data: section.read_only_data,
    });
    moved.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Part as FilePart;

    #[test]
    fn what_was_read_outlives_the_file() {
        let program = std::env::current_exe().expect("this program");
        let mut file = fs_err::read(program).expect("its bytes");
        let part = FilePart {
            name: "x".to_owned(),
            offset: 0,
            bytes: &file,
        };
        let reading = Reading::new(&part).expect("readable");
        let text = format!("{reading:?}");
        assert!(reading.symbols > 100 && reading.facts.imports.len() > 10);
        let kept = StringArena::of(std::slice::from_ref(&reading), &file);
        let moved = kept.readings(vec![reading]);
        assert!(kept.bytes.len() < file.len() / 2);
        file.fill(0);
        assert_eq!(format!("{:?}", moved[0]), text);
    }
}
