//! The graph of sections: the references among the object files that a link takes, resolved as
//! lld resolves them.
//!
//! Archive members are extracted as the linker does it: all members of archives that are linked whole, and from other
//! archives the first member that defines a referenced symbol. Identical code folding is not modelled, so sizes are
//! those before folding.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use camino::Utf8PathBuf;
use memmap2::Mmap;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use mondo_core::interrupt;
use object::read::archive::{ArchiveFile, ArchiveMember, ArchiveOffset};
use rayon::prelude::*;

use super::inputs::LinkInputs;
use super::object_file::ObjectFile;

/// The memory maps that a graph borrows from.
#[derive(Debug)]
pub struct Mapped {
    archives: Vec<(Utf8PathBuf, bool, Mmap)>,
}

impl Mapped {
    /// Maps every archive of a link.
    ///
    /// # Errors
    /// `ErrorKind::Archive` where a file cannot be mapped.
    pub fn open(inputs: &LinkInputs) -> Result<Self> {
        let archives = inputs.archives.iter();
        let archives = archives.map(|(path, whole)| Ok((path.clone(), *whole, file::map(path)?)));
        Ok(Self {
            archives: archives.collect::<Result<_>>()?,
        })
    }
}

/// A section of an object file that was linked.
#[derive(Debug)]
pub(super) struct Node<'a> {
    /// An index into [`Graph::members`].
    pub(super) member: u32,
    pub(super) name: &'a str,
    pub(super) size: u64,
    pub(super) root: bool,
    /// The nodes that it refers to, each with the symbol by which it does.
    pub(super) refers: Vec<(u32, &'a str)>,
}

/// All sections that a link looks at, and their references.
#[derive(Debug)]
pub struct Graph<'a> {
    /// `libMLIRIR.a(Block.cpp.o)`.
    pub(super) members: Vec<String>,
    pub(super) nodes: Vec<Node<'a>>,
    /// Global symbols and the nodes that define them.
    pub(super) definitions: HashMap<&'a str, u32>,
    /// Local symbols. The same name may occur in many members.
    pub(super) locals: Vec<(&'a str, u32)>,
}

/// For each symbol, the first archive member that defines it.
type Lazy<'a> = HashMap<&'a [u8], (usize, ArchiveOffset)>;

