//! Redirecting calls in one ELF object: bytes in, bytes out.
//!
//! Only the patched fields of the object change; the longer symbol and string tables go to its end. A writer that takes
//! objects apart would need to know everything that compilers put into them, such as section groups.

use object::LittleEndian;
use object::elf::{self, FileHeader64, Rela64, SectionHeader64, Sym64};
use object::read::elf::{FileHeader, SectionHeader, SectionTable, Sym as _, SymbolTable};
use object::read::{SectionIndex, SymbolIndex};

use super::expectations::Member;
use crate::machine::HOST;

type Elf = FileHeader64<LittleEndian>;
type Reader<'data> = &'data [u8];

const LE: LittleEndian = LittleEndian;

/// Sizes of the tables' entries in a 64-bit object, and where the fields in question are.
const SYMBOL: usize = size_of::<Sym64<LittleEndian>>();
const SECTION: usize = size_of::<SectionHeader64<LittleEndian>>();
const RELA: usize = size_of::<Rela64<LittleEndian>>();
const RELA_INFO: usize = 8;
const SECTION_OFFSET: usize = 24;
const SECTION_SIZE: usize = 32;

/// The reason for which an object is left alone: it is not what the expectations describe.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    /// Not an object that can be patched at all.
    #[error("it is not a relocatable 64-bit ELF object: {0}")]
    Unreadable(String),
    /// Call relocations differ by machine, and nobody looked at this one's.
    #[error("it is for machine {found}, but mondo supports only {expected}")]
    Machine { found: String, expected: String },
    /// No section, or more than one, has the name.
    #[error("{found} sections are named {section}, but mondo expects 1")]
    Section { section: String, found: usize },
    /// A section calls a function less or more often than expected.
    #[error("{section} refers to {symbol} {found} times, but mondo expects {expected}")]
    Calls {
        section: String,
        symbol: String,
        found: usize,
        expected: usize,
    },
    /// The reference is not a call.
    #[error(
        "{section} refers to {symbol} with relocation type {found}, but mondo expects type \
         {expected}"
    )]
    Relocation {
        section: String,
        symbol: String,
        found: u32,
        expected: u32,
    },
    /// The whole object refers to a symbol less or more often than expected.
    #[error("the object refers to {symbol} {found} times, but mondo expects {expected}")]
    Total {
        symbol: String,
        found: usize,
        expected: usize,
    },
    /// A function to be renamed is not defined here, or more than once.
    #[error("{found} global functions are named {symbol}, but mondo expects 1")]
    Definition { symbol: String, found: usize },
    /// A rule for objects that no table describes does not hold.
    #[error("{0}")]
    Rule(String),
    /// A symbol that patching adds is there already.
    #[error("{symbol} already exists: the object is already patched")]
    Present { symbol: String },
}

/// Patches `object` as `member` says, if it is exactly what `member` expects.
pub(super) fn patch_object(object: &[u8], member: &Member<'_>) -> Result<Vec<u8>, Refusal> {
    // Members of archives begin at any even place; tables of 8-byte fields are read from a copy.
    let copy = object.to_vec();
    let object = Object::parse(&copy)?;
    let call = object.call_relocation()?;
    for total in member.totals {
        let found = object
            .relocations
            .iter()
            .filter(|relocation| relocation.symbol == total.symbol && !relocation.unwinds)
            .count();
        if found != total.count {
            return Err(Refusal::Total {
                symbol: total.symbol.into(),
                found,
                expected: total.count,
            });
        }
    }
    let mut edit = Edit::new(&object)?;
    for rename in member.renames {
        object.must_lack(rename.to)?;
        let symbol = object.definition(rename.from)?;
        edit.rename(symbol, rename.to)?;
    }
    let renamed = |name| member.renames.iter().any(|rename| rename.from == name);
    for redirect in member.redirects {
        // A name that the object itself defined is free again once its definition is renamed.
        if !renamed(redirect.to) {
            object.must_lack(redirect.to)?;
        }
        let section = object.section(redirect.section)?;
        let calls: Vec<_> = object
            .relocations
            .iter()
            .filter(|at| at.section == section && at.symbol == redirect.from)
            .collect();
        if calls.len() != redirect.count {
            return Err(Refusal::Calls {
                section: redirect.section.into(),
                symbol: redirect.from.into(),
                found: calls.len(),
                expected: redirect.count,
            });
        }
        let expected = match object.is_section(redirect.from) {
            true => Call::BySection,
            false => Call::ByName(call),
        };
        if let Some(other) = calls.iter().find(|at| !expected.is(at)) {
            return Err(Refusal::Relocation {
                section: redirect.section.into(),
                symbol: redirect.from.into(),
                found: other.kind,
                expected: expected.kind(),
            });
        }
        let target = edit.undefined(redirect.to)?;
        for at in calls {
            edit.retarget(at, call, target);
        }
    }
    Ok(edit.finish())
}

