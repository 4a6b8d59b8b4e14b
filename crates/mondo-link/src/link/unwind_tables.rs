//! Removal of unwind tables from MLIR's and LLVM's code (`link.unwind-tables`): from all of it, or only from LLVM's
//! optimiser and code generators, which never call a callback.
//!
//! Their objects are compiled with `-fno-exceptions`: they have tables by which an exception finds
//! its way through them, but nothing that catches it or cleans up after it. The linker drops a
//! section that has the flag `SHF_EXCLUDE`, so copies of just those members that are linked get that
//! flag on their `.eh_frame`. What can catch (libstdc++, Rust, other people's archives) is linked as
//! it is; an object with a table of handlers never loses anything, whichever compiler made it.
//!
//! A member is dropped as a whole if only its static initialisers survive the linker's garbage collection: dead code
//! pulled the member in, and the initialisers would keep everything that they call. (`XeGPU`'s `#include <iostream>`
//! brings 0.4 MB of the C++ library's locales to bundles without `XeGPU`.)

use std::collections::{BTreeMap, BTreeSet, HashSet};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::cache_entry::{self, goes_on_without};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use mondo_plan::dialect_crate::{Code, DialectCrate};
use mondo_plan::manifest::UnwindTables;
use object::LittleEndian;
use object::elf::{FileHeader64, SHF_EXCLUDE, SectionHeader64};
use object::read::archive::ArchiveFile;
use object::read::elf::{FileHeader, SectionHeader};
use rayon::prelude::*;

use super::command::{Archives, Sort, library_command, run};
use super::inputs::Inputs;
use super::map;
use crate::archive::archive_of;

const LE: LittleEndian = LittleEndian;

/// The offset of a section's flags in its header.
const FLAGS: usize = 8;

/// The archives to link in place of `archives`. Those of MLIR and LLVM are replaced by copies that have only the
/// members that the link takes.
pub(super) fn archives(inputs: Inputs<'_>, archives: Archives) -> Result<Archives> {
    let dir = inputs.out.join("unwind-tables");
    match fs_err::remove_dir_all(&dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => fs_err::create_dir_all(&dir)?,
    }
    let loaded = loaded(inputs, &archives, &dir)?;
    let others: BTreeSet<&Utf8PathBuf> = inputs
        .compiled
        .crates
        .iter()
        .flat_map(|one| one.whole.iter().chain(&one.by_need))
        .collect();
    // Two archives may have the same file name, MLIR's own and the one with its patched members, so each copy has a
    // folder of its own.
    let place = |kind: &str, at: usize, path: &Utf8Path| {
        let folder = dir.join(format!("{kind}-{at}"));
        folder.join(path.file_name().unwrap_or_default())
    };
    let only_llvm = inputs.plan.link.unwind_tables == UnwindTables::Callbacks;
    let calls_back = |path: &Utf8Path| {
        let name = path.file_stem().unwrap_or_default();
        let name = name.strip_prefix("lib").unwrap_or(name);
        let mut callers = inputs.plan.callback_archives.iter();
        !name.starts_with("LLVM") || callers.any(|caller| caller == name)
    };
    let copied = |kind: &str, all: Vec<Utf8PathBuf>| {
        let copy = |(at, path): (usize, Utf8PathBuf)| {
            if others.contains(&path) || only_llvm && calls_back(&path) {
                return Ok(Some(path));
            }
            let Some(members) = loaded.get(&path) else {
                return Ok(None);
            };
            let to = place(kind, at, &path);
            write(&path, members, &to, Which::WithoutHandlers).map(|()| Some(to))
        };
        let all: Vec<_> = all.into_iter().enumerate().collect();
        let copies: Result<Vec<_>> = all.into_par_iter().map(copy).collect();
        copies.map(|copies| copies.into_iter().flatten().collect())
    };
    let in_rust = |one: &DialectCrate| matches!(one.code, Code::Rust(_));
    let bundle = match loaded.get(&archives.bundle) {
        Some(members) if !only_llvm && !inputs.plan.crates.iter().any(in_rust) => {
            let to = place("bundle", 0, &archives.bundle);
            write(&archives.bundle, members, &to, Which::All)?;
            to
        }
        _ => archives.bundle,
    };
    Ok(Archives {
        bundle,
        whole: copied("whole", archives.whole)?,
        by_need: copied("by-need", archives.by_need)?,
    })
}

