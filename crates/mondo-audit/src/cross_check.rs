//! Cross-check of the ELF reader: exports, needed libraries and version needs as goblin reads them,
//! against the facts that this crate reads with `object`.

use std::collections::{BTreeMap, BTreeSet};

use goblin::elf::{Elf, section_header, sym};

use crate::image_facts::{Binding, Facts};
use crate::read::error::ReadError;
use crate::read::read_image;

/// A fact that both readers find in a shared library.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// An entry of `DT_NEEDED`.
    Needed(String),
    /// A version that is needed of a library.
    VersionNeed {
        /// The library.
        library: String,
        /// The name of the version.
        version: String,
    },
    /// An exported symbol.
    Export {
        /// The name without a version.
        name: String,
        /// The version node.
        version: Option<String>,
        /// True if the symbol is bound `STB_WEAK`.
        weak: bool,
    },
}

/// The reader that finds a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reader {
    /// The reader of this crate, on top of `object`.
    Object,
    /// goblin.
    Goblin,
}

/// A fact that only one of the readers finds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Disagreement {
    /// The fact.
    pub fact: Fact,
    /// The reader that finds it.
    pub only: Reader,
}

/// Reads an ELF shared library with both readers; returns their disagreements, sorted.
///
/// # Errors
///
/// [`ReadError`] where one of the readers cannot read the library.
pub fn compare(name: &str, bytes: &[u8]) -> Result<Vec<Disagreement>, ReadError> {
    compare_with(&read_image(name, bytes)?, bytes)
}

/// Compares facts about an ELF shared library with those that goblin reads from its bytes.
fn compare_with(facts: &Facts<'_>, bytes: &[u8]) -> Result<Vec<Disagreement>, ReadError> {
    let (ours, theirs) = (of_object(facts), of_goblin(facts.name, bytes)?);
    let only = |facts: BTreeSet<Fact>, only| {
        let facts = facts.into_iter();
        facts.map(move |fact| Disagreement { fact, only })
    };
    let mut found: Vec<Disagreement> = only(&ours - &theirs, Reader::Object)
        .chain(only(&theirs - &ours, Reader::Goblin))
        .collect();
    found.sort();
    Ok(found)
}

fn of_object(facts: &Facts<'_>) -> BTreeSet<Fact> {
    let needed = facts
        .needed
        .iter()
        .map(|&name| Fact::Needed(name.to_owned()));
    let needs = facts.version_needs.iter().map(|need| Fact::VersionNeed {
        library: need.library.to_owned(),
        version: need.version.to_owned(),
    });
    let exports = facts.exports.iter().map(|export| Fact::Export {
        name: export.name.clone().into_owned(),
        version: export.version.map(str::to_owned),
        weak: export.binding == Binding::Weak,
    });
    needed.chain(needs).chain(exports).collect()
}

fn of_goblin(name: &str, bytes: &[u8]) -> Result<BTreeSet<Fact>, ReadError> {
    let elf = Elf::parse(bytes)
        .map_err(|error| ReadError::malformed(name, error.to_string(), "read by goblin"))?;
    let text = |offset: usize| elf.dynstrtab.get_at(offset).unwrap_or_default().to_owned();
    let libraries = elf.libraries.iter();
    let mut facts: BTreeSet<Fact> = libraries
        .map(|&library| Fact::Needed(library.to_owned()))
        .collect();
    let mut versions: BTreeMap<u16, String> = BTreeMap::new();
    for definition in elf.verdef.iter().flatten() {
        // The first version is the name of the library itself.
        if definition.vd_flags & VER_FLG_BASE == 0
            && let Some(first) = definition.iter().next()
        {
            versions.insert(definition.vd_ndx, text(first.vda_name));
        }
    }
    for need in elf.verneed.iter().flatten() {
        for version in &need {
            versions.insert(version.vna_other, text(version.vna_name));
            facts.insert(Fact::VersionNeed {
                library: text(need.vn_file),
                version: text(version.vna_name),
            });
        }
    }
    for (at, symbol) in elf.dynsyms.iter().enumerate() {
        let absolute = section_header::SHN_ABS as usize;
        if symbol.st_bind() == sym::STB_LOCAL || [0, absolute].contains(&symbol.st_shndx) {
            continue;
        }
        let version = elf.versym.as_ref().and_then(|table| table.get_at(at));
        let version = version.and_then(|version| versions.get(&version.version()).cloned());
        facts.insert(Fact::Export {
            name: text(symbol.st_name),
            version,
            weak: symbol.st_bind() == sym::STB_WEAK,
        });
    }
    Ok(facts)
}

/// `VER_FLG_BASE` of `elf.h`.
const VER_FLG_BASE: u16 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    /// The C library that this program is loaded with.
    fn libc() -> Vec<u8> {
        let maps = fs_err::read_to_string("/proc/self/maps").expect("the mapped files");
        let path = maps
            .lines()
            .filter_map(|line| line.split_whitespace().nth(5))
            .find(|path| path.ends_with("/libc.so.6"))
            .expect("a process with libc");
        fs_err::read(path).expect("libc")
    }

    #[test]
    fn both_readers_agree_on_the_c_library() {
        let bytes = libc();
        let facts = read_image("libc.so.6", &bytes).expect("readable");
        assert!(facts.exports.len() > 1000 && !facts.version_needs.is_empty());
        assert_eq!(compare("libc.so.6", &bytes), Ok(Vec::new()));
    }

    #[test]
    fn an_altered_fact_is_a_disagreement() {
        let bytes = libc();
        let mut facts = read_image("libc.so.6", &bytes).expect("readable");
        facts.needed.push("libacme.so");
        let symbol = facts.exports.iter_mut().find(|one| one.name == "malloc");
        symbol.expect("malloc").binding = Binding::Weak;
        let found = compare_with(&facts, &bytes).expect("readable");
        let needed = Fact::Needed("libacme.so".to_owned());
        assert!(found.is_sorted());
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!((&found[0].fact, found[0].only), (&needed, Reader::Object));
    }
}
