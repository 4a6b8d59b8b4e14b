//! The contents of a wheel as a tree of sizes: files, and inside of libraries their dialects, archives, object files
//! and sections.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use camino::Utf8Path;
use mondo_audit::{ReadError, Wheel};
use mondo_core::demangle::demangled;
use mondo_core::digest::{Sha256, hex};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use object::{Object, ObjectSection, ObjectSymbol, SectionKind};
use serde::Serialize;

use super::detail::Detail;
use super::mega;

/// The sort of a part of a wheel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The wheel itself.
    Wheel,
    /// A folder.
    Folder,
    /// A file.
    File,
    /// The archives of a dialect, or those of no single dialect.
    Dialect,
    /// An archive that was linked.
    Archive,
    /// An object file of it.
    Member,
    /// A section of the library.
    Section,
    /// A symbol, for an image of which no link map is known.
    Symbol,
    /// The bytes of a section that no symbol covers.
    Unnamed,
}

/// A part and its parts, largest first. Bytes are those on disk once installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tree {
    /// Its name.
    pub name: String,
    /// The sort of part.
    pub kind: Kind,
    /// Its unpacked size in bytes; the sum of `parts` may be smaller.
    pub bytes: u64,
    /// The bytes of the file's entry in the wheel, or none for other parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packed: Option<u64>,
    /// Its parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Tree>,
}

/// A tree of sizes, with notes about what it does not show.
#[derive(Debug, Clone, Serialize)]
pub struct Sizes {
    /// The wheel.
    pub tree: Tree,
    /// Sentences about what is not known, and why.
    pub notes: Vec<String>,
}

/// The limit for the unpacked size of a wheel, against zip bombs.
const UNPACKED_LIMIT: u64 = 4 << 30;

impl Tree {
    pub(super) fn new(name: impl Into<String>, kind: Kind, mut parts: Vec<Tree>) -> Self {
        parts.retain(|part| part.bytes > 0);
        parts.sort_by(|a, b| (b.bytes, &a.name).cmp(&(a.bytes, &b.name)));
        Self {
            name: name.into(),
            kind,
            bytes: parts.iter().map(|part| part.bytes).sum(),
            packed: None,
            parts,
        }
    }

    pub(super) fn leaf(name: impl Into<String>, kind: Kind, bytes: u64) -> Self {
        Self {
            bytes,
            ..Self::new(name, kind, Vec::new())
        }
    }

    /// Bytes by path of all parts of `kind`. A path has the names from the file on.
    pub(super) fn by_path(&self, kind: Kind) -> BTreeMap<String, u64> {
        let mut found = BTreeMap::new();
        self.collect(kind, "", &mut found);
        found
    }

    fn collect(&self, kind: Kind, above: &str, found: &mut BTreeMap<String, u64>) {
        let path = match (self.kind, above) {
            (Kind::Wheel, _) => String::new(),
            (_, "") => self.name.clone(),
            _ => format!("{above}/{}", self.name),
        };
        if self.kind == kind {
            *found.entry(path.clone()).or_default() += self.bytes;
        }
        for part in &self.parts {
            part.collect(kind, &path, found);
        }
    }
}

