//! Removing the symbol table and all else of a linked image that is not loaded. It is done here and
//! not by an `objcopy`, whose versions differ in the bytes that they write.

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use object::LittleEndian;
use object::elf::{
    FileHeader64, SHF_ALLOC, SHF_INFO_LINK, SHT_NOBITS, SHT_STRTAB, SectionFlags, SectionHeader64,
    SymbolSection,
};
use object::pod::bytes_of;
use object::read::elf::{FileHeader as _, SectionHeader as _};

type Header = FileHeader64<LittleEndian>;
type Section = SectionHeader64<LittleEndian>;

const LE: LittleEndian = LittleEndian;

/// The name of the section with the sections' names.
const NAMES: &[u8] = b".shstrtab";

/// Copies `from` without its symbol table, debug sections and comments; the build-id stays.
///
/// # Errors
/// [`ErrorKind::Link`] for an image that lld did not write; [`ErrorKind::Io`] where `to` cannot be
/// written.
pub fn strip(from: &Utf8Path, to: &Utf8Path) -> Result<()> {
    let image = file::map(from)?;
    let stripped = stripped(&image).map_err(|why| {
        Error::new(ErrorKind::Link, "cannot strip the shared library")
            .at(from)
            .because(why)
    })?;
    drop(image);
    Ok(fs_err::write(to, stripped)?)
}

/// The bytes of `image` that are loaded, and a section table that describes those.
fn stripped(image: &[u8]) -> Result<Vec<u8>, String> {
    let header = Header::parse(image).map_err(|error| error.to_string())?;
    let sections = header
        .sections(LE, image)
        .map_err(|error| error.to_string())?;
    let loaded = |section: &Section| section.sh_flags(LE).0 & SHF_ALLOC.0 != 0;
    // The first section is the table's empty one.
    let kept = 1 + sections
        .iter()
        .skip(1)
        .take_while(|section| loaded(section))
        .count();
    // With those in front, no index of a section in a symbol or in a header changes.
    if sections.iter().skip(kept).any(loaded) {
        return Err("a loaded section follows one that is not loaded".into());
    }
    let mut names = vec![0];
    let mut table = Vec::new();
    let mut end = 0;
    for section in sections.iter().take(kept) {
        let name = sections
            .section_name(LE, section)
            .map_err(|error| error.to_string())?;
        let mut section = *section;
        section.sh_name.set(LE, add(&mut names, name)?);
        let info_is_section = section.sh_flags(LE).0 & SHF_INFO_LINK.0 != 0;
        if section.sh_link(LE) as usize >= kept
            || (info_is_section && section.sh_info(LE) as usize >= kept)
        {
            return Err(format!(
                "the section {} refers to one that is not loaded",
                String::from_utf8_lossy(name)
            ));
        }
        if section.sh_type(LE) != SHT_NOBITS {
            end = end.max(section.sh_offset(LE).saturating_add(section.sh_size(LE)));
        }
        table.push(section);
    }
    let end = usize::try_from(end).map_err(|error| error.to_string())?;
    let name = add(&mut names, NAMES)?;
    let mut stripped = image
        .get(..end)
        .ok_or("a section extends beyond the end of the file")?
        .to_vec();
    table.push(names_section(name, end, names.len()));
    stripped.extend(&names);
    stripped.resize(stripped.len().next_multiple_of(8), 0);
    let mut header = *header;
    header.e_shoff.set(LE, stripped.len() as u64);
    header.e_shnum.set(LE, count(table.len())?);
    header.e_shstrndx.set(LE, SymbolSection(count(kept)?));
    for section in &table {
        stripped.extend(bytes_of(section));
    }
    stripped
        .get_mut(..size_of::<Header>())
        .ok_or("the file has no header")?
        .copy_from_slice(bytes_of(&header));
    Ok(stripped)
}

fn names_section(name: u32, offset: usize, size: usize) -> Section {
    use object::{U32, U64};
    let (long, word) = (|value| U64::new(LE, value), |value| U32::new(LE, value));
    Section {
        sh_name: word(name),
        sh_type: U32::new(LE, SHT_STRTAB),
        sh_flags: U64::new(LE, SectionFlags(0)),
        sh_addr: long(0),
        sh_offset: long(offset as u64),
        sh_size: long(size as u64),
        sh_link: word(0),
        sh_info: word(0),
        sh_addralign: long(1),
        sh_entsize: long(0),
    }
}

/// Adds `name` to a table of names; returns its offset there.
fn add(names: &mut Vec<u8>, name: &[u8]) -> Result<u32, String> {
    if name.is_empty() {
        return Ok(0);
    }
    let offset = u32::try_from(names.len()).map_err(|error| error.to_string())?;
    names.extend(name);
    names.push(0);
    Ok(offset)
}

fn count(sections: usize) -> Result<u16, String> {
    u16::try_from(sections).map_err(|_| format!("it has {sections} sections"))
}

#[cfg(test)]
mod tests {
    use mondo_core::exec::Tool;
    use mondo_toolchain::linker;
    use object::{Object, ObjectSection, ObjectSymbol};

    use super::*;

    #[test]
    fn what_is_loaded_stays_and_the_rest_goes() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let (source, whole, small) = (dir.join("a.c"), dir.join("a.so"), dir.join("b.so"));
        let text =
            "static int hidden(int a) { return a * 3; }\nint shown(int a) { return hidden(a); }\n";
        fs_err::write(&source, text).unwrap();
        linker(None)
            .unwrap()
            .driver("link the test's library")
            // The driver is that of C++.
            .args([
                "-xc",
                "-g",
                "-O0",
                "-shared",
                "-fPIC",
                "-Wl,--build-id=sha1",
            ])
            .args(["-o", whole.as_str(), source.as_str()])
            .output()
            .unwrap();
        strip(&whole, &small).unwrap();
        let (before, after) = (fs_err::read(&whole).unwrap(), fs_err::read(&small).unwrap());
        let (before, after) = (
            object::File::parse(&*before).unwrap(),
            object::File::parse(&*after).unwrap(),
        );
        assert!(before.symbols().any(|symbol| symbol.name() == Ok("hidden")));
        assert_eq!(after.symbols().count(), 0);
        assert!(
            after
                .dynamic_symbols()
                .any(|dynamic_symbol| dynamic_symbol.name() == Ok("shown"))
        );
        assert_eq!(after.build_id(), before.build_id());
        for name in [".symtab", ".comment", ".debug_info"] {
            assert!(after.section_by_name(name).is_none(), "{name}");
        }
        for section in after
            .sections()
            .filter(|section| section.name() != Ok(".shstrtab"))
        {
            let same = before.section_by_name(section.name().unwrap()).unwrap();
            assert_eq!(same.data(), section.data(), "{:?}", section.name());
        }
        // The loader takes it.
        Tool::new("python3", "load the library")
            .args([
                "-c",
                "import ctypes, sys; assert ctypes.CDLL(sys.argv[1]).shown(2) == 6",
            ])
            .arg(small.as_str())
            .output()
            .unwrap();
    }

    #[test]
    fn what_is_no_image_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let (from, to) = (dir.join("a.so"), dir.join("b.so"));
        fs_err::write(&from, "\x7fELF and no more").unwrap();
        let error = strip(&from, &to).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Link);
        assert!(!to.exists());
    }
}