/// The members that the linker extracts from each archive. Paths of archives in the bundle's own folder are relative
/// to this folder.
type Loaded = BTreeMap<Utf8PathBuf, BTreeSet<String>>;

/// Finds the members that the linker extracts. The answer is cached for bundles of the same contents; if it is not
/// there, a link is run only to obtain it.
fn loaded(inputs: Inputs<'_>, archives: &Archives, dir: &Utf8Path) -> Result<Loaded> {
    let entry = Utf8PathBuf::from(format!("{}-members", inputs.known));
    let known = entry.join("members.json");
    let usable = cache_entry::usable(&entry, "the list of linked members", inputs.sink)?;
    let relative: Loaded = if usable {
        serde_json::from_slice(&fs_err::read(&known)?).map_err(std::io::Error::from)?
    } else {
        let own = |path: Utf8PathBuf| match path.strip_prefix(inputs.out) {
            Ok(inside) => inside.to_owned(),
            Err(_) => path,
        };
        let found = ask_linker(inputs, archives, dir)?;
        let loaded: Loaded = found
            .into_iter()
            .map(|(path, members)| (own(path.into()), members))
            .collect();
        let text = serde_json::to_vec(&loaded).map_err(std::io::Error::from)?;
        let put = cache_entry::put(&entry, |fresh| {
            Ok(fs_err::write(fresh.join("members.json"), text)?)
        });
        match put {
            Err(error) if goes_on_without(&error, &entry, inputs.sink) => {}
            put => put?,
        }
        loaded
    };
    Ok(relative
        .into_iter()
        .map(|(path, members)| (inputs.out.join(path), members))
        .collect())
}

fn ask_linker(
    inputs: Inputs<'_>,
    archives: &Archives,
    dir: &Utf8Path,
) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let out = dir.join("loaded.so");
    let map = dir.join("loaded.map");
    let command = library_command(inputs, archives, &out, Some(&map), Sort::No)?
        .arg("-Wl,--trace")
        .arg("-Wl,-O0,--icf=none,--build-id=none");
    let output = run(&command, inputs)?;
    let text = String::from_utf8_lossy(&fs_err::read(&map)?).into_owned();
    let idle = only_starts(&text);
    fs_err::remove_file(&out)?;
    fs_err::remove_file(&map)?;
    let mut found = members(&output);
    for (archive, members) in &mut found {
        let archive = archive.rsplit('/').next().unwrap_or(archive);
        members.retain(|member| !idle.contains(&format!("{archive}({member})")));
    }
    found.retain(|_, members| !members.is_empty());
    Ok(found)
}

/// Sections of a member that a link may keep although nothing refers to the member: its start-up
/// code, the one variable of `#include <iostream>`, and the sections that describe them.
const START: &[&str] = &[
    ".text.startup",
    ".init_array",
    ".bss._ZStL8__ioinit",
    ".eh_frame",
    ".comment",
];

/// The members of which a linker's map shows nothing but start-up code: `libX.a(Y.cpp.o)`.
fn only_starts(map: &str) -> HashSet<String> {
    let mut starts: HashSet<String> = HashSet::new();
    let mut used: HashSet<String> = HashSet::new();
    for place in map.lines().filter_map(map::input_section) {
        let Some((file, section)) = place.rsplit_once(":(") else {
            continue;
        };
        let member = file.rsplit('/').next().unwrap_or(file).to_owned();
        let section = section.trim_end_matches(')');
        let name = section.split('+').next().unwrap_or(section);
        if !START.contains(&name) {
            used.insert(member);
        } else if name == ".init_array" {
            starts.insert(member);
        }
    }
    starts.retain(|member| !used.contains(member));
    starts
}

