//! Universal files: one image for each of several machines.

use object::Endianness;
use object::macho::{FatArch32, FatArch64};
use object::read::macho::{FatArch, MachOFatFile};

use super::reader::arch;
use crate::image_facts::{Arch, Format};
use crate::read::error::ReadError;

/// `lipo` refuses to make files of more machines than there are.
const MOST: usize = 32;

/// An image of a universal file.
#[derive(Debug)]
pub(crate) struct Slice<'a> {
    pub(crate) arch: Arch,
    pub(crate) offset: u64,
    pub(crate) bytes: &'a [u8],
}

impl Slice<'_> {
    /// The machine as `lipo` calls it.
    pub(crate) fn arch_name(&self) -> String {
        match self.arch {
            Arch::Other(number) => format!("cputype {number}"),
            arch => arch.name(Format::MachO).to_owned(),
        }
    }
}

/// Returns whether these bytes start a universal file.
///
/// A Java class file starts like one; its next word is a version of at least 45, where a universal
/// file has a small number of machines.
pub(crate) fn is_fat(bytes: &[u8]) -> bool {
    matches!(bytes, [0xca, 0xfe, 0xba, 0xbe | 0xbf, 0, 0, 0, 0..=32, ..])
}

/// The images of a universal file, in its order.
pub(crate) fn slices<'a>(name: &str, bytes: &'a [u8]) -> Result<Vec<Slice<'a>>, ReadError> {
    match bytes.get(3) {
        Some(0xbf) => read::<FatArch64>(name, bytes),
        _ => read::<FatArch32>(name, bytes),
    }
}

fn read<'a, F: FatArch>(name: &str, bytes: &'a [u8]) -> Result<Vec<Slice<'a>>, ReadError> {
    let fail = |what: &str| ReadError::malformed(name, what, "universal header, offset 0");
    let file: MachOFatFile<'a, F> =
        MachOFatFile::parse(bytes).map_err(|error| fail(&error.to_string()))?;
    if file.arches().is_empty() {
        return Err(fail("a universal file without an image"));
    }
    if file.arches().len() > MOST {
        return Err(fail("more images than there are machines"));
    }
    let mut slices = Vec::new();
    let mut ranges = Vec::new();
    for entry in file.arches() {
        let (offset, size) = entry.file_range();
        let bytes = entry.data(bytes).map_err(|_| {
            ReadError::malformed(
                name,
                format!("an image of {size} bytes reaches beyond the end"),
                format!("universal header, offset {offset}"),
            )
        })?;
        ranges.push((offset, offset.saturating_add(size)));
        slices.push(Slice {
            arch: arch(entry.cputype(), entry.cpusubtype(), Endianness::Big),
            offset,
            bytes,
        });
    }
    ranges.sort_unstable();
    if let Some(pair) = ranges.windows(2).find(|pair| pair[0].1 > pair[1].0) {
        let place = format!("universal header, offset {}", pair[1].0);
        return Err(ReadError::malformed(name, "two images share bytes", place));
    }
    Ok(slices)
}
