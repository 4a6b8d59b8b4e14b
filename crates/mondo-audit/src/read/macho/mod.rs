//! Mach-O images and objects of 32 and 64 bits and either byte order, after Apple's `loader.h`,
//! `nlist.h` and `fat.h`.
//!
//! Exports are read as the loader reads them, from the trie; the symbol table says what is undefined
//! and which library of the two-level namespace each name is bound to.

pub(super) mod fat;
mod linkedit;
mod reader;
mod symbols;
mod trie;

use object::macho::{self, MachHeader32, MachHeader64};
use object::read::macho::{
    LoadCommandData, LoadCommandVariant, MachHeader, Section as _, Segment as _,
};
use object::{Endianness, FileKind};

use reader::{Reader, arch, is_code};

use super::error::ReadError;
use super::names::NameBudget;
use crate::image_facts::{Facts, Format, Hardening, ImageKind, MinimumOs, Section};

/// Reads a file that holds one image or object.
pub(super) fn read<'a>(
    name: &'a str,
    bytes: &'a [u8],
    budget: NameBudget,
) -> Result<Facts<'a>, ReadError> {
    match FileKind::parse(bytes) {
        Ok(FileKind::MachO64) => {
            Reader::<MachHeader64<Endianness>>::new(name, bytes, budget)?.facts()
        }
        Ok(FileKind::MachO32) => {
            Reader::<MachHeader32<Endianness>>::new(name, bytes, budget)?.facts()
        }
        _ => Err(ReadError::malformed(
            name,
            "no Mach-O header",
            "file header, offset 0",
        )),
    }
}

/// A symbol names its section with one byte.
const MOST_SECTIONS: usize = 255;

impl<'a, M: MachHeader<Endian = Endianness>> Reader<'a, M> {
    fn facts(mut self) -> Result<Facts<'a>, ReadError> {
        let mut facts = Facts::new(self.name, Format::MachO, self.bytes);
        let flags = self.header.flags(self.endian);
        facts.kind = self.kind()?;
        facts.arch = arch(
            self.header.cputype(self.endian),
            self.header.cpusubtype(self.endian),
            self.endian,
        );
        facts.bits = if self.header.is_type_64() { 64 } else { 32 };
        facts.big_endian = self.header.is_big_endian();
        facts.flat_namespace = !flags.contains(macho::MH_TWOLEVEL);
        if facts.kind.is_linked() {
            let library = facts.kind == ImageKind::SharedLibrary;
            facts.hardening = Hardening {
                position_independent: Some(library || flags.contains(macho::MH_PIE)),
                no_execute: Some(!flags.contains(macho::MH_ALLOW_STACK_EXECUTION)),
                ..Hardening::default()
            };
        }

