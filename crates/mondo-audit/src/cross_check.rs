//! Cross-check of the ELF reader. goblin reads the same file, and its facts are compared with those that this crate
//! reads with `object`: exports with their bindings, needed libraries, and versions needed and defined.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use goblin::elf::symver::Versym;
use goblin::elf::{Elf, section_header, sym};

use crate::image_facts::{Binding, Facts};
use crate::printable::printed;
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
    /// A version node that the library defines.
    VersionDefinition(String),
    /// An exported symbol. A weak definition counts only if it is exported, because a hidden symbol is not a definition
    /// for other images.
    Export {
        /// The name without a version.
        name: String,
        /// The version node.
        version: Option<String>,
        /// True if the symbol is bound `STB_WEAK`.
        weak: bool,
    },
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Needed(library) => write!(f, "the needed library {}", printed(library)),
            Self::VersionNeed { library, version } => {
                let (library, version) = (printed(library), printed(version));
                write!(f, "the version {version} needed of {library}")
            }
            Self::VersionDefinition(node) => write!(f, "the version node {}", printed(node)),
            Self::Export {
                name,
                version,
                weak,
            } => {
                let kind = if *weak { "weak definition" } else { "export" };
                write!(f, "the {kind} {}", printed(name))?;
                match version {
                    Some(version) => write!(f, "@{}", printed(version)),
                    None => Ok(()),
                }
            }
        }
    }
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

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let only = match self.only {
            Reader::Object => "object",
            Reader::Goblin => "goblin",
        };
        write!(f, "{}: found by {only} alone", self.fact)
    }
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
    let nodes = facts.version_nodes.iter();
    let nodes = nodes.map(|&node| Fact::VersionDefinition(node.to_owned()));
    let exports = facts.exports.iter().map(|export| Fact::Export {
        name: export.name.clone().into_owned(),
        version: export.version.map(str::to_owned),
        weak: export.binding == Binding::Weak,
    });
    needed.chain(needs).chain(nodes).chain(exports).collect()
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
            let node = text(first.vda_name);
            facts.insert(Fact::VersionDefinition(node.clone()));
            versions.insert(definition.vd_ndx, node);
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
    let absolute = section_header::SHN_ABS as usize;
    for (at, symbol) in elf.dynsyms.iter().enumerate() {
        // The low two bits; goblin's own method takes in a third, which belongs to the processor.
        let visibility = symbol.st_other & 3;
        let visible = [sym::STV_DEFAULT, sym::STV_PROTECTED].contains(&visibility);
        let undefined = symbol.st_shndx == section_header::SHN_UNDEF as usize;
        if symbol.st_bind() == sym::STB_LOCAL || undefined || !visible {
            continue;
        }
        let version = elf.versym.as_ref().and_then(|table| table.get_at(at));
        if version.as_ref().is_some_and(Versym::is_local) {
            continue;
        }
        let name = text(symbol.st_name);
        // GNU ld defines each version node as an absolute symbol of that name.
        let node = || facts.contains(&Fact::VersionDefinition(name.clone()));
        if symbol.st_shndx == absolute && node() {
            continue;
        }
        facts.insert(Fact::Export {
            version: version.and_then(|version| versions.get(&version.version()).cloned()),
            weak: symbol.st_bind() == sym::STB_WEAK,
            name,
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

    /// The disagreements about the C library after `alter` has altered the facts about it.
    fn after(alter: impl FnOnce(&mut Facts<'_>)) -> Vec<String> {
        let bytes = libc();
        let mut facts = read_image("libc.so.6", &bytes).expect("readable");
        alter(&mut facts);
        let found = compare_with(&facts, &bytes).expect("readable");
        assert!(found.is_sorted());
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_altered_fact_is_a_disagreement() {
        let needed = after(|facts| facts.needed.push("libacme.so"));
        assert_eq!(
            needed,
            ["the needed library libacme.so: found by object alone"]
        );
        let nodes = after(|facts| facts.version_nodes.retain(|&node| node != "GLIBC_PRIVATE"));
        assert_eq!(
            nodes,
            ["the version node GLIBC_PRIVATE: found by goblin alone"]
        );
        let needs = after(|facts| facts.version_needs.clear());
        assert!(needs[0].starts_with("the version GLIBC_"), "{needs:?}");
        let absent = after(|facts| facts.exports.retain(|one| one.name != "qsort"));
        assert_eq!(absent.len(), 1, "{absent:?}");
        assert!(absent[0].starts_with("the export qsort@GLIBC_"));
        assert!(absent[0].ends_with(": found by goblin alone"));
    }

    #[test]
    fn a_definition_that_only_one_reader_finds_weak_is_a_disagreement() {
        let found = after(|facts| {
            let symbol = facts.exports.iter_mut().find(|one| one.name == "qsort");
            symbol.expect("qsort").binding = Binding::Weak;
        });
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("the export qsort@"));
        assert!(found[0].ends_with(": found by goblin alone"));
        assert!(found[1].starts_with("the weak definition qsort@"));
        assert!(found[1].ends_with(": found by object alone"));
        let bytes = libc();
        let facts = read_image("libc.so.6", &bytes).expect("readable");
        let weak = |export: &&crate::Export<'_>| export.binding == Binding::Weak;
        assert!(facts.exports.iter().filter(weak).count() > 100);
    }
}
