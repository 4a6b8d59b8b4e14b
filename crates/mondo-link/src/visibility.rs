//! Hidden C API functions of dialect crates. C++ is compiled with `-fvisibility=hidden`, so a function
//! that its header declares without an attribute is hidden in its object file, and no version script
//! can export it. Its symbols get the default visibility in a copy of the archive; nothing else of it
//! changes.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::{map, replace};
use object::LittleEndian;
use object::elf::{self, FileHeader64, Sym64};
use object::read::archive::ArchiveFile;
use object::read::elf::{FileHeader, SectionHeader as _, Sym as _};

use crate::archive::Archive;
use crate::collect::Collected;
use crate::compile::Compiled;
use crate::exports::Exports;

type Elf = FileHeader64<LittleEndian>;

const LE: LittleEndian = LittleEndian;
const SYMBOL: usize = size_of::<Sym64<LittleEndian>>();
/// The offset of `st_other` in a symbol; its lowest two bits are the visibility.
const OTHER: usize = 5;

/// Puts copies in place of those archives of `compiled`'s crates in which a function of `exports` is
/// hidden.
///
/// # Errors
/// [`ErrorKind::Archive`] where an object of such an archive cannot be read.
pub fn expose(
    mut collected: Collected,
    compiled: &Compiled,
    exports: &Exports,
    out: &Utf8Path,
) -> Result<Collected> {
    let of_crates: BTreeSet<&Utf8PathBuf> =
        compiled.crates.iter().flat_map(|one| &one.whole).collect();
    let archives = collected.whole.iter_mut();
    for archive in archives.filter(|archive| of_crates.contains(&archive.path)) {
        if let Some(path) = exposed(archive, &exports.functions, out)? {
            archive.path = path;
        }
    }
    Ok(collected)
}

/// The copy of an archive, if one is needed.
fn exposed(
    archive: &Archive,
    functions: &BTreeSet<String>,
    out: &Utf8Path,
) -> Result<Option<Utf8PathBuf>> {
    let bytes = map(&archive.path)?;
    let broken = |why: String| {
        Error::new(ErrorKind::Archive, "cannot read the archive's objects")
            .at(&archive.path)
            .because(why)
    };
    let places = hidden(&bytes, functions).map_err(broken)?;
    if places.is_empty() {
        return Ok(None);
    }
    let mut copy = bytes.to_vec();
    for place in places {
        // STV_DEFAULT is zero.
        copy[place] &= !3;
    }
    let folder = out
        .join("exposed")
        .join(digest::short(archive.path.as_str()));
    let path = folder.join(archive.path.file_name().unwrap_or("lib.a"));
    fs_err::create_dir_all(&folder)?;
    if fs_err::read(&path).ok().as_ref() != Some(&copy) {
        replace(&path, &copy)?;
    }
    Ok(Some(path))
}

/// The offsets in the archive of the `st_other` bytes of those of `functions` that are hidden.
fn hidden(archive: &[u8], functions: &BTreeSet<String>) -> Result<Vec<usize>, String> {
    let file = ArchiveFile::parse(archive).map_err(|error| error.to_string())?;
    let mut places = Vec::new();
    for member in file.members() {
        let member = member.map_err(|error| error.to_string())?;
        let (start, size) = member.file_range();
        let range = usize::try_from(start)
            .ok()
            .zip(usize::try_from(start + size).ok());
        let object = range.and_then(|(start, end)| archive.get(start..end));
        let (Some(object), Some((start, _))) = (object, range) else {
            return Err("a member extends beyond the archive".into());
        };
        if !object.starts_with(&elf::ELFMAG) {
            continue;
        }
        // Members begin at any even place; tables of 8-byte fields are read from a copy.
        let aligned = object.to_vec();
        let places_inside = hidden_in(&aligned, functions).map_err(|error| {
            let name = String::from_utf8_lossy(member.name());
            format!("{name}: {error}")
        })?;
        places.extend(places_inside.into_iter().map(|place| start + place));
    }
    Ok(places)
}