/// Reads the wheel at `path`, and its details in the folder `reports`.
///
/// # Errors
/// `ErrorKind::Wheel` where it is not a wheel.
pub fn of_wheel(path: &Utf8Path, reports: &Utf8Path) -> Result<Sizes> {
    let bytes = file::read(path, UNPACKED_LIMIT)?;
    let name = path.file_name().unwrap_or_default();
    let mut notes = Vec::new();
    let detail = Detail::read(reports, path)?;
    let detail = match detail {
        None => {
            notes.push(format!(
                "{} is missing, so the sizes of dialects, archives and object files are not known: they come \
                 from the link map, which a wheel does not contain",
                Detail::path(reports, path)
            ));
            None
        }
        Some(detail) if detail.sha256 == hex(Sha256::digest(&bytes)) => Some(detail),
        Some(_) => {
            notes.push(format!(
                "{} belongs to another wheel, so it is not used",
                Detail::path(reports, path)
            ));
            None
        }
    };
    let unreadable = |error: ReadError| {
        Error::new(ErrorKind::Wheel, "cannot read the wheel")
            .at(path)
            .because(error.to_string())
            .help("pass a wheel, a file that ends in .whl")
    };
    let wheel = Wheel::read(name, &bytes, UNPACKED_LIMIT).map_err(unreadable)?;
    let mut files: Vec<(&str, Tree)> = Vec::new();
    let packed = packed(&wheel);
    for (entry, packed) in wheel.entries.iter().zip(packed) {
        let file = entry.name.rsplit('/').next().unwrap_or(&entry.name);
        let detail = detail.as_ref().filter(|detail| detail.library == file);
        let contents = wheel.contents(entry).map_err(unreadable)?;
        // Of an entry that is not unpacked, this is the size that the zip file states.
        let mut tree = Tree::leaf(file, Kind::File, entry.zip.size);
        tree.packed = Some(packed);
        if let Ok(image) = object::File::parse(&*contents) {
            tree.parts = match detail {
                Some(detail) => dialects(detail),
                None => sections(&image),
            };
            if image.symbols().next().is_none() && detail.is_none() {
                notes.push(format!(
                    "{file} has no symbol table: only exported symbols have names and sizes"
                ));
            }
        }
        files.push((&entry.name, tree));
    }
    let parts = folders(files);
    let mut tree = Tree::new(name, Kind::Wheel, parts);
    tree.packed = Some(wheel.file_size);
    Ok(Sizes { tree, notes })
}

/// The bytes of each entry in the zip file, with its local header.
fn packed(wheel: &Wheel) -> Vec<u64> {
    let mut starts: Vec<u64> = wheel.entries.iter().map(|entry| entry.zip.offset).collect();
    starts.sort_unstable();
    // The central directory has 46 bytes and a name for each entry, and the record at its end has 22 bytes.
    let names: u64 = wheel
        .entries
        .iter()
        .map(|entry| 46 + entry.name.len() as u64)
        .sum();
    let end = wheel.file_size.saturating_sub(names + 22);
    let size = |start: u64| {
        let next = starts.partition_point(|other| *other <= start);
        starts
            .get(next)
            .copied()
            .unwrap_or(end)
            .saturating_sub(start)
    };
    wheel
        .entries
        .iter()
        .map(|entry| size(entry.zip.offset))
        .collect()
}

/// Groups files into a tree of folders.
fn folders(files: Vec<(&str, Tree)>) -> Vec<Tree> {
    let mut inner: BTreeMap<&str, Vec<(&str, Tree)>> = BTreeMap::new();
    let mut parts = Vec::new();
    for (path, tree) in files {
        match path.split_once('/') {
            Some((folder, rest)) => inner.entry(folder).or_default().push((rest, tree)),
            None => parts.push(tree),
        }
    }
    let into = |(name, files): (&str, Vec<(&str, Tree)>)| {
        let mut tree = Tree::new(name, Kind::Folder, folders(files));
        tree.packed = Some(tree.parts.iter().filter_map(|part| part.packed).sum());
        tree
    };
    parts.extend(inner.into_iter().map(into));
    parts.sort_by(|a, b| (b.bytes, &a.name).cmp(&(a.bytes, &b.name)));
    parts
}

/// The name of the node for archives that belong to no single dialect.
const SHARED: &str = "(no single dialect)";

pub(super) fn dialects(detail: &Detail) -> Vec<Tree> {
    let mut by_dialect: BTreeMap<&str, Vec<Tree>> = BTreeMap::new();
    for archive in &detail.archives {
        let members = archive.members.iter().map(|member| {
            let sections = member.sections.iter();
            let sections =
                sections.map(|section| Tree::leaf(&section.name, Kind::Section, section.bytes));
            Tree::new(&member.name, Kind::Member, sections.collect())
        });
        let tree = Tree::new(&archive.name, Kind::Archive, members.collect());
        let owner = archive.dialect.as_deref().unwrap_or(SHARED);
        by_dialect.entry(owner).or_default().push(tree);
    }
    let trees = by_dialect.into_iter();
    let all = Tree::new(
        "",
        Kind::Wheel,
        trees
            .map(|(name, children)| Tree::new(name, Kind::Dialect, children))
            .collect(),
    );
    all.parts
}