/// A reference of code or data to a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reference {
    /// The section that it is in.
    pub section: String,
    /// The symbol, or the name of a section.
    pub symbol: String,
}

/// The references in an object, without those of the tables of unwinding.
pub(super) fn references(object: &[u8]) -> Result<Vec<Reference>, Refusal> {
    let copy = object.to_vec();
    let object = Object::parse(&copy)?;
    let relocations = object.relocations.iter().filter(|at| !at.unwinds);
    relocations
        .map(|at| {
            let section = object.sections.section(at.section).map_err(unreadable)?;
            let name = object
                .sections
                .section_name(LE, section)
                .map_err(unreadable)?;
            Ok(Reference {
                section: String::from_utf8_lossy(name).into_owned(),
                symbol: at.symbol.to_owned(),
            })
        })
        .collect()
}

/// One relocation, in the terms of the expectations.
struct Relocation<'data> {
    /// The section that it patches.
    section: SectionIndex,
    /// True if that section has the tables of unwinding, which refer to code and call nothing.
    unwinds: bool,
    /// The name of what it refers to: a symbol or a section.
    symbol: &'data str,
    /// The type.
    kind: u32,
    addend: i64,
    /// The offset of its `r_info` in the file.
    info: usize,
}

/// A way in which the code of a section calls a function.
#[derive(Clone, Copy)]
enum Call {
    /// By the function's name, with this type of relocation.
    ByName(u32),
    /// By the start of the function's section, at which the function itself is.
    BySection,
}

impl Call {
    fn kind(self) -> u32 {
        match self {
            Self::ByName(kind) => kind,
            Self::BySection => elf::R_X86_64_PC32.0,
        }
    }

    fn is(self, at: &Relocation<'_>) -> bool {
        at.kind == self.kind() && (matches!(self, Self::ByName(_)) || at.addend == CALL_ADDEND)
    }
}

/// The addend of a relative call of x86-64 to the start of its target.
const CALL_ADDEND: i64 = -4;

/// An object and its tables.
struct Object<'data> {
    bytes: &'data [u8],
    machine: elf::Machine,
    section_headers: usize,
    sections: SectionTable<'data, Elf, Reader<'data>>,
    symbols: SymbolTable<'data, Elf, Reader<'data>>,
    relocations: Vec<Relocation<'data>>,
}

fn unreadable(error: impl std::fmt::Display) -> Refusal {
    Refusal::Unreadable(error.to_string())
}

impl<'data> Object<'data> {
    fn parse(bytes: &'data [u8]) -> Result<Self, Refusal> {
        let header = Elf::parse(bytes).map_err(unreadable)?;
        if header.e_type(LE) != elf::ET_REL || header.endian().is_err() {
            return Err(unreadable("it has another type or byte order"));
        }
        let sections = header.sections(LE, bytes).map_err(unreadable)?;
        let symbols = sections
            .symbols(LE, bytes, elf::SHT_SYMTAB)
            .map_err(unreadable)?;
        // Their indices would have to grow with the symbols; they are for 65 280 sections and more.
        if symbols.shndx_section() != SectionIndex(0) {
            return Err(unreadable("it has extended section indices"));
        }
        let mut object = Self {
            bytes,
            machine: header.e_machine(LE),
            section_headers: offset(header.e_shoff(LE))?,
            sections,
            symbols,
            relocations: Vec::new(),
        };
        object.relocations = object.relocations()?;
        Ok(object)
    }

