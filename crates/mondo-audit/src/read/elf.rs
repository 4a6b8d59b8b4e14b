//! ELF images, after the System V gABI, the GNU symbol versions of the LSB and `elf(5)`.
//!
//! What the loader acts on (needed libraries, search paths, flags) is read from the program headers
//! as the loader does; symbols and versions are read through section headers, which every linker
//! writes and only a malicious file would let disagree.

use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{
    Dyn as _, FileHeader, ProgramHeader as _, SectionHeader as _, SectionTable, Sym as _,
    SymbolTable, Version,
};
use object::{Endianness, FileKind, StringTable, SymbolIndex};

use super::ReadError;
use crate::facts::{
    Arch, Binding, Export, Facts, ImageKind, Import, Need, Section, Symbol, SymbolKind, Visibility,
};

/// Reads an ELF file of either class and either byte order.
pub(super) fn read<'a>(name: &'a str, bytes: &'a [u8]) -> Result<Facts<'a>, ReadError> {
    match FileKind::parse(bytes) {
        Ok(FileKind::Elf64) => Reader::<FileHeader64<Endianness>>::new(name, bytes)?.facts(64),
        Ok(FileKind::Elf32) => Reader::<FileHeader32<Endianness>>::new(name, bytes)?.facts(32),
        _ => Err(ReadError::malformed(
            name,
            "neither 32-bit nor 64-bit ELF",
            "file header",
        )),
    }
}

/// The tables that everything else is found through.
struct Reader<'a, E: FileHeader<Endian = Endianness>> {
    name: &'a str,
    bytes: &'a [u8],
    header: &'a E,
    endian: Endianness,
    segments: &'a [E::ProgramHeader],
    sections: SectionTable<'a, E>,
}

/// What the dynamic segment says.
#[derive(Default)]
struct Dynamic<'a> {
    soname: Option<&'a str>,
    needed: Vec<&'a str>,
    rpath: Option<&'a str>,
    runpath: Option<&'a str>,
    bind_now: bool,
    text_relocations: bool,
    init_array_size: u64,
    symbol_table: Option<u64>,
}

/// Exports and imports of the dynamic symbol table.
#[derive(Default)]
struct DynamicSymbols<'a> {
    exports: Vec<Export<'a>>,
    imports: Vec<Import<'a>>,
}

impl<'a, E: FileHeader<Endian = Endianness>> Reader<'a, E> {
    fn new(name: &'a str, bytes: &'a [u8]) -> Result<Self, ReadError> {
        let header = E::parse(bytes).map_err(in_part(name, "file header"))?;
        let endian = header.endian().map_err(in_part(name, "file header"))?;
        let segments = header
            .program_headers(endian, bytes)
            .map_err(in_part(name, "program headers"))?;
        let sections = header
            .sections(endian, bytes)
            .map_err(in_part(name, "section headers"))?;
        Ok(Self {
            name,
            bytes,
            header,
            endian,
            segments,
            sections,
        })
    }