/// Parses lines such as `/llvm/lib/libMLIRIR.a(Block.cpp.o)`, which the linker prints for each extracted member.
fn members(said: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let lines = said.lines().filter_map(|line| line.strip_suffix(')'));
    for (archive, member) in lines.filter_map(|line| line.rsplit_once('(')) {
        let members = found.entry(archive.to_owned()).or_default();
        members.insert(member.to_owned());
    }
    found
}

/// The objects that lose their tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Those in which no exception ends.
    WithoutHandlers,
    /// All objects. The runtime in Rust cannot panic, but its unwind tables refer to the personality routine, which
    /// keeps all of std that prints panics.
    All,
}

/// Writes those `members` of the archive at `from` to `to`, without unwind tables.
fn write(from: &Utf8Path, members: &BTreeSet<String>, to: &Utf8Path, which: Which) -> Result<()> {
    let unreadable = |error: object::read::Error| {
        Error::new(ErrorKind::Archive, "cannot read the archive")
            .at(from)
            .caused_by(error)
    };
    let map = file::map(from)?;
    let file = ArchiveFile::parse(&*map).map_err(unreadable)?;
    let mut chosen = Vec::new();
    for member in file.members() {
        let member = member.map_err(unreadable)?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        if members.contains(&name) {
            let mut bytes = member.data(&*map).map_err(unreadable)?.to_vec();
            let at = |error| unreadable(error).because(format!("member {name}"));
            without_tables(&mut bytes, which).map_err(at)?;
            chosen.push((name, bytes));
        }
    }
    fs_err::create_dir_all(to.parent().unwrap_or(to))?;
    fs_err::write(to, archive_of(&chosen))?;
    Ok(())
}

/// Sets `SHF_EXCLUDE` on the unwind tables of `object`, unless `which` spares it. Returns true if it changed the
/// object.
fn without_tables(object: &mut [u8], which: Which) -> object::read::Result<bool> {
    let header = FileHeader64::<LittleEndian>::parse(&*object)?;
    let sections = header.sections(LE, &*object)?;
    let mut tables = Vec::new();
    for (index, section) in sections.enumerate() {
        let name = sections.section_name(LE, section)?;
        if which == Which::WithoutHandlers && name.starts_with(b".gcc_except_table") {
            return Ok(false);
        }
        if name == b".eh_frame" {
            // The table of sections was read, so this is inside of the object.
            let header = index.0 * size_of::<SectionHeader64<LittleEndian>>();
            tables.push((header, section.sh_flags(LE).0 | SHF_EXCLUDE.0));
        }
    }
    let start = usize::try_from(header.e_shoff(LE)).unwrap_or(usize::MAX);
    for (header, flags) in &tables {
        let at = start + header + FLAGS;
        object[at..at + 8].copy_from_slice(&flags.to_le_bytes());
    }
    Ok(!tables.is_empty())
}

#[cfg(test)]
mod tests {
    use object::{Object as _, ObjectSection as _, SectionFlags};

    use super::*;
    use mondo_core::exec::Tool;

    /// An object with a function that calls another, which may throw where the flags let it.
    fn object(flags: &[&str]) -> Vec<u8> {
        let dir = tempfile::tempdir().unwrap();
        let path = |name| Utf8Path::from_path(dir.path()).unwrap().join(name);
        let text = "struct S { ~S(); }; void g(); void f() { S s; g(); }";
        fs_err::write(path("x.cpp"), text).unwrap();
        Tool::new("c++", "compile an object")
            .args(["-c", "-O1", "-o"])
            .args([path("x.o"), path("x.cpp")])
            .args(flags)
            .output()
            .unwrap();
        fs_err::read(path("x.o")).unwrap()
    }