        let fail = |error: object::read::Error| {
            let start = size_of::<M>();
            let place = format!("load commands, offset {start}");
            ReadError::malformed(self.name, error.to_string(), place)
        };
        let mut commands = self
            .header
            .load_commands(self.endian, self.bytes, 0)
            .map_err(fail)?;
        while let Some(command) = commands.next().map_err(fail)? {
            self.command(&mut facts, command)?;
        }
        if self.base != 0 {
            for section in &mut facts.sections {
                section.address = section.address.wrapping_sub(self.base);
            }
        }
        if facts.kind.is_linked() && self.packed_by_upx() {
            facts.unseen.push(
                "packed by UPX: the code and data that it unpacks when it is loaded".to_owned(),
            );
        }
        self.read_symbols(&mut facts)?;
        Ok(facts)
    }

    /// UPX writes a header of its own right after the load commands of a file that it packs.
    fn packed_by_upx(&self) -> bool {
        let commands = u64::from(self.header.sizeofcmds(self.endian));
        let start = usize::try_from(commands)
            .ok()
            .and_then(|commands| self.bytes.get(size_of::<M>().checked_add(commands)?..));
        let start = start.unwrap_or_default();
        memchr::memmem::find(&start[..start.len().min(0x40)], b"UPX!").is_some()
    }

    fn kind(&self) -> Result<ImageKind, ReadError> {
        let unsupported = |found| {
            Err(ReadError::Unsupported {
                name: self.name.to_owned(),
                found,
            })
        };
        match self.header.filetype(self.endian) {
            macho::MH_DYLIB | macho::MH_BUNDLE => Ok(ImageKind::SharedLibrary),
            macho::MH_EXECUTE => Ok(ImageKind::Program),
            macho::MH_OBJECT => Ok(ImageKind::Object),
            macho::MH_DSYM => unsupported("it is a dSYM: debug information without an image"),
            macho::MH_CORE => unsupported("it is a core dump"),
            macho::MH_DYLIB_STUB => unsupported("it is a stub of a library to link against"),
            _ => unsupported(
                "its Mach-O file type is neither a library's, a program's nor an object's",
            ),
        }
    }

    fn command(
        &mut self,
        facts: &mut Facts<'a>,
        command: LoadCommandData<'a, Endianness>,
    ) -> Result<(), ReadError> {
        let place = format!(
            "load command {:#x}, offset {}",
            command.cmd().0,
            command.offset()
        );
        let endian = self.endian;
        let fail = |error: object::read::Error| {
            ReadError::malformed(self.name, error.to_string(), &*place)
        };
        let text = |string| -> Result<&'a str, ReadError> {
            let bytes = command.string(endian, string).map_err(fail)?;
            self.names.text(bytes, &place)
        };
        // A command without a name can still be reported as unknown.
        self.names.count(&[], &place)?;
        match command.variant().map_err(fail)? {
            LoadCommandVariant::Segment32(..) | LoadCommandVariant::Segment64(..) => {
                self.segment(facts, command, &place)?;
            }
            LoadCommandVariant::IdDylib(dylib) => facts.soname = Some(text(dylib.dylib.name)?),
            LoadCommandVariant::Dylib(dylib) => {
                let library = text(dylib.dylib.name)?;
                facts.needed.push(library);
                match command.cmd() {
                    macho::LC_LOAD_WEAK_DYLIB | macho::LC_LAZY_LOAD_DYLIB => {
                        facts.optional.push(library);
                    }
                    macho::LC_REEXPORT_DYLIB => facts.reexported.push(library),
                    _ => {}
                }
            }
            LoadCommandVariant::Rpath(rpath) => facts.rpath.push(text(rpath.path)?),
            LoadCommandVariant::Uuid(uuid) => facts.build_id = Some(&uuid.uuid),
            LoadCommandVariant::Symtab(symtab) => {
                self.once(self.symbols.is_some(), &place)?;
                self.symbols = Some(symtab);
            }
            LoadCommandVariant::DyldInfo(info) => {
                self.once(self.exports.is_some(), &place)?;
                self.exports = Some((info.export_off.get(endian), info.export_size.get(endian)));
            }
            LoadCommandVariant::LinkeditData(data)
                if command.cmd() == macho::LC_DYLD_EXPORTS_TRIE =>
            {
                self.once(self.exports.is_some(), &place)?;
                self.exports = Some((data.dataoff.get(endian), data.datasize.get(endian)));
            }
            LoadCommandVariant::LinkeditData(data) if command.cmd() == macho::LC_CODE_SIGNATURE => {
                self.once(facts.signature.is_some(), &place)?;
                self.signature(facts, data)?;
            }
            LoadCommandVariant::BuildVersion(build, _) => {
                facts.minimum_os = Some(MinimumOs {
                    platform: platform(build.platform.get(endian)),
                    version: version(build.minos.get(endian)),
                    sdk: Some(version(build.sdk.get(endian))).filter(|sdk| *sdk != [0; 3]),
                });
            }
            LoadCommandVariant::VersionMin(min) => {
                facts.minimum_os = Some(MinimumOs {
                    platform: match command.cmd() {
                        macho::LC_VERSION_MIN_MACOSX => "macos",
                        macho::LC_VERSION_MIN_IPHONEOS => "ios",
                        macho::LC_VERSION_MIN_TVOS => "tvos",
                        _ => "watchos",
                    },
                    version: version(min.version.get(endian)),
                    sdk: Some(version(min.sdk.get(endian))).filter(|sdk| *sdk != [0; 3]),
                });
            }
            LoadCommandVariant::EncryptionInfo32(info) if info.cryptid.get(endian) != 0 => {
                facts.unseen.push(encrypted(info.cryptsize.get(endian)));
            }
            LoadCommandVariant::EncryptionInfo64(info) if info.cryptid.get(endian) != 0 => {
                facts.unseen.push(encrypted(info.cryptsize.get(endian)));
            }
            // The high bit says that an image must not be used without knowing the
            // command.
            LoadCommandVariant::Other if command.cmd().0 & macho::LC_REQ_DYLD != 0 => {
                facts.unseen.push(format!("the unknown {place}"));
            }
            _ => {}
        }
        Ok(())
    }

    fn once(&self, again: bool, place: &str) -> Result<(), ReadError> {
        if again {
            let what = "the load command is there twice";
            return Err(ReadError::malformed(self.name, what, place));
        }
        Ok(())
    }

    fn segment(
        &mut self,
        facts: &mut Facts<'a>,
        command: LoadCommandData<'a, Endianness>,
        place: &str,
    ) -> Result<(), ReadError> {
        let endian = self.endian;
        let fail =
            |error: object::read::Error| ReadError::malformed(self.name, error.to_string(), place);
        let Some((segment, data)) = M::Segment::from_command(command).map_err(fail)? else {
            let what = "a segment of the other word size";
            return Err(ReadError::malformed(self.name, what, place));
        };
        let (start, size) = segment.file_range(endian);
        let inside = start
            .checked_add(size)
            .is_some_and(|end| end <= self.bytes.len() as u64);
        if !inside && facts.kind.is_linked() {
            let what = format!("a segment of {size} bytes at {start} reaches beyond the file");
            return Err(ReadError::malformed(self.name, what, place));
        }
        let code = segment.initprot(endian).contains(macho::VM_PROT_EXECUTE);
        let in_memory: u64 = segment.vmsize(endian).into();
        if facts.kind.is_linked() && code && size == 0 && in_memory > 0 {
            facts.unseen.push(
                "a segment of code of which the file has nothing: it is written when it is loaded"
                    .to_owned(),
            );
        }
        if segment.name() == b"__TEXT" {
            self.base = segment.vmaddr(endian).into();
        }
        let writable = segment.initprot(endian).contains(macho::VM_PROT_WRITE)
            && segment.name() != b"__DATA_CONST";
        for section in segment.sections(endian, data).map_err(fail)? {
            let flags = section.flags(endian);
            let zero = matches!(
                flags.typ(),
                macho::S_ZEROFILL | macho::S_GB_ZEROFILL | macho::S_THREAD_LOCAL_ZEROFILL
            );
            let size: u64 = section.size(endian).into();
            let debug = section.segment_name() == b"__DWARF";
            if debug {
                facts.debug_info = facts.debug_info.saturating_add(size);
            }
            if matches!(
                flags.typ(),
                macho::S_MOD_INIT_FUNC_POINTERS | macho::S_INIT_FUNC_OFFSETS
            ) {
                facts.init_array_size = facts.init_array_size.saturating_add(size);
            }
            facts.sections.push(Section {
                name: std::str::from_utf8(section.name()).unwrap_or_default(),
                address: section.addr(endian).into(),
                offset: section.offset(endian).into(),
                file_size: if zero { 0 } else { size },
                read_only_data: !writable && !zero && !debug && !is_code(flags),
            });
            self.section_flags.push(flags);
        }
        if self.section_flags.len() > MOST_SECTIONS {
            let what = format!("more than {MOST_SECTIONS} sections");
            return Err(ReadError::malformed(self.name, what, place));
        }
        Ok(())
    }
}

fn encrypted(size: u32) -> String {
    format!("{size} encrypted bytes")
}

fn version(packed: macho::Version) -> [u32; 3] {
    [
        packed.major().into(),
        packed.minor().into(),
        packed.update().into(),
    ]
}

fn platform(platform: macho::Platform) -> &'static str {
    match platform {
        macho::PLATFORM_MACOS => "macos",
        macho::PLATFORM_IOS => "ios",
        macho::PLATFORM_TVOS => "tvos",
        macho::PLATFORM_WATCHOS => "watchos",
        macho::PLATFORM_VISIONOS => "visionos",
        macho::PLATFORM_MACCATALYST => "maccatalyst",
        macho::PLATFORM_DRIVERKIT => "driverkit",
        macho::PLATFORM_IOSSIMULATOR => "iossimulator",
        macho::PLATFORM_TVOSSIMULATOR => "tvossimulator",
        macho::PLATFORM_WATCHOSSIMULATOR => "watchossimulator",
        macho::PLATFORM_VISIONOSSIMULATOR => "visionossimulator",
        _ => "unknown",
    }
}
