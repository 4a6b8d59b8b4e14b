//! Size by archive, read from lld's map.
//!
//! lld's text map has one line per output section, indented under it one per input section, and
//! under that one per symbol: `VMA LMA Size Align` and then a name whose indentation tells which of
//! the three it is (lld/docs, `-Map`).

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::replace;
use mondo_core::interrupt;
use serde::{Deserialize, Serialize};

/// The sizes of a linked library's parts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeMap {
    /// Bytes in the file by output section, largest first; `.bss` and the like take none.
    pub sections: Vec<Sized>,
    /// Bytes in the file by archive, largest first; `(linker)` is what lld makes itself.
    pub archives: Vec<Sized>,
    /// Object files and what each has in which section; reports leave them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberSize>,
}

/// An object file's part of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberSize {
    /// Its archive.
    pub archive: String,
    /// The member's name; for an object file outside of an archive it equals `archive`.
    pub name: String,
    /// Bytes by output section.
    pub sections: Vec<Sized>,
}

/// A name and how many bytes it takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sized {
    /// Section or archive.
    pub name: String,
    /// Bytes in the file.
    pub bytes: u64,
}

/// Sections that occupy memory but no bytes of the file. Symbol tables and debug sections, which do
/// not ship, are recognized by their address of 0.
const NO_BITS: &[&str] = &[".bss", ".tbss", ".relro_padding"];

impl SizeMap {
    /// Reads lld's map at `path`.
    ///
    /// # Errors
    /// `ErrorKind::Link` where the map is not lld's.
    pub fn read(path: &Utf8Path) -> Result<Self> {
        let reader = BufReader::with_capacity(1 << 20, fs_err::File::open(path)?);
        Self::parse(reader).map_err(|error| {
            Error::new(ErrorKind::Link, "cannot read the link map")
                .at(path)
                .caused_by(error)
        })
    }

    /// Keeps the result at `path` for [`SizeMap::cached_at`].
    ///
    /// # Errors
    /// `ErrorKind::Link` or `ErrorKind::Io` where they cannot be written.
    pub fn cache_at(&self, path: &Utf8Path) -> Result<()> {
        let text = serde_json::to_string(self).map_err(|error| {
            Error::new(ErrorKind::Link, "cannot write the sizes").caused_by(error)
        })?;
        replace(path, text.as_bytes())
    }

    /// The cached result at `path`; a missing or damaged cache is not a result.
    #[must_use]
    pub fn cached_at(path: &Utf8Path) -> Option<Self> {
        serde_json::from_str(&fs_err::read_to_string(path).ok()?).ok()
    }

    fn parse(mut reader: impl BufRead) -> std::io::Result<Self> {
        let mut sections: BTreeMap<String, u64> = BTreeMap::new();
        let mut archives: BTreeMap<String, u64> = BTreeMap::new();
        let mut members: BTreeMap<(String, String), BTreeMap<String, u64>> = BTreeMap::new();
        let mut section = String::new();
        let mut in_file = true;
        let mut line = Vec::new();
        let mut count = 0u32;
        loop {
            line.clear();
            if reader.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            count = count.wrapping_add(1);
            if count.is_multiple_of(1 << 16) && interrupt::requested() {
                return Err(std::io::Error::other("interrupted"));
            }
            match Line::parse(&line) {
                Some(Line::Output {
                    name,
                    size,
                    address,
                }) => {
                    name.clone_into(&mut section);
                    in_file = address != 0 && !NO_BITS.contains(&name);
                    if in_file && size > 0 {
                        *sections.entry(name.to_owned()).or_default() += size;
                    }
                }
                Some(Line::Input { place, size }) if in_file && size > 0 => {
                    let (archive, member) = origin_of(place);
                    *archives.entry(archive.to_owned()).or_default() += size;
                    let member = members.entry((archive.to_owned(), member.to_owned()));
                    *member.or_default().entry(section.clone()).or_default() += size;
                }
                _ => {}
            }
        }
        Ok(Self {
            sections: largest_first(sections),
            archives: largest_first(archives),
            members: members
                .into_iter()
                .map(|((archive, name), sections)| MemberSize {
                    archive,
                    name,
                    sections: largest_first(sections),
                })
                .collect(),
        })
    }
}

/// The members that symbols came from, by the map at `path`: `libMLIRIR.a(Block.cpp.o)` for each place
/// that brought one of `wanted`, local symbols included.
///
/// # Errors
/// `ErrorKind::Link` where the map cannot be read.
pub fn origins(
    path: &Utf8Path,
    wanted: &BTreeSet<String>,
) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let reader = BufReader::with_capacity(1 << 20, fs_err::File::open(path)?);
    parse_origins(reader, wanted).map_err(|error| {
        Error::new(ErrorKind::Link, "cannot read the link map")
            .at(path)
            .caused_by(error)
    })
}

fn parse_origins(
    reader: impl BufRead,
    wanted: &BTreeSet<String>,
) -> std::io::Result<BTreeMap<String, BTreeSet<String>>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut member = String::new();
    for line in reader.split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        let Some(text) = line.get(NAME..) else {
            continue;
        };
        let name = text.trim_start();
        match text.len() - name.len() {
            INDENT => {
                let file = name.split(":(").next().unwrap_or(name);
                member = file.rsplit('/').next().unwrap_or(file).to_owned();
            }
            SYMBOL_INDENT if wanted.contains(name) => {
                found
                    .entry(name.to_owned())
                    .or_default()
                    .insert(member.clone());
            }
            _ => {}
        }
    }
    Ok(found)
}

