//! A relocatable object in which the functions of the C API alone are global: the standard library of Rust, libstdc++ and
//! MLIR in it meet no others in the program that it is linked into.
//!
//! ELF has local symbols before global ones, so that the symbol table is put in another order, and the relocations
//! get its new numbers. All of that happens in place: nothing else of the object changes.

use std::collections::BTreeSet;
use std::ops::Range;

use object::LittleEndian;
use object::elf::{self, FileHeader64, Sym64};
use object::read::elf::{FileHeader, SectionHeader as _, Sym as _};

type Elf = FileHeader64<LittleEndian>;

const LE: LittleEndian = LittleEndian;
/// Sizes of the tables' entries in a 64-bit object, and the places of fields in them.
const SYMBOL: usize = size_of::<Sym64<LittleEndian>>();
const SYMBOL_INFO: usize = 4;
const SYMBOL_OTHER: usize = 5;
const RELA: usize = 24;
const RELA_SYMBOL: usize = 12;
const SECTION_TYPE: usize = 4;
const SECTION_FLAGS: usize = 8;
const SECTION_SIZE: usize = 32;
const SECTION_INFO: usize = 44;

/// Sections that no link needs and that refer to symbols by their numbers (LLVM's tables of significant addresses and of
/// call counts), or that are LLVM's bitcode.
const DROPPED_SECTIONS: [u32; 2] = [0x6fff_4c03, 0x6fff_4c09];
/// A link into an image leaves the section out.
const EXCLUDED: u64 = elf::SHF_EXCLUDE.0;
const BITCODE: [&[u8]; 2] = [b".llvmbc", b".llvmcmd"];

/// The places in an object that change, and the order of its symbols.
struct Edit {
    symbols: Range<usize>,
    /// The table of section numbers that are too large for a symbol, if there are any.
    extended: Option<Range<usize>>,
    relocations: Vec<Range<usize>>,
    /// The header of the symbol table's section.
    header: usize,
    /// The headers of sections that no link is to take.
    dropped: Vec<usize>,
    /// The old numbers, in the new order.
    order: Vec<u32>,
    /// For each old number, true if the symbol becomes local.
    becomes_local: Vec<bool>,
    /// The number of local symbols.
    locals: u32,
}

/// Gives local binding to all symbols that `object` defines, except those that `keep` names.
///
/// # Errors
/// The reason why `object` is not a relocatable object that can be changed, or that it lacks a symbol of `keep`.
pub(super) fn localize(object: &mut [u8], keep: &BTreeSet<String>) -> Result<(), String> {
    let edit = plan(object, keep)?;
    let mut new = vec![0_u32; edit.order.len()];
    for (place, old) in (0_u32..).zip(&edit.order) {
        new[*old as usize] = place;
    }
    for (number, _) in edit
        .becomes_local
        .iter()
        .enumerate()
        .filter(|(_, becomes_local)| **becomes_local)
    {
        let at = edit.symbols.start + number * SYMBOL;
        // STB_LOCAL and STV_DEFAULT are zero.
        object[at + SYMBOL_INFO] &= 0xf;
        object[at + SYMBOL_OTHER] &= !3;
    }
    permute(&mut object[edit.symbols], &edit.order, SYMBOL);
    if let Some(extended) = edit.extended {
        permute(&mut object[extended], &edit.order, 4);
    }
    for range in edit.relocations {
        for entry in object[range].chunks_exact_mut(RELA) {
            let field = &mut entry[RELA_SYMBOL..RELA_SYMBOL + 4];
            let old = u32::from_le_bytes([field[0], field[1], field[2], field[3]]);
            let number = new.get(old as usize).ok_or("a relocation has no symbol")?;
            field.copy_from_slice(&number.to_le_bytes());
        }
    }
    let info = edit.header + SECTION_INFO;
    object[info..info + 4].copy_from_slice(&edit.locals.to_le_bytes());
    for header in edit.dropped {
        let kind = header + SECTION_TYPE;
        object[kind..kind + 4].copy_from_slice(&elf::SHT_PROGBITS.0.to_le_bytes());
        let flags = header + SECTION_FLAGS;
        object[flags..flags + 8].copy_from_slice(&EXCLUDED.to_le_bytes());
        // LLVM's tools look for bitcode by the name of the section.
        let size = header + SECTION_SIZE;
        object[size..size + 8].fill(0);
    }
    Ok(())
}