    fn facts(&self, bits: u8) -> Result<Facts<'a>, ReadError> {
        let kind = self.kind()?;
        let dynamic = self.dynamic()?;
        let nodes = self.version_nodes()?;
        let DynamicSymbols { exports, imports } = self.dynamic_symbols(&dynamic, &nodes)?;
        let (symbols, stripped) = self.symbols()?;
        Ok(Facts {
            name: self.name,
            kind,
            arch: match self.header.e_machine(self.endian) {
                elf::EM_X86_64 => Arch::X86_64,
                elf::EM_AARCH64 => Arch::Aarch64,
                other => Arch::Other(other.0),
            },
            bits,
            file_size: self.bytes.len() as u64,
            soname: dynamic.soname,
            needed: dynamic.needed,
            rpath: dynamic.rpath,
            runpath: dynamic.runpath,
            exports,
            imports,
            version_needs: self.version_needs()?,
            version_nodes: nodes,
            symbols,
            stripped,
            sections: self.section_places(),
            executable_stack: self
                .segment(elf::PT_GNU_STACK)
                .map(|segment| segment.p_flags(self.endian).contains(elf::PF_X)),
            relro: self.segment(elf::PT_GNU_RELRO).is_some(),
            bind_now: dynamic.bind_now,
            text_relocations: dynamic.text_relocations,
            build_id: self.build_id()?,
            init_array_size: dynamic.init_array_size,
        })
    }

    fn kind(&self) -> Result<ImageKind, ReadError> {
        let unsupported = |found| {
            Err(ReadError::Unsupported {
                name: self.name.to_owned(),
                found,
            })
        };
        match self.header.e_type(self.endian) {
            elf::ET_DYN if self.segment(elf::PT_INTERP).is_none() => Ok(ImageKind::SharedLibrary),
            elf::ET_DYN | elf::ET_EXEC => Ok(ImageKind::Program),
            elf::ET_REL => unsupported("it is an object file that is not linked yet"),
            elf::ET_CORE => unsupported("it is a core dump"),
            _ => unsupported("its ELF type is unknown"),
        }
    }

    fn segment(&self, kind: elf::ProgramType) -> Option<&'a E::ProgramHeader> {
        self.segments
            .iter()
            .find(|segment| segment.p_type(self.endian) == kind)
    }

    fn dynamic(&self) -> Result<Dynamic<'a>, ReadError> {
        let part = "dynamic segment";
        let mut entries = Vec::new();
        if let Some(segment) = self.segment(elf::PT_DYNAMIC) {
            let all = segment
                .dynamic(self.endian, self.bytes)
                .map_err(in_part(self.name, part))?
                .unwrap_or_default();
            entries.extend(
                all.iter()
                    .map(|entry| (entry.tag(self.endian), entry.val(self.endian)))
                    .take_while(|(tag, _)| *tag != elf::DT_NULL),
            );
        }
        let value = |tag| {
            entries
                .iter()
                .find(|entry| entry.0 == tag)
                .map(|entry| entry.1)
        };
        let strings = match value(elf::DT_STRTAB) {
            Some(address) => {
                let start = self.file_offset(address).ok_or_else(|| {
                    ReadError::malformed(self.name, "DT_STRTAB points outside the file", part)
                })?;
                let size = value(elf::DT_STRSZ).unwrap_or_default();
                StringTable::new(self.bytes, start, start.saturating_add(size))
            }
            None => StringTable::default(),
        };
        let text = |offset: u64| -> Result<&'a str, ReadError> {
            let bytes = u32::try_from(offset)
                .ok()
                .and_then(|offset| strings.get(offset).ok());
            bytes
                .and_then(|bytes| std::str::from_utf8(bytes).ok())
                .ok_or_else(|| {
                    ReadError::malformed(self.name, "a string is missing or not UTF-8", part)
                })
        };

        let mut found = Dynamic::default();
        for &(tag, value) in &entries {
            match tag {
                elf::DT_SONAME => found.soname = Some(text(value)?),
                elf::DT_NEEDED => found.needed.push(text(value)?),
                elf::DT_RPATH => found.rpath = Some(text(value)?),
                elf::DT_RUNPATH => found.runpath = Some(text(value)?),
                elf::DT_BIND_NOW => found.bind_now = true,
                elf::DT_TEXTREL => found.text_relocations = true,
                elf::DT_FLAGS => {
                    found.bind_now |= value & elf::DF_BIND_NOW.0 != 0;
                    found.text_relocations |= value & elf::DF_TEXTREL.0 != 0;
                }
                elf::DT_FLAGS_1 => found.bind_now |= value & elf::DF_1_NOW.0 != 0,
                elf::DT_INIT_ARRAYSZ => found.init_array_size = value,
                elf::DT_SYMTAB => found.symbol_table = Some(value),
                _ => {}
            }
        }
        Ok(found)
    }

    /// Where in the file the byte is that gets loaded at this address.
    fn file_offset(&self, address: u64) -> Option<u64> {
        self.segments
            .iter()
            .filter(|segment| segment.p_type(self.endian) == elf::PT_LOAD)
            .find_map(|segment| {
                let inside = address.checked_sub(segment.p_vaddr(self.endian).into())?;
                let (start, size) = segment.file_range(self.endian);
                (inside < size).then(|| start.checked_add(inside)).flatten()
            })
    }

    fn dynamic_symbols(
        &self,
        dynamic: &Dynamic<'a>,
        nodes: &[&'a str],
    ) -> Result<DynamicSymbols<'a>, ReadError> {
        let part = "dynamic symbol table";
        let section = self
            .sections
            .iter()
            .find(|section| section.sh_type(self.endian) == elf::SHT_DYNSYM);
        let section_address = section.map(|section| section.sh_addr(self.endian).into());
        if dynamic.symbol_table != section_address {
            return Err(ReadError::malformed(
                self.name,
                "the section headers do not show the symbol table that DT_SYMTAB names",
                part,
            ));
        }
        let table = self
            .sections
            .symbols(self.endian, self.bytes, elf::SHT_DYNSYM)
            .map_err(in_part(self.name, part))?;
        let versions = self
            .sections
            .versions(self.endian, self.bytes)
            .map_err(in_part(self.name, "version tables"))?
            .unwrap_or_default();

        let mut found = DynamicSymbols::default();
        for (index, symbol) in table.enumerate() {
            if index == SymbolIndex(0) || symbol.st_bind() == elf::STB_LOCAL {
                continue;
            }
            let name = self.text(
                table
                    .symbol_name(self.endian, symbol)
                    .map_err(in_part(self.name, part))?,
                part,
            )?;
            let version_index = versions.version_index(self.endian, index);
            let version = versions
                .version(version_index.index())
                .map_err(in_part(self.name, "version tables"))?;
            let version_name = match version {
                Some(version) => Some(self.text(version.name(), "version tables")?),
                None => None,
            };
            if symbol.is_undefined(self.endian) {
                let library = match version.and_then(Version::file) {
                    Some(file) => Some(self.text(file, "version tables")?),
                    None => None,
                };
                found.imports.push(Import {
                    name,
                    version: version_name,
                    library,
                    weak: symbol.st_bind() == elf::STB_WEAK,
                });
                continue;
            }
            // GNU ld defines each version node as an absolute symbol of that name.
            let is_node = symbol.is_absolute(self.endian) && nodes.contains(&name);
            let visibility = visibility(symbol.st_visibility());
            if is_node || visibility == Visibility::Hidden || version_index.is_local() {
                continue;
            }
            found.exports.push(Export {
                name,
                version: version_name,
                default_version: !version_index.is_hidden(),
                kind: symbol_kind(symbol.st_type()),
                binding: binding(symbol.st_bind()),
                visibility,
                address: symbol.st_value(self.endian).into(),
                size: symbol.st_size(self.endian).into(),
            });
        }
        Ok(found)
    }

    /// The full symbol table, and whether there is none.
    fn symbols(&self) -> Result<(Vec<Symbol<'a>>, bool), ReadError> {
        let part = "symbol table";
        let table: SymbolTable<'a, E> = self
            .sections
            .symbols(self.endian, self.bytes, elf::SHT_SYMTAB)
            .map_err(in_part(self.name, part))?;
        let (endian, strings) = (self.endian, table.strings());
        let symbols: Result<Vec<_>, _> = table
            .symbols()
            .iter()
            .enumerate()
            .skip(1)
            .map(|(index, symbol)| {
                let section = table
                    .symbol_section(endian, symbol, SymbolIndex(index))?
                    .and_then(|section| u32::try_from(section.0).ok());
                Ok(Symbol {
                    name: symbol.name(endian, strings)?,
                    address: symbol.st_value(endian).into(),
                    size: symbol.st_size(endian).into(),
                    section,
                    kind: symbol_kind(symbol.st_type()),
                    binding: binding(symbol.st_bind()),
                })
            })
            .collect();
        let symbols = symbols.map_err(in_part(self.name, part))?;
        let stripped = symbols.is_empty();
        Ok((symbols, stripped))
    }

    fn version_nodes(&self) -> Result<Vec<&'a str>, ReadError> {
        let part = "version definitions";
        let fail = in_part(self.name, part);
        let Some((mut definitions, link)) = self
            .sections
            .gnu_verdef(self.endian, self.bytes)
            .map_err(&fail)?
        else {
            return Ok(Vec::new());
        };
        let strings = self
            .sections
            .strings(self.endian, self.bytes, link)
            .map_err(&fail)?;
        let mut nodes = Vec::new();
        while let Some((definition, mut names)) = definitions.next().map_err(&fail)? {
            if definition
                .vd_flags
                .get(self.endian)
                .contains(elf::VER_FLG_BASE)
            {
                continue;
            }
            if let Some(first) = names.next().map_err(&fail)? {
                nodes.push(self.text(first.name(self.endian, strings).map_err(&fail)?, part)?);
            }
        }
        Ok(nodes)
    }

    fn version_needs(&self) -> Result<Vec<Need<'a>>, ReadError> {
        let part = "version needs";
        let fail = in_part(self.name, part);
        let Some((mut libraries, link)) = self
            .sections
            .gnu_verneed(self.endian, self.bytes)
            .map_err(&fail)?
        else {
            return Ok(Vec::new());
        };
        let strings = self
            .sections
            .strings(self.endian, self.bytes, link)
            .map_err(&fail)?;
        let mut needs = Vec::new();
        while let Some((library, mut versions)) = libraries.next().map_err(&fail)? {
            let library = self.text(library.file(self.endian, strings).map_err(&fail)?, part)?;
            while let Some(version) = versions.next().map_err(&fail)? {
                let version =
                    self.text(version.name(self.endian, strings).map_err(&fail)?, part)?;
                needs.push(Need { library, version });
            }
        }
        Ok(needs)
    }

    fn build_id(&self) -> Result<Option<&'a [u8]>, ReadError> {
        let fail = in_part(self.name, "notes");
        for segment in self.segments {
            let Some(mut notes) = segment.notes(self.endian, self.bytes).map_err(&fail)? else {
                continue;
            };
            while let Some(note) = notes.next().map_err(&fail)? {
                if note.name() == elf::ELF_NOTE_GNU
                    && note.n_type(self.endian) == elf::NT_GNU_BUILD_ID
                    && !note.desc().is_empty()
                {
                    return Ok(Some(note.desc()));
                }
            }
        }
        Ok(None)
    }

    fn section_places(&self) -> Vec<Section<'a>> {
        self.sections
            .iter()
            .map(|section| {
                let name = self
                    .sections
                    .section_name(self.endian, section)
                    .unwrap_or_default();
                let flags = section.sh_flags(self.endian);
                let has = |flag| flags.contains(flag);
                let in_file = section.sh_type(self.endian) != elf::SHT_NOBITS;
                Section {
                    name: std::str::from_utf8(name).unwrap_or_default(),
                    address: section.sh_addr(self.endian).into(),
                    offset: section.sh_offset(self.endian).into(),
                    file_size: if in_file {
                        section.sh_size(self.endian).into()
                    } else {
                        0
                    },
                    read_only_data: has(elf::SHF_ALLOC)
                        && !has(elf::SHF_WRITE)
                        && !has(elf::SHF_EXECINSTR)
                        && section.sh_type(self.endian) == elf::SHT_PROGBITS,
                }
            })
            .collect()
    }

    fn text(&self, bytes: &'a [u8], part: &str) -> Result<&'a str, ReadError> {
        std::str::from_utf8(bytes)
            .map_err(|_| ReadError::malformed(self.name, "a name is not UTF-8", part))
    }
}

