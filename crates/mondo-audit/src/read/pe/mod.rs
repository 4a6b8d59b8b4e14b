//! PE images of 32 and 64 bits, and the COFF objects that they are linked from, after Microsoft's
//! "PE Format". Both are little-endian on every machine.

mod coff;
mod directories;
mod imports;
mod reader;

pub(super) use coff::{import_member, object};

use object::pe::{self, ImageNtHeaders32, ImageNtHeaders64};
use object::read::pe::{ImageNtHeaders, ImageOptionalHeader as _};
use object::{FileKind, LittleEndian as LE};

use reader::{Reader, arch, is_code, is_debug, section_of};

use super::error::ReadError;
use super::names::{NameBudget, shown};
use crate::image_facts::{Arch, Facts, Format, Hardening, ImageKind, MinimumOs};

/// Section names of executable packers.
const PACKERS: &[(&[u8], &str)] = &[
    (b"UPX0", "UPX"),
    (b"UPX1", "UPX"),
    (b".aspack", "ASPack"),
    (b".vmp0", "VMProtect"),
    (b".themida", "Themida"),
    (b".petite", "Petite"),
    (b".MPRESS1", "MPRESS"),
];

/// Reads an image.
pub(super) fn read<'a>(
    name: &'a str,
    bytes: &'a [u8],
    budget: NameBudget,
) -> Result<Facts<'a>, ReadError> {
    match FileKind::parse(bytes) {
        Ok(FileKind::Pe64) => Reader::<ImageNtHeaders64>::new(name, bytes, budget)?.facts(),
        Ok(FileKind::Pe32) => Reader::<ImageNtHeaders32>::new(name, bytes, budget)?.facts(),
        _ => Err(ReadError::malformed(
            name,
            "neither 32-bit nor 64-bit PE",
            "optional header",
        )),
    }
}

/// Returns whether the DOS header points at a PE signature.
pub(super) fn is_pe(bytes: &[u8]) -> bool {
    bytes.starts_with(b"MZ")
        && bytes
            .get(0x3c..0x40)
            .and_then(|field| field.try_into().ok())
            .and_then(|field| usize::try_from(u32::from_le_bytes(field)).ok())
            .and_then(|start| bytes.get(start..)?.get(..4))
            .is_some_and(|signature| signature == b"PE\0\0")
}

impl<'a, P: ImageNtHeaders> Reader<'a, P> {
    fn facts(&self) -> Result<Facts<'a>, ReadError> {
        let (file, optional) = (self.headers.file_header(), self.headers.optional_header());
        let mut facts = Facts::new(self.name, Format::Pe, self.bytes);
        let is_dll = file.characteristics.get(LE).contains(pe::IMAGE_FILE_DLL);
        facts.kind = if is_dll {
            ImageKind::SharedLibrary
        } else {
            ImageKind::Program
        };
        facts.arch = arch(file.machine.get(LE));
        facts.bits = if self.headers.is_type_64() { 64 } else { 32 };
        facts.minimum_os = Some(MinimumOs {
            platform: "windows",
            version: [
                optional.major_subsystem_version().into(),
                optional.minor_subsystem_version().into(),
                0,
            ],
            sdk: None,
        });
        let flags = optional.dll_characteristics();
        facts.hardening = Hardening {
            position_independent: Some(flags.contains(pe::IMAGE_DLLCHARACTERISTICS_DYNAMIC_BASE)),
            high_entropy: (facts.bits == 64)
                .then(|| flags.contains(pe::IMAGE_DLLCHARACTERISTICS_HIGH_ENTROPY_VA)),
            no_execute: Some(flags.contains(pe::IMAGE_DLLCHARACTERISTICS_NX_COMPAT)),
            control_flow_guard: Some(flags.contains(pe::IMAGE_DLLCHARACTERISTICS_GUARD_CF)),
            landing_pads: None,
            shadow_stack: (facts.arch == Arch::X86_64).then_some(false),
        };
        self.read_sections(&mut facts)?;
        self.exports(&mut facts)?;
        self.imports(&mut facts)?;
        self.delayed_imports(&mut facts)?;
        self.debug(&mut facts)?;
        self.certificates(&mut facts)?;
        if self
            .directories
            .get(pe::IMAGE_DIRECTORY_ENTRY_COM_DESCRIPTOR)
            .is_some()
        {
            facts
                .unseen
                .push("managed code (.NET): what its metadata imports".to_owned());
        }
        self.symbols(&mut facts)?;
        Ok(facts)
    }

    fn read_sections(&self, facts: &mut Facts<'a>) -> Result<(), ReadError> {
        let strings = self
            .headers
            .symbols(self.bytes)
            .map_err(|error| {
                let at = self.headers.file_header().pointer_to_symbol_table.get(LE);
                let place = format!("symbol table, offset {at}");
                ReadError::malformed(self.name, error.to_string(), place)
            })?
            .strings();
        for section in self.sections.iter() {
            let (offset, size) = section.pe_file_range();
            if u64::from(offset) + u64::from(size) > self.bytes.len() as u64 {
                return Err(ReadError::malformed(
                    self.name,
                    format!("a section of {size} bytes reaches beyond the file"),
                    format!("sections, offset {offset}"),
                ));
            }
            let name = section.name(strings).unwrap_or_default();
            self.names.count(name, "sections")?;
            if let Some((_, packer)) = PACKERS.iter().find(|(known, _)| *known == name) {
                facts.unseen.push(format!(
                    "packed by {packer}: the code and data that it unpacks when it is loaded"
                ));
            }
            let in_memory = section.virtual_size.get(LE);
            if is_code(section) && section.size_of_raw_data.get(LE) == 0 && in_memory > 0 {
                facts.unseen.push(format!(
                    "section {} of code, of which the file has nothing: it is written when it is \
                     loaded",
                    shown(name)
                ));
            }
            let added = section_of(section, name, offset, size);
            if is_debug(name) {
                facts.debug_info += added.file_size;
            }
            facts.sections.push(added);
        }
        facts.unseen.dedup();
        Ok(())
    }
}