impl<'a> Graph<'a> {
    /// Reads the object files that a link of `mapped` takes for `exports`.
    ///
    /// # Errors
    /// `ErrorKind::Archive` where a file cannot be read as what it is.
    pub fn load(mapped: &'a Mapped, exports: impl Iterator<Item = &'a String>) -> Result<Self> {
        let mut archives = Vec::new();
        let mut lazy: Lazy<'a> = HashMap::new();
        let mut wanted: Vec<(usize, ArchiveMember<'a>)> = Vec::new();
        for (index, (path, whole, map)) in mapped.archives.iter().enumerate() {
            let broken = |error: object::read::Error| {
                Error::new(ErrorKind::Archive, "cannot read the archive")
                    .at(path)
                    .caused_by(error)
            };
            let archive = ArchiveFile::parse(&**map).map_err(broken)?;
            if *whole {
                for member in archive.members() {
                    wanted.push((index, member.map_err(broken)?));
                }
            } else if let Some(symbols) = archive.symbols().map_err(broken)? {
                for symbol in symbols {
                    let symbol = symbol.map_err(broken)?;
                    lazy.entry(symbol.name())
                        .or_insert((index, symbol.offset()));
                }
            }
            archives.push((path.file_name().unwrap_or_default(), archive, &**map));
        }
        let mut taken: Vec<(String, ObjectFile<'a>)> = Vec::new();
        let mut seen: HashSet<(usize, u64)> = HashSet::new();
        let mut defined: HashSet<&'a str> = HashSet::new();
        let exported: Vec<&'a str> = exports.map(String::as_str).collect();
        loop {
            interrupt::check()?;
            let wave: Vec<(String, ObjectFile<'a>)> = wanted
                .par_iter()
                .filter_map(|(index, member)| {
                    let (archive_name, _, data) = &archives[*index];
                    let name = String::from_utf8_lossy(member.name());
                    let file = ObjectFile::parse(member.data(*data).ok()?)?;
                    Some((format!("{archive_name}({name})"), file))
                })
                .collect();
            for (_, file) in &wave {
                let symbols = file.symbols.iter();
                let theirs = symbols.filter(|symbol| symbol.section.is_some() && !symbol.local);
                defined.extend(theirs.map(|symbol| symbol.name));
            }
            let references = wave.iter().flat_map(|(_, file)| &file.symbols);
            let undefined = references
                .filter(|symbol| {
                    symbol.section.is_none()
                        && !symbol.weak
                        && !symbol.local
                        && !symbol.name.is_empty()
                })
                .map(|symbol| symbol.name)
                .chain(exported.iter().copied().filter(|_| taken.is_empty()));
            let mut next = Vec::new();
            for name in undefined {
                if !defined.contains(name)
                    && let Some(&place) = lazy.get(name.as_bytes())
                    && seen.insert((place.0, place.1.0))
                    && let Ok(member) = archives[place.0].1.member(place.1)
                {
                    next.push((place.0, member));
                }
            }
            taken.extend(wave);
            if next.is_empty() {
                break;
            }
            wanted = next;
        }
        Ok(Self::resolve(taken))
    }

    /// Numbers the sections and points each reference at the section that it ends in.
    fn resolve(taken: Vec<(String, ObjectFile<'a>)>) -> Self {
        let mut graph = Self {
            members: Vec::with_capacity(taken.len()),
            nodes: Vec::new(),
            definitions: HashMap::new(),
            locals: Vec::new(),
        };
        // For each COMDAT group, the member whose copy is kept.
        let mut groups: HashMap<&'a str, usize> = HashMap::new();
        let mut weak: HashMap<&'a str, bool> = HashMap::new();
        let mut numbers: Vec<Vec<Option<u32>>> = Vec::with_capacity(taken.len());
        for (index, (name, file)) in taken.iter().enumerate() {
            graph.members.push(name.clone());
            let mut sizes = Vec::with_capacity(file.sections.len());
            for section in &file.sections {
                let kept = section
                    .comdat
                    .is_none_or(|group| *groups.entry(group).or_insert(index) == index);
                sizes.push(kept.then(|| {
                    graph.nodes.push(Node {
                        member: index as u32,
                        name: section.name,
                        size: section.size,
                        root: section.root,
                        refers: Vec::new(),
                    });
                    (graph.nodes.len() - 1) as u32
                }));
            }
            for symbol in &file.symbols {
                let Some(node) = symbol.section.and_then(|section| sizes[section]) else {
                    continue;
                };
                if symbol.local {
                    graph.locals.push((symbol.name, node));
                    continue;
                }
                match graph.definitions.entry(symbol.name) {
                    Entry::Vacant(entry) => {
                        entry.insert(node);
                        weak.insert(symbol.name, symbol.weak);
                    }
                    // A strong definition takes the place of a weak one.
                    Entry::Occupied(mut entry) => {
                        if !symbol.weak && weak.get(symbol.name) == Some(&true) {
                            entry.insert(node);
                            weak.insert(symbol.name, false);
                        }
                    }
                }
            }
            numbers.push(sizes);
        }
        for ((_, file), own) in taken.iter().zip(&numbers) {
            for (section, node) in file.sections.iter().zip(own) {
                let Some(node) = node else { continue };
                let refers = section.refers.iter().filter_map(|symbol| {
                    let symbol = file.symbols.get(*symbol)?;
                    let here = symbol.section.and_then(|section| own[section]);
                    let target = match here {
                        Some(target) if symbol.local => target,
                        here => graph.definitions.get(symbol.name).copied().or(here)?,
                    };
                    Some((target, symbol.name))
                });
                graph.nodes[*node as usize].refers = refers.collect();
            }
        }
        graph
    }

    /// `libMLIRIR.a(Block.cpp.o)` of a node.
    pub(super) fn place(&self, node: u32) -> &str {
        &self.members[self.nodes[node as usize].member as usize]
    }
}