fn sections(image: &object::File<'_>) -> Vec<Tree> {
    let symbols: Vec<_> = match image.symbols().next() {
        Some(_) => image.symbols().collect(),
        None => image.dynamic_symbols().collect(),
    };
    let parts = image.sections().filter_map(|section| {
        // A section that is not loaded has no address: debug sections and symbol tables.
        let (_, size) = section.file_range()?;
        let here = symbols
            .iter()
            .filter(|symbol| symbol.section_index() == Some(section.index()) && symbol.size() > 0);
        let here: BTreeMap<u64, _> = here.map(|symbol| (symbol.address(), symbol)).collect();
        let covered = covered(
            here.values()
                .map(|symbol| (symbol.address(), symbol.size())),
        );
        let mut inside: Vec<Tree> = here
            .values()
            .filter_map(|symbol| {
                let name = demangled(symbol.name().ok()?);
                Some(Tree::leaf(name, Kind::Symbol, symbol.size()))
            })
            .collect();
        // Without this part, the few exports of a stripped image would fill the box of the section.
        if !inside.is_empty() {
            let rest = size.saturating_sub(covered);
            inside.push(Tree::leaf("(no symbol)", Kind::Unnamed, rest));
        }
        let mut tree = Tree::leaf(section.name().ok()?, Kind::Section, size);
        let data = !matches!(section.kind(), SectionKind::UninitializedData);
        tree.parts = Tree::new("", Kind::Section, inside).parts;
        data.then_some(tree)
    });
    Tree::new("", Kind::File, parts.collect()).parts
}

/// Returns the bytes that symbols cover, given their addresses in ascending order and their sizes. Symbols can overlap.
fn covered(symbols: impl Iterator<Item = (u64, u64)>) -> u64 {
    let mut bytes = 0;
    let mut end = 0;
    for (address, size) in symbols {
        let stop = address.saturating_add(size);
        bytes += stop.saturating_sub(address.max(end));
        end = end.max(stop);
    }
    bytes
}

/// The number of parts of a kind that the table shows.
const SHOWN: usize = 12;

impl Sizes {
    /// The table for the terminal: the largest of each kind.
    #[must_use]
    pub fn text(&self) -> String {
        let tree = &self.tree;
        // Writing to a String cannot fail.
        let mut text = format!(
            "{}: {} in the wheel, {} installed\n",
            tree.name,
            mega(tree.packed.unwrap_or_default()),
            mega(tree.bytes)
        );
        for (kind, title) in [
            (Kind::File, "files"),
            (Kind::Dialect, "dialects"),
            (Kind::Archive, "archives"),
            (Kind::Member, "object files"),
            (Kind::Section, "sections"),
            (Kind::Symbol, "symbols"),
        ] {
            let mut sums: BTreeMap<String, u64> = BTreeMap::new();
            for (path, bytes) in tree.by_path(kind) {
                *sums.entry(short(&path, kind)).or_default() += bytes;
            }
            if sums.is_empty() {
                continue;
            }
            let mut list: Vec<_> = sums.into_iter().collect();
            list.sort_by_key(|sum| std::cmp::Reverse(sum.1));
            let _ = writeln!(text, "{title}: {}", list.len());
            for (name, bytes) in list.iter().take(SHOWN) {
                let _ = writeln!(text, "  {:>12}  {name}", mega(*bytes));
            }
        }
        for note in &self.notes {
            let _ = writeln!(text, "note: {note}");
        }
        text
    }
}

/// A shortened path. The sizes of sections are summed over all object files, so their path has no object file; an
/// object file is shown with its archive only.
pub(super) fn short(path: &str, kind: Kind) -> String {
    let mut parts: Vec<&str> = path.rsplit('/').collect();
    let keep = match kind {
        Kind::File => return path.to_owned(),
        Kind::Member => 2,
        _ => 1,
    };
    parts.truncate(keep);
    if let [member, archive] = parts[..] {
        return format!("{archive}({member})");
    }
    parts.concat()
}
