//! Static archives (`ar`): checking one, finding what they define, writing one.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::map;
use object::read::archive::{ArchiveFile, ArchiveOffset};

/// A static archive, checked from its first byte to its last.
#[derive(Debug, Clone)]
pub struct Archive {
    /// Its name without `lib` and `.a`.
    pub name: String,
    /// Its path.
    pub path: Utf8PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// The number of object files in it.
    pub members: usize,
}

/// Walks the member headers from the first to the last, so that a truncated archive is reported here by its name and
/// not by an unclear message of the linker.
///
/// # Errors
/// [`ErrorKind::Archive`] where it is not a whole archive.
pub(crate) fn check(name: &str, path: &Utf8Path) -> Result<Archive> {
    let broken = |why: String| {
        Error::new(ErrorKind::Archive, "the archive is damaged")
            .at(path)
            .because(why)
            .help("unpack or install the package again; `mondo doctor` shows its origin")
    };
    let map = map(path)?;
    let archive = ArchiveFile::parse(&*map).map_err(|error| broken(error.to_string()))?;
    if archive.is_thin() {
        return Err(broken(
            "it is a thin archive, whose members are separate files".into(),
        ));
    }
    let mut members = 0;
    let mut last = String::from("the archive's start");
    for member in archive.members() {
        let member = member.map_err(|error| broken(format!("after {last}: {error}")))?;
        last = String::from_utf8_lossy(member.name()).into_owned();
        member
            .data(&*map)
            .map_err(|error| broken(format!("member {last}: {error}")))?;
        members += 1;
    }
    Ok(Archive {
        name: name.to_owned(),
        path: path.to_owned(),
        size: map.len() as u64,
        members,
    })
}

/// Finds which of `archives` define which of the global symbols `wanted`, through the archives' own
/// symbol tables: `symbol → (archive, member)`.
///
/// # Errors
/// [`ErrorKind::Archive`] where a symbol table cannot be read.
pub fn definitions<'a>(
    archives: impl IntoIterator<Item = &'a Archive>,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<BTreeMap<String, (String, String)>> {
    let mut found = BTreeMap::new();
    for archive in archives {
        let map = map(&archive.path)?;
        let broken = |error: object::read::Error| {
            Error::new(ErrorKind::Archive, "cannot read the archive's symbol table")
                .at(&archive.path)
                .caused_by(error)
        };
        let file = ArchiveFile::parse(&*map).map_err(broken)?;
        let Some(symbols) = file.symbols().map_err(broken)? else {
            continue;
        };
        for symbol in symbols {
            let symbol = symbol.map_err(broken)?;
            let Ok(name) = std::str::from_utf8(symbol.name()) else {
                continue;
            };
            if wanted(name) {
                let member = member_name(&file, symbol.offset());
                found
                    .entry(name.to_owned())
                    .or_insert((archive.name.clone(), member));
            }
        }
    }
    Ok(found)
}

fn member_name(file: &ArchiveFile<'_>, offset: ArchiveOffset) -> String {
    file.member(offset).map_or_else(
        |_| "?".into(),
        |member| String::from_utf8_lossy(member.name()).into_owned(),
    )
}

/// Writes an archive with one member, `object`, and with an archive symbol table, which some linkers need. The table
/// lists `symbols`, which the object defines.
pub(crate) fn indexed_archive_of(name: &str, object: &[u8], symbols: &BTreeSet<String>) -> Vec<u8> {
    let names: String = symbols.iter().map(|symbol| format!("{symbol}\0")).collect();
    // The symbol table as ar(5) specifies it: the number of symbols, the offset of the member that defines each
    // symbol, and their names.
    let mut index = Vec::with_capacity(4 + 4 * symbols.len() + names.len() + 1);
    let count = u32::try_from(symbols.len()).unwrap_or(u32::MAX);
    index.extend(count.to_be_bytes());
    let length = 4 + 4 * symbols.len() + names.len();
    let (long, header, padded) = (name.len() + 2, 60, length + length % 2);
    let names_member = if name.len() < 16 {
        0
    } else {
        header + long + long % 2
    };
    let place = u32::try_from(8 + header + padded + names_member).unwrap_or(u32::MAX);
    index.extend(std::iter::repeat_n(place.to_be_bytes(), symbols.len()).flatten());
    index.extend(names.bytes());
    index.resize(padded, 0);
    let mut bytes = b"!<arch>\n".to_vec();
    bytes.extend(
        format!(
            "{:<16}{:<12}{:<6}{:<6}{:<8}{padded:<10}`\n",
            "/", 0, 0, 0, 644
        )
        .bytes(),
    );
    bytes.extend(index);
    let rest = archive_of(&[(name, object.to_vec())]);
    bytes.extend(rest.strip_prefix(b"!<arch>\n").unwrap_or(&rest));
    bytes
}

/// Writes an archive of `members` in which all times and owners are zero. It has no archive symbol table, because lld
/// reads the symbols from the members themselves.
pub(crate) fn archive_of<N: AsRef<str>>(members: &[(N, Vec<u8>)]) -> Vec<u8> {
    // A member's name that does not fit into its header together with the slash that ends it goes into the table of
    // long names, which is a member before all others.
    let mut long = String::new();
    let names: Vec<String> = members
        .iter()
        .map(|(name, _)| match name.as_ref() {
            name if name.len() < 16 => format!("{name}/"),
            name => {
                let at = long.len();
                long.push_str(name);
                long.push_str("/\n");
                format!("/{at}")
            }
        })
        .collect();
    let mut bytes = b"!<arch>\n".to_vec();
    let mut add = |name: &str, member: &[u8]| {
        // ar(5): name, time, user, group, mode, size.
        let size = member.len();
        let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644);
        bytes.extend(header.bytes());
        bytes.extend(member);
        if size % 2 == 1 {
            bytes.push(b'\n');
        }
    };
    if !long.is_empty() {
        add("//", long.as_bytes());
    }
    for (name, (_, member)) in names.iter().zip(members) {
        add(name, member);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(bytes: &[u8]) -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(dir.path()).unwrap().join("libx.a");
        fs_err::write(&path, bytes).unwrap();
        (dir, path)
    }

    /// One 4-byte member `m.o`, as ar(5) lays it out.
    fn one_member() -> Vec<u8> {
        let mut bytes = b"!<arch>\n".to_vec();
        bytes.extend(
            format!(
                "{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n",
                "m.o/", 0, 0, 0, 644, 4
            )
            .bytes(),
        );
        bytes.extend(b"abcd");
        bytes
    }

    #[test]
    fn a_whole_archive_is_counted() {
        let (_dir, path) = archive(&one_member());
        assert_eq!(check("x", &path).unwrap().members, 1);
    }

    #[test]
    fn a_truncated_archive_names_the_member() {
        let mut bytes = one_member();
        bytes.truncate(bytes.len() - 2);
        let (_dir, path) = archive(&bytes);
        let error = check("x", &path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Archive);
        assert!(error.to_string().contains("libx.a"), "{error}");
    }

    #[test]
    fn something_else_is_not_an_archive() {
        let (_dir, path) = archive(b"\x7fELF");
        assert_eq!(check("x", &path).unwrap_err().kind(), ErrorKind::Archive);
    }
}
