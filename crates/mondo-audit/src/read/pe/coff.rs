//! COFF: objects, the symbol tables that GNU's linker leaves in images, and the short members of
//! import libraries.

use object::LittleEndian as LE;
use object::pe;
use object::read::coff::{CoffHeader, ImportFile, SectionTable, Symbol as _, SymbolTable};
use object::read::pe::ImageNtHeaders;
use object::{FileKind, SymbolIndex};

use super::reader::{Reader, arch, is_code, is_debug, section_of};
use crate::image_facts::{
    Arch, Binding, Export, Facts, Format, ImageKind, Import, SymbolKind, Visibility,
};
use crate::read::error::ReadError;
use crate::read::names::{NameBudget, Names};

/// Reads an object.
pub(crate) fn object<'a>(
    name: &'a str,
    bytes: &'a [u8],
    budget: NameBudget,
) -> Result<Facts<'a>, ReadError> {
    match FileKind::parse(bytes) {
        Ok(FileKind::CoffBig) => object_of::<pe::AnonObjectHeaderBigobj>(name, bytes, budget),
        _ => object_of::<pe::ImageFileHeader>(name, bytes, budget),
    }
}

fn object_of<'a, C: CoffHeader>(
    name: &'a str,
    bytes: &'a [u8],
    budget: NameBudget,
) -> Result<Facts<'a>, ReadError> {
    let fail = |error: object::read::Error, at: u64| {
        ReadError::malformed(name, error.to_string(), format!("COFF header, offset {at}"))
    };
    let mut at = 0;
    let header = C::parse(bytes, &mut at).map_err(|error| fail(error, 0))?;
    let sections = header
        .sections(bytes, at)
        .map_err(|error| fail(error, at))?;
    let table_at = header.pointer_to_symbol_table();
    let table = header
        .symbols(bytes)
        .map_err(|error| fail(error, table_at.into()))?;
    let names = Names::new(name, budget);
    let mut facts = Facts::new(name, Format::Pe, bytes);
    facts.kind = ImageKind::Object;
    facts.arch = arch(header.machine());
    facts.bits = match facts.arch {
        Arch::X86 | Arch::Arm => 32,
        _ => 64,
    };
    for section in sections.iter() {
        let (offset, size) = section.coff_file_range().unwrap_or_default();
        let section_name = section.name(table.strings()).unwrap_or_default();
        names.count(section_name, "sections")?;
        if is_debug(section_name) {
            facts.debug_info += u64::from(size);
        }
        facts
            .sections
            .push(section_of(section, section_name, offset, size));
    }
    read_symbols(&mut facts, &names, &sections, &table, table_at)?;
    Ok(facts)
}

impl<'a, P: ImageNtHeaders> Reader<'a, P> {
    /// The COFF symbol table of an image, which only GNU's linker writes; Microsoft's linker writes symbols into a
    /// PDB.
    pub(super) fn symbols(&self, facts: &mut Facts<'a>) -> Result<(), ReadError> {
        let at = self.headers.file_header().pointer_to_symbol_table.get(LE);
        let table = self.headers.symbols(self.bytes).map_err(|error| {
            let place = format!("symbol table, offset {at}");
            ReadError::malformed(self.name, error.to_string(), place)
        })?;
        read_symbols(facts, &self.names, &self.sections, &table, at)
    }
}