/// The column in which names start: after address, load address, size and alignment.
const NAME: usize = 16 + 1 + 16 + 1 + 8 + 1 + 5 + 1;
/// The indentation of the names of input sections.
const INDENT: usize = 8;
/// The indentation of the names of symbols.
const SYMBOL_INDENT: usize = 16;

/// The thing that a line of a map is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// An output section.
    Output,
    /// An input section.
    Input,
    /// A symbol.
    Symbol,
}

/// The sort of thing on a line of a map, and its name.
pub(super) fn depth_and_name(line: &[u8]) -> Option<(Depth, &[u8])> {
    let name = line.get(NAME..)?;
    let start = name.iter().position(|byte| *byte != b' ')?;
    let depth = match start {
        0 => Depth::Output,
        INDENT => Depth::Input,
        SYMBOL_INDENT => Depth::Symbol,
        _ => return None,
    };
    Some((depth, &name[start..]))
}

/// The input section that a line of a map is about: `lib/libMLIRIR.a(Block.cpp.o):(.text.f)`.
pub(super) fn input_section(line: &str) -> Option<&str> {
    let name = line.get(NAME..)?;
    let place = name.trim_start();
    (name.len() - place.len() == INDENT).then_some(place)
}

enum Line<'a> {
    Output {
        name: &'a str,
        size: u64,
        address: u64,
    },
    Input {
        place: &'a str,
        size: u64,
    },
}

impl<'a> Line<'a> {
    /// Symbols are the bulk of a map, so their lines are recognized by their indentation alone.
    fn parse(line: &'a [u8]) -> Option<Self> {
        if line.len() <= NAME {
            return None;
        }
        let indent = line[NAME..]
            .iter()
            .take_while(|byte| **byte == b' ')
            .count();
        if indent != 0 && indent != INDENT {
            return None;
        }
        let line = std::str::from_utf8(line).ok()?;
        let size = u64::from_str_radix(line.get(34..42)?.trim(), 16).ok()?;
        let name = line.get(NAME + indent..)?.trim_end();
        Some(if indent == 0 {
            let address = u64::from_str_radix(line.get(..16)?.trim(), 16).ok()?;
            Self::Output {
                name,
                size,
                address,
            }
        } else {
            Self::Input { place: name, size }
        })
    }
}

/// `/p/libMLIRIR.a(Block.cpp.o):(.text.x)` is of `libMLIRIR.a`; `<internal>:(.got)` is the linker's;
/// an object file outside an archive goes by its file name.
fn origin_of(place: &str) -> (&str, &str) {
    let file = place.split(":(").next().unwrap_or(place);
    if file.starts_with('<') || file.is_empty() {
        return ("(linker)", "(linker)");
    }
    let (archive, member) = file.split_once('(').unwrap_or((file, file));
    let base = |path: &'_ str| path.rfind('/').map_or(0, |at| at + 1);
    let member = member.trim_end_matches(')');
    (&archive[base(archive)..], &member[base(member)..])
}

fn largest_first(sizes: BTreeMap<String, u64>) -> Vec<Sized> {
    let mut list: Vec<Sized> = sizes
        .into_iter()
        .map(|(name, bytes)| Sized { name, bytes })
        .collect();
    // The sort is stable, so equal sizes stay in the order of their names.
    list.sort_by_key(|sized| std::cmp::Reverse(sized.bytes));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "\
             VMA              LMA     Size Align Out     In      Symbol
             2a8              2a8       24     4 .note.gnu.build-id
             2a8              2a8       24     4         <internal>:(.note.gnu.build-id)
          49f240           49f240       30    64 .rodata
          49f240           49f240       10     1         lib/libMLIRIR.a(Block.cpp.o):(.rodata.x)
          49f240           49f240       10     1                 typeinfo name
          49f250           49f250       20     1         /q/libMLIRIR.a(Types.cpp.o):(.rodata.y)
         4f02a60          4f02a60    88a20    32 .bss
         4f02a60          4f02a60    88a20    32         /q/libLLVMSupport.a(A.cpp.o):(.bss.z)
               0                0      100     1 .strtab
               0                0      100     1         <internal>:(.strtab)
";

    #[test]
    fn symbols_are_traced_to_their_member() {
        let wanted = BTreeSet::from(["typeinfo name".to_owned(), "absent".to_owned()]);
        let found = parse_origins(MAP.as_bytes(), &wanted).unwrap();
        let place = BTreeSet::from(["libMLIRIR.a(Block.cpp.o)".to_owned()]);
        assert_eq!(found, BTreeMap::from([("typeinfo name".to_owned(), place)]));
    }

    #[test]
    fn bytes_are_summed_by_section_and_archive() {
        let map = SizeMap::parse(MAP.as_bytes()).unwrap();
        let sized = |name: &str, bytes| Sized {
            name: name.into(),
            bytes,
        };
        assert_eq!(
            map.sections,
            [sized(".rodata", 0x30), sized(".note.gnu.build-id", 0x24)]
        );
        assert_eq!(
            map.archives,
            [sized("libMLIRIR.a", 0x30), sized("(linker)", 0x24)]
        );
        let members = map.members.iter();
        let members: Vec<_> = members
            .map(|member| {
                (
                    member.archive.as_str(),
                    member.name.as_str(),
                    member.sections.clone(),
                )
            })
            .collect();
        assert_eq!(
            members,
            [
                (
                    "(linker)",
                    "(linker)",
                    vec![sized(".note.gnu.build-id", 0x24)]
                ),
                ("libMLIRIR.a", "Block.cpp.o", vec![sized(".rodata", 0x10)]),
                ("libMLIRIR.a", "Types.cpp.o", vec![sized(".rodata", 0x20)]),
            ]
        );
    }
}