fn hidden_in(object: &[u8], functions: &BTreeSet<String>) -> object::read::Result<Vec<usize>> {
    let header = Elf::parse(object)?;
    let sections = header.sections(LE, object)?;
    let symbols = sections.symbols(LE, object, elf::SHT_SYMTAB)?;
    if symbols.is_empty() {
        return Ok(Vec::new());
    }
    let table = sections.section(symbols.section())?;
    let table = usize::try_from(table.sh_offset(LE)).unwrap_or(usize::MAX);
    let mut places = Vec::new();
    for (index, symbol) in symbols.enumerate() {
        if symbol.is_local() || symbol.st_visibility() == elf::STV_DEFAULT {
            continue;
        }
        let name = symbols.symbol_name(LE, symbol)?;
        if std::str::from_utf8(name).is_ok_and(|name| functions.contains(name)) {
            places.push(table + index.0 * SYMBOL + OTHER);
        }
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use mondo_core::exec::Tool;

    use super::*;

    #[test]
    fn a_hidden_function_becomes_visible_and_another_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let at = |name: &str| dir.join(name);
        // The first member's odd size moves the second.
        fs_err::write(at("a.txt"), "odd").unwrap();
        fs_err::write(
            at("b.c"),
            "int toyB(void) { return 1; } int (*toyP(void))(void) { return toyB; } int other(void) { return 2; }",
        )
        .unwrap();
        Tool::new("cc", "compile a test")
            .args(["-c", "-fPIC", "-fvisibility=hidden", "-o"])
            .arg(at("b.o"))
            .arg(at("b.c"))
            .output()
            .unwrap();
        Tool::new("ar", "pack a test")
            .args(["qcsD"])
            .arg(at("libtoy.a"))
            .arg(at("a.txt"))
            .arg(at("b.o"))
            .output()
            .unwrap();
        let archive = crate::archive::check("toy", &at("libtoy.a")).unwrap();
        let functions = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let none: BTreeSet<String> = functions(&["absent"]);
        assert_eq!(exposed(&archive, &none, dir).unwrap(), None);
        let path = exposed(&archive, &functions(&["toyB", "toyP"]), dir).unwrap();
        fs_err::write(at("v"), "V { global: toyB; toyP; other; local: *; };").unwrap();
        let library = at("libtoy.so");
        let _ = Tool::new("cc", "link a test")
            .args(["-shared", "-Wl,-Bsymbolic", "-Wl,--whole-archive"])
            .arg(path.unwrap())
            .args(["-Wl,--no-whole-archive", "-nostdlib"])
            .arg(format!("-Wl,--version-script={}", at("v")))
            .arg("-o")
            .arg(&library)
            .output_unchecked()
            .unwrap();
        // A text file is not a member that a linker takes.
        assert!(!library.exists());
        let path = exposed(&archive, &functions(&["toyB", "toyP"]), dir)
            .unwrap()
            .unwrap();
        Tool::new("ar", "take out the text")
            .args(["d", path.as_str(), "a.txt"])
            .output()
            .unwrap();
        Tool::new("cc", "link a test")
            .args([
                "-shared",
                "-Wl,-Bsymbolic",
                "-nostdlib",
                "-Wl,--whole-archive",
            ])
            .arg(&path)
            .args(["-Wl,--no-whole-archive"])
            .arg(format!("-Wl,--version-script={}", at("v")))
            .arg("-o")
            .arg(&library)
            .output()
            .unwrap();
        let exported = Tool::new("nm", "look at a test")
            .args(["-D", "--defined-only", library.as_str()])
            .output()
            .unwrap()
            .stdout;
        assert!(
            exported.contains("T toyB@@V") && exported.contains("T toyP@@V"),
            "{exported}"
        );
        assert!(!exported.contains("other"), "{exported}");
    }
}