fn read_symbols<'a, C: CoffHeader>(
    facts: &mut Facts<'a>,
    names: &Names<'_>,
    sections: &SectionTable<'a>,
    table: &SymbolTable<'a, &'a [u8], C>,
    at: u32,
) -> Result<(), ReadError> {
    let place = format!("symbol table, offset {at}");
    let object = facts.kind == ImageKind::Object;
    for (index, symbol) in table.iter() {
        let external = match symbol.storage_class() {
            pe::IMAGE_SYM_CLASS_EXTERNAL | pe::IMAGE_SYM_CLASS_WEAK_EXTERNAL => true,
            pe::IMAGE_SYM_CLASS_STATIC if !symbol.has_aux_section() => false,
            _ => continue,
        };
        let weak = symbol.storage_class() == pe::IMAGE_SYM_CLASS_WEAK_EXTERNAL;
        let raw = symbol
            .name(table.strings())
            .map_err(|error| ReadError::malformed(facts.name, error.to_string(), &*place))?;
        names.count(raw, &place)?;
        let name = match facts.arch {
            Arch::X86 => raw.strip_prefix(b"_").unwrap_or(raw),
            _ => raw,
        };
        let undefined = symbol.section_number() == pe::IMAGE_SYM_UNDEFINED;
        let common = undefined && external && symbol.value() != 0;
        if undefined && !common {
            if object {
                facts.imports.push(Import {
                    name: names.text(name, &place)?,
                    ordinal: None,
                    version: None,
                    library: None,
                    weak: weak && has_default(table, index),
                });
            }
            continue;
        }
        let number = symbol
            .section()
            .and_then(|section| u32::try_from(section.0).ok());
        let section = number.and_then(|number| number.checked_sub(1));
        let header = symbol
            .section()
            .and_then(|index| sections.section(index).ok());
        let kind = match header {
            Some(header) if is_code(header) => SymbolKind::Function,
            Some(_) => SymbolKind::Object,
            None if common => SymbolKind::Object,
            None => SymbolKind::Other,
        };
        let base = header.map_or(0, |header| u64::from(header.virtual_address.get(LE)));
        let binding = match (external, weak) {
            (false, _) => Binding::Local,
            (true, true) => Binding::Weak,
            (true, false) => Binding::Global,
        };
        let address = base + u64::from(symbol.value());
        if object && external {
            facts.exports.push(Export {
                name: names.text(name, &place)?.into(),
                version: None,
                default_version: true,
                kind,
                binding,
                visibility: Visibility::Default,
                address,
                size: 0,
                forwarded: None,
            });
        }
        facts.symbols.push(crate::image_facts::Symbol {
            name,
            address,
            size: 0,
            section,
            kind,
            binding,
        });
    }
    facts.stripped = facts.symbols.is_empty();
    Ok(())
}

/// True if a weak external has a default definition.
fn has_default<'a, C: CoffHeader>(
    table: &SymbolTable<'a, &'a [u8], C>,
    index: SymbolIndex,
) -> bool {
    table.aux_weak_external(index).is_ok()
}

/// A member of an import library: a name, and the library it will be imported from.
pub(crate) fn import_member<'a>(
    name: &'a str,
    bytes: &'a [u8],
    budget: NameBudget,
) -> Result<Facts<'a>, ReadError> {
    let place = "import object, offset 0";
    let import = ImportFile::parse(bytes)
        .map_err(|error| ReadError::malformed(name, error.to_string(), place))?;
    let names = Names::new(name, budget);
    let mut facts = Facts::new(name, Format::Pe, bytes);
    facts.kind = ImageKind::Object;
    facts.arch = match import.architecture() {
        object::Architecture::I386 => Arch::X86,
        object::Architecture::X86_64 => Arch::X86_64,
        object::Architecture::Arm => Arch::Arm,
        object::Architecture::Aarch64 => Arch::Aarch64,
        _ => Arch::Other(0),
    };
    let library = names.text(import.dll(), place)?;
    facts.needed.push(library);
    facts.exports.push(Export {
        name: names.text(import.symbol(), place)?.into(),
        version: None,
        default_version: true,
        kind: match import.import_type() {
            object::read::coff::ImportType::Code => SymbolKind::Function,
            _ => SymbolKind::Object,
        },
        binding: Binding::Global,
        visibility: Visibility::Default,
        address: 0,
        size: 0,
        forwarded: Some(library),
    });
    Ok(facts)
}