/// Turns `object`'s error about a part of the file into ours.
fn in_part<'n>(
    name: &'n str,
    part: &'static str,
) -> impl Fn(object::read::Error) -> ReadError + use<'n> {
    move |error| ReadError::malformed(name, error.to_string(), part)
}

fn symbol_kind(kind: elf::SymbolType) -> SymbolKind {
    match kind {
        elf::STT_FUNC | elf::STT_GNU_IFUNC => SymbolKind::Function,
        elf::STT_OBJECT | elf::STT_COMMON => SymbolKind::Object,
        elf::STT_TLS => SymbolKind::Tls,
        elf::STT_FILE => SymbolKind::File,
        _ => SymbolKind::Other,
    }
}

fn binding(binding: elf::SymbolBind) -> Binding {
    match binding {
        elf::STB_LOCAL => Binding::Local,
        elf::STB_GLOBAL => Binding::Global,
        elf::STB_WEAK => Binding::Weak,
        elf::STB_GNU_UNIQUE => Binding::Unique,
        _ => Binding::Other,
    }
}

fn visibility(visibility: elf::SymbolVisibility) -> Visibility {
    match visibility {
        elf::STV_DEFAULT => Visibility::Default,
        elf::STV_PROTECTED => Visibility::Protected,
        _ => Visibility::Hidden,
    }
}
