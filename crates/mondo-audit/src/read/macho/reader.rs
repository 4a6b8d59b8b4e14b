//! The header of a Mach-O file, and the places that its load commands state.

use object::Endianness;
use object::macho;
use object::read::macho::MachHeader;

use crate::image_facts::Arch;
use crate::read::error::ReadError;
use crate::read::names::{NameBudget, Names};

/// Header and load commands that later parts are found through.
pub(super) struct Reader<'a, M: MachHeader<Endian = Endianness>> {
    pub(super) name: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) header: &'a M,
    pub(super) endian: Endianness,
    pub(super) names: Names<'a>,
    /// Preferred load address, which addresses are made relative to.
    pub(super) base: u64,
    /// Flags by section, counted from 0 as in [`Facts::sections`].
    pub(super) section_flags: Vec<macho::SectionFlags>,
    pub(super) symbols: Option<&'a macho::SymtabCommand<Endianness>>,
    /// Offset and size of the trie of exports.
    pub(super) exports: Option<(u32, u32)>,
}

impl<'a, M: MachHeader<Endian = Endianness>> Reader<'a, M> {
    pub(super) fn new(
        name: &'a str,
        bytes: &'a [u8],
        budget: NameBudget,
    ) -> Result<Self, ReadError> {
        let fail = |error: object::read::Error| {
            ReadError::malformed(name, error.to_string(), "file header, offset 0")
        };
        let header = M::parse(bytes, 0).map_err(fail)?;
        Ok(Self {
            name,
            bytes,
            header,
            endian: header.endian().map_err(fail)?,
            names: Names::new(name, budget),
            base: 0,
            section_flags: Vec::new(),
            symbols: None,
            exports: None,
        })
    }
}

pub(super) fn is_code(flags: macho::SectionFlags) -> bool {
    flags.contains(macho::S_ATTR_PURE_INSTRUCTIONS)
        || flags.contains(macho::S_ATTR_SOME_INSTRUCTIONS)
}

/// The machine; also of an entry of a universal file.
pub(super) fn arch(cpu: macho::CpuType, subtype: macho::CpuSubtype, endian: Endianness) -> Arch {
    match cpu {
        macho::CPU_TYPE_X86 => Arch::X86,
        macho::CPU_TYPE_X86_64 => Arch::X86_64,
        macho::CPU_TYPE_ARM => Arch::Arm,
        // The high byte holds capabilities.
        macho::CPU_TYPE_ARM64 if subtype.0 & 0x00ff_ffff == 2 => Arch::Arm64e,
        macho::CPU_TYPE_ARM64 => Arch::Aarch64,
        macho::CPU_TYPE_POWERPC => Arch::PowerPc,
        macho::CPU_TYPE_POWERPC64 if endian == Endianness::Big => Arch::PowerPc64,
        other => Arch::Other(other.0),
    }
}