    fn relocations(&self) -> Result<Vec<Relocation<'data>>, Refusal> {
        let mut found = Vec::new();
        for section in self.sections.iter() {
            let Some((entries, _)) = section.rela(LE, self.bytes).map_err(unreadable)? else {
                continue;
            };
            let start = offset(section.sh_offset(LE))?;
            let patched = SectionIndex(section.sh_info(LE) as usize);
            let header = self.sections.section(patched).map_err(unreadable)?;
            let unwinds = self.sections.section_name(LE, header) == Ok(b".eh_frame");
            for (number, entry) in entries.iter().enumerate() {
                let index = SymbolIndex(entry.r_sym(LE, false) as usize);
                let symbol = match index {
                    SymbolIndex(0) => "",
                    index => self.name(self.symbols.symbol(index).map_err(unreadable)?)?,
                };
                found.push(Relocation {
                    section: patched,
                    unwinds,
                    symbol,
                    kind: entry.r_type(LE, false).0,
                    addend: entry.r_addend.get(LE),
                    info: start + number * RELA + RELA_INFO,
                });
            }
        }
        Ok(found)
    }

    /// The type of a relocation by which this machine calls a function of another object.
    fn call_relocation(&self) -> Result<u32, Refusal> {
        match HOST.call_relocation {
            Some(call) if self.machine == HOST.elf => Ok(call.0),
            _ => Err(Refusal::Machine {
                found: self.machine.0.to_string(),
                expected: format!("{} ({})", HOST.elf.0, HOST.name),
            }),
        }
    }

    /// The name of a symbol; for the symbol of a section, that of the section.
    fn name(&self, symbol: &'data Sym64<LittleEndian>) -> Result<&'data str, Refusal> {
        let name = match symbol.st_type() {
            elf::STT_SECTION => {
                let section = SectionIndex(usize::from(symbol.st_shndx(LE).0));
                let section = self.sections.section(section).map_err(unreadable)?;
                self.sections.section_name(LE, section)
            }
            _ => symbol.name(LE, self.symbols.strings()),
        };
        let name = name.map_err(unreadable)?;
        std::str::from_utf8(name).map_err(unreadable)
    }

    fn section(&self, name: &str) -> Result<SectionIndex, Refusal> {
        let found: Vec<_> = self
            .sections
            .enumerate()
            .filter(|(_, section)| self.sections.section_name(LE, section) == Ok(name.as_bytes()))
            .map(|(index, _)| index)
            .collect();
        match found[..] {
            [one] => Ok(one),
            _ => Err(Refusal::Section {
                section: name.into(),
                found: found.len(),
            }),
        }
    }

    /// Whether `name` is a section's.
    fn is_section(&self, name: &str) -> bool {
        let mut sections = self.sections.iter();
        sections.any(|section| self.sections.section_name(LE, section) == Ok(name.as_bytes()))
    }

    /// The indices of the symbols called `name`.
    fn symbols_called(&self, name: &str) -> Result<Vec<SymbolIndex>, Refusal> {
        let mut found = Vec::new();
        for (index, symbol) in self.symbols.enumerate().skip(1) {
            if self.name(symbol)? == name {
                found.push(index);
            }
        }
        Ok(found)
    }

    /// The global function that the object defines under `name`; a weak one would be one of many
    /// copies, and another object's might be linked instead.
    fn definition(&self, name: &str) -> Result<SymbolIndex, Refusal> {
        let named = self.symbols_called(name)?;
        let defined = named.iter().copied().filter(|index| {
            self.symbols.symbol(*index).is_ok_and(|symbol| {
                symbol.st_bind() == elf::STB_GLOBAL
                    && symbol.st_type() == elf::STT_FUNC
                    && symbol.st_shndx(LE) != elf::SHN_UNDEF
            })
        });
        let defined: Vec<_> = defined.collect();
        match defined[..] {
            [one] => Ok(one),
            _ => Err(Refusal::Definition {
                symbol: name.into(),
                found: defined.len(),
            }),
        }
    }

    fn table(&self, index: SectionIndex) -> Result<Table, Refusal> {
        let section = self.sections.section(index).map_err(unreadable)?;
        Ok(Table {
            header: self.section_headers + index.0 * SECTION,
            offset: offset(section.sh_offset(LE))?,
            size: offset(section.sh_size(LE))?,
        })
    }

    fn must_lack(&self, name: &str) -> Result<(), Refusal> {
        if self.symbols_called(name)?.is_empty() {
            return Ok(());
        }
        Err(Refusal::Present {
            symbol: name.into(),
        })
    }
}

