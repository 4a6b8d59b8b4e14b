//! The headers and sections of a PE file that all parts are found through.

use object::LittleEndian as LE;
use object::pe;
use object::read::pe::{DataDirectories, ImageNtHeaders, SectionTable};

use crate::image_facts::{Arch, Section, SymbolKind};
use crate::read::error::ReadError;
use crate::read::names::{NameBudget, Names};

/// Limit of the loader, by Microsoft's documentation.
const MOST_SECTIONS: usize = 96;

/// Headers and tables that all other parts are found through.
pub(super) struct Reader<'a, P: ImageNtHeaders> {
    pub(super) name: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) headers: &'a P,
    pub(super) directories: DataDirectories<'a>,
    pub(super) sections: SectionTable<'a>,
    pub(super) names: Names<'a>,
}

impl<'a, P: ImageNtHeaders> Reader<'a, P> {
    pub(super) fn new(
        name: &'a str,
        bytes: &'a [u8],
        budget: NameBudget,
    ) -> Result<Self, ReadError> {
        let mut at = 0;
        let fail = |error: object::read::Error, at: u64| {
            ReadError::malformed(name, error.to_string(), format!("headers, offset {at}"))
        };
        let dos = pe::ImageDosHeader::parse(bytes).map_err(|error| fail(error, 0))?;
        at += u64::from(dos.nt_headers_offset());
        let start = at;
        let (headers, directories) =
            P::parse(bytes, &mut at).map_err(|error| fail(error, start))?;
        let sections = headers
            .sections(bytes, at)
            .map_err(|error| fail(error, at))?;
        if sections.len() > MOST_SECTIONS {
            let what = format!(
                "{} sections; the loader takes {MOST_SECTIONS}",
                sections.len()
            );
            return Err(ReadError::malformed(
                name,
                what,
                format!("headers, offset {at}"),
            ));
        }
        Ok(Self {
            name,
            bytes,
            headers,
            directories,
            sections,
            names: Names::new(name, budget),
        })
    }

    /// The bytes from a relative address to the end of its section.
    pub(super) fn at(&self, address: u32, part: &str) -> Result<&'a [u8], ReadError> {
        self.sections
            .pe_data_at(self.bytes, address)
            .ok_or_else(|| {
                let what = format!("the address {address:#x} is in no section");
                ReadError::malformed(self.name, what, part)
            })
    }

    /// A string that ends with a NUL.
    pub(super) fn text(&self, address: u32, part: &str) -> Result<&'a str, ReadError> {
        let bytes = self.at(address, part)?;
        let Some(end) = memchr::memchr(0, bytes) else {
            let what = format!("the string at the address {address:#x} has no end");
            return Err(ReadError::malformed(self.name, what, part));
        };
        self.names.text(&bytes[..end], part)
    }

    /// A part with its place in the file, for errors.
    pub(super) fn place(&self, part: &str, directory: usize) -> String {
        let directory = self.directories.get(directory);
        let offset = directory.and_then(|found| found.file_range(&self.sections).ok());
        match offset {
            Some((offset, _)) => format!("{part}, offset {offset}"),
            None => part.to_owned(),
        }
    }

    /// Kind of the symbol at this address.
    pub(super) fn kind_at(&self, address: u32) -> SymbolKind {
        match self.sections.section_containing(address) {
            Some(section) if is_code(section) => SymbolKind::Function,
            Some(_) => SymbolKind::Object,
            None => SymbolKind::Other,
        }
    }
}

pub(super) fn is_code(section: &pe::ImageSectionHeader) -> bool {
    let flags = section.characteristics.get(LE);
    flags.contains(pe::IMAGE_SCN_MEM_EXECUTE)
}

pub(super) fn is_debug(name: &[u8]) -> bool {
    name.starts_with(b".debug") || name.starts_with(b".stab") || name.starts_with(b".zdebug")
}

pub(super) fn section_of<'a>(
    section: &pe::ImageSectionHeader,
    name: &'a [u8],
    offset: u32,
    size: u32,
) -> Section<'a> {
    let flags = section.characteristics.get(LE);
    let data = flags.contains(pe::IMAGE_SCN_CNT_INITIALIZED_DATA);
    let changes = flags.contains(pe::IMAGE_SCN_MEM_WRITE);
    Section {
        name: std::str::from_utf8(name).unwrap_or_default(),
        address: section.virtual_address.get(LE).into(),
        offset: offset.into(),
        file_size: size.into(),
        read_only_data: data && !changes && !is_code(section) && !is_debug(name),
    }
}

pub(super) fn arch(machine: pe::Machine) -> Arch {
    match machine {
        pe::IMAGE_FILE_MACHINE_I386 => Arch::X86,
        pe::IMAGE_FILE_MACHINE_AMD64 => Arch::X86_64,
        pe::IMAGE_FILE_MACHINE_ARMNT => Arch::Arm,
        pe::IMAGE_FILE_MACHINE_ARM64
        | pe::IMAGE_FILE_MACHINE_ARM64EC
        | pe::IMAGE_FILE_MACHINE_ARM64X => Arch::Aarch64,
        other => Arch::Other(other.0.into()),
    }
}