    fn is_excluded(object: &[u8], section: &str) -> bool {
        let file = object::File::parse(object).unwrap();
        let SectionFlags::Elf { sh_flags, .. } = file.section_by_name(section).unwrap().flags()
        else {
            panic!("not ELF");
        };
        sh_flags.0 & SHF_EXCLUDE.0 != 0
    }

    #[test]
    fn tables_go_where_nothing_can_catch_or_clean_up() {
        let mut stripped = object(&["-fno-exceptions"]);
        let before = stripped.clone();
        assert!(without_tables(&mut stripped, Which::WithoutHandlers).unwrap());
        assert!(!is_excluded(&before, ".eh_frame") && is_excluded(&stripped, ".eh_frame"));
        assert!(!is_excluded(&stripped, ".text"));
        let differ = before.iter().zip(&stripped).filter(|(a, b)| a != b).count();
        assert_eq!(differ, 1, "one byte of the flags");

        let mut throwing = object(&[]);
        let before = throwing.clone();
        assert!(!without_tables(&mut throwing, Which::WithoutHandlers).unwrap());
        assert_eq!(before, throwing);
        assert!(without_tables(&mut throwing, Which::All).unwrap());
    }

    #[test]
    fn members_that_only_start_are_told_from_those_in_use() {
        let line = |place: &str| format!("{:>16} {:>16} {:>8} {:>5}         {place}\n", 1, 1, 8, 8);
        let map: String = [
            "/l/liba.a(Idle.cpp.o):(.text.startup)",
            "/l/liba.a(Idle.cpp.o):(.bss._ZStL8__ioinit)",
            "/l/liba.a(Idle.cpp.o):(.eh_frame+0x1c)",
            "/l/liba.a(Idle.cpp.o):(.init_array)",
            "/l/liba.a(Used.cpp.o):(.init_array)",
            "/l/liba.a(Used.cpp.o):(.text._Z1fv)",
            "/l/liba.a(Options.cpp.o):(.init_array)",
            "/l/liba.a(Options.cpp.o):(.bss.option)",
            "/l/liba.a(Plain.cpp.o):(.eh_frame)",
            "<internal>:(.eh_frame)",
        ]
        .map(line)
        .concat();
        let expected = HashSet::from(["liba.a(Idle.cpp.o)".to_owned()]);
        assert_eq!(only_starts(&map), expected);
    }

    #[test]
    fn damaged_objects_are_errors() {
        let whole = object(&["-fno-exceptions"]);
        for end in (0..whole.len()).step_by(97) {
            let mut cut = whole[..end].to_vec();
            assert!(without_tables(&mut cut, Which::All).is_err(), "{end} bytes");
        }
    }

    #[test]
    fn copies_have_what_was_linked_under_the_same_names() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name| Utf8Path::from_path(dir.path()).unwrap().join(name);
        let long = "A name that does not fit in a header.cpp.o";
        let all = [long, "Short.cpp.o", "Unused.cpp.o"];
        let one = object(&["-fno-exceptions"]);
        let all: Vec<(&str, Vec<u8>)> = all.map(|name| (name, one.clone())).into();
        fs_err::write(path("libx.a"), archive_of(&all)).unwrap();
        let output = format!(
            "/usr/lib/crti.o\n{0}({long})\n{0}(Short.cpp.o)\n",
            path("libx.a")
        );
        let members = members(&output);
        write(
            &path("libx.a"),
            &members[path("libx.a").as_str()],
            &path("unwind-tables/libx.a"),
            Which::All,
        )
        .unwrap();
        let bytes = fs_err::read(path("unwind-tables/libx.a")).unwrap();
        let file = ArchiveFile::parse(&*bytes).unwrap();
        let found: Vec<String> = file
            .members()
            .map(|member| {
                let member = member.unwrap();
                assert!(is_excluded(member.data(&*bytes).unwrap(), ".eh_frame"));
                String::from_utf8_lossy(member.name()).into_owned()
            })
            .collect();
        assert_eq!(found, [long, "Short.cpp.o"]);
    }
}