fn offset(value: u64) -> Result<usize, Refusal> {
    usize::try_from(value).map_err(unreadable)
}

/// The patched object as it grows.
struct Edit {
    /// The object, with patched fields.
    bytes: Vec<u8>,
    symbols: Table,
    strings: Table,
    /// The string table's contents.
    names: Vec<u8>,
    /// Undefined symbols to append, each with the place of its name.
    added: Vec<(&'static str, u32)>,
}

/// A section that will move to the end of the file.
struct Table {
    /// The offset of its header in the file.
    header: usize,
    offset: usize,
    size: usize,
}

impl Edit {
    fn new(object: &Object<'_>) -> Result<Self, Refusal> {
        let symbols = object.table(object.symbols.section())?;
        let strings = object.table(object.symbols.string_section())?;
        let bytes = object.bytes.to_vec();
        let names = bytes
            .get(strings.offset..strings.offset + strings.size)
            .ok_or_else(|| unreadable("its string table is truncated"))?
            .to_vec();
        Ok(Self {
            bytes,
            symbols,
            strings,
            names,
            added: Vec::new(),
        })
    }

    /// Appends to the string table.
    fn intern(&mut self, name: &str) -> Result<u32, Refusal> {
        let place = u32::try_from(self.names.len()).map_err(unreadable)?;
        self.names.extend(name.as_bytes());
        self.names.push(0);
        Ok(place)
    }

    fn rename(&mut self, symbol: SymbolIndex, name: &str) -> Result<(), Refusal> {
        let place = self.intern(name)?;
        // The name is a symbol's first field.
        self.put(
            self.symbols.offset + symbol.0 * SYMBOL,
            &place.to_le_bytes(),
        );
        Ok(())
    }

    /// The index of an undefined symbol called `name`, which is appended if it is new. Globals come
    /// last in a symbol table, so it stays in order.
    fn undefined(&mut self, name: &'static str) -> Result<u64, Refusal> {
        let known = self.added.iter().position(|(added, _)| *added == name);
        let position = match known {
            Some(position) => position,
            None => {
                let place = self.intern(name)?;
                self.added.push((name, place));
                self.added.len() - 1
            }
        };
        Ok((self.symbols.size / SYMBOL + position) as u64)
    }

    /// Makes `at` a call of type `call` to `symbol`.
    fn retarget(&mut self, at: &Relocation<'_>, call: u32, symbol: u64) {
        let info = (symbol << 32) | u64::from(call);
        self.put(at.info, &info.to_le_bytes());
    }

    fn put(&mut self, at: usize, value: &[u8]) {
        // Every place that is patched was read before.
        self.bytes[at..at + value.len()].copy_from_slice(value);
    }

    fn finish(mut self) -> Vec<u8> {
        let end = self.symbols.offset + self.symbols.size;
        let mut symbols = self.bytes[self.symbols.offset..end].to_vec();
        for (_, place) in &self.added {
            symbols.extend(place.to_le_bytes());
            symbols.push((elf::STB_GLOBAL.0 << 4) | elf::STT_NOTYPE.0);
            // Default visibility, no section, no value, no size.
            symbols.resize(symbols.len().next_multiple_of(SYMBOL), 0);
        }
        let names = std::mem::take(&mut self.names);
        self.append(self.symbols.header, &symbols);
        self.append(self.strings.header, &names);
        self.bytes
    }

    /// Puts a section's new contents at the file's end.
    fn append(&mut self, header: usize, contents: &[u8]) {
        let start = self.bytes.len().next_multiple_of(8);
        self.bytes.resize(start, 0);
        self.bytes.extend(contents);
        self.put(header + SECTION_OFFSET, &(start as u64).to_le_bytes());
        self.put(
            header + SECTION_SIZE,
            &(contents.len() as u64).to_le_bytes(),
        );
    }
}