fn plan(object: &[u8], keep: &BTreeSet<String>) -> Result<Edit, String> {
    let text = |error: object::read::Error| error.to_string();
    let header = Elf::parse(object).map_err(text)?;
    let sections = header.sections(LE, object).map_err(text)?;
    let symbols = sections
        .symbols(LE, object, elf::SHT_SYMTAB)
        .map_err(text)?;
    let table = symbols.section().0;
    let headers = usize::try_from(header.e_shoff.get(LE)).map_err(|error| error.to_string())?;
    let size = usize::from(header.e_shentsize.get(LE));
    let range = |section: &<Elf as FileHeader>::SectionHeader| -> Result<Range<usize>, String> {
        let (start, length) = section.file_range(LE).unwrap_or((0, 0));
        let start = usize::try_from(start).map_err(|error| error.to_string())?;
        let end = usize::try_from(length)
            .ok()
            .and_then(|length| start.checked_add(length));
        let end = end.filter(|end| *end <= object.len());
        Ok(start..end.ok_or("a section extends beyond the object")?)
    };
    let mut edit = Edit {
        symbols: 0..0,
        extended: None,
        relocations: Vec::new(),
        header: headers + table * size,
        dropped: Vec::new(),
        order: Vec::new(),
        becomes_local: Vec::new(),
        locals: 0,
    };
    for (number, section) in sections.iter().enumerate() {
        let of_table = section.sh_link(LE) as usize == table;
        let kind = section.sh_type(LE);
        let name = sections.section_name(LE, section).map_err(text)?;
        match kind {
            elf::SHT_SYMTAB if number == table => edit.symbols = range(section)?,
            elf::SHT_SYMTAB_SHNDX if of_table => edit.extended = Some(range(section)?),
            elf::SHT_RELA if of_table => edit.relocations.push(range(section)?),
            elf::SHT_REL | elf::SHT_GROUP => {
                return Err(format!("the section {number} has type {}", kind.0));
            }
            kind if DROPPED_SECTIONS.contains(&kind.0) || BITCODE.contains(&name) => {
                edit.dropped.push(headers + number * size);
            }
            _ => {}
        }
    }
    let mut missing: BTreeSet<&str> = keep.iter().map(String::as_str).collect();
    let (mut local, mut global) = (Vec::new(), Vec::new());
    for (number, symbol) in (0_u32..).zip(symbols.symbols()) {
        let name = symbols.symbol_name(LE, symbol).map_err(text)?;
        let is_local = symbol.st_bind() == elf::STB_LOCAL;
        let is_defined = symbol.st_shndx(LE) != elf::SHN_UNDEF;
        let kept = is_defined && std::str::from_utf8(name).is_ok_and(|name| missing.remove(name));
        let becomes = !is_local && is_defined && !kept;
        edit.becomes_local.push(becomes);
        if is_local || becomes {
            local.push(number);
        } else {
            global.push(number);
        }
    }
    if let Some(name) = missing.first() {
        return Err(format!(
            "{} functions are not defined, as `{name}`",
            missing.len()
        ));
    }
    edit.locals = u32::try_from(local.len()).map_err(|error| error.to_string())?;
    local.extend(global);
    edit.order = local;
    Ok(edit)
}

/// Puts the entries of a table in another order.
fn permute(table: &mut [u8], order: &[u32], size: usize) {
    let before = table.to_vec();
    for (entry, old) in table.chunks_exact_mut(size).zip(order) {
        let at = *old as usize * size;
        entry.copy_from_slice(&before[at..at + size]);
    }
}

#[cfg(test)]
mod tests {
    use camino::Utf8Path;
    use mondo_core::exec::Tool;

    use super::*;

    #[test]
    fn what_is_not_kept_is_in_nobodys_way() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let compile = |name: &str, text: &str| {
            let (source, object) = (dir.join(format!("{name}.c")), dir.join(format!("{name}.o")));
            fs_err::write(&source, text).unwrap();
            let tool = Tool::new("gcc", "compile a test");
            tool.args(["-c", "-O0", source.as_str(), "-o", object.as_str()])
                .output()
                .unwrap();
            object
        };
        let library = compile(
            "library",
            "static int ours(void) { return 3; }\n\
             int helper(void) { return ours(); }\n\
             int late(void);\n\
             int api(void) { return helper() + late(); }\n\
             int late(void) { return 4; }\n",
        );
        let program = compile(
            "program",
            "int api(void);\n\
             int helper(void) { return 100; }\n\
             int late(void) { return 1000; }\n\
             int main(void) { return api() == 7 && helper() == 100 && late() == 1000 ? 0 : 1; }\n",
        );
        let mut bytes = fs_err::read(&library).unwrap();
        let keep = |name: &str| BTreeSet::from([name.to_owned()]);
        assert!(localize(&mut bytes, &keep("absent")).is_err());
        localize(&mut bytes, &keep("api")).unwrap();
        fs_err::write(&library, bytes).unwrap();
        let path = dir.join("program");
        Tool::new("gcc", "link a test")
            .args([program.as_str(), library.as_str(), "-o", path.as_str()])
            .output()
            .unwrap();
        Tool::new(path.as_str(), "run a test").output().unwrap();
    }
}
