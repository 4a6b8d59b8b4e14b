//! Bytes to [`Facts`]: one reader per container or image format.

pub mod archive;
pub(crate) mod elf;
pub(crate) mod error;
mod macho;
pub(crate) mod metadata;
pub(crate) mod names;
mod pe;
pub(crate) mod sbom;
pub mod wheel;
pub(crate) mod zip;

use crate::image_facts::Facts;
use crate::read::names::NameBudget;

pub use error::ReadError;

/// An image, object or archive: a whole file, or its part of a universal file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part<'a> {
    /// The file's name; a part of a universal file has its machine added: `libx.dylib[arm64]`.
    pub name: String,
    /// Offset in the file.
    pub offset: u64,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// The images of a universal file of macOS; any other file is its own only part.
///
/// # Errors
///
/// [`ReadError::Malformed`] where a universal file's table contradicts itself.
pub fn parts<'a>(name: &str, bytes: &'a [u8]) -> Result<Vec<Part<'a>>, ReadError> {
    if !macho::fat::is_fat(bytes) {
        return Ok(vec![Part {
            name: name.to_owned(),
            offset: 0,
            bytes,
        }]);
    }
    let slices = macho::fat::slices(name, bytes)?;
    Ok(slices
        .into_iter()
        .map(|slice| Part {
            name: format!("{name}[{}]", slice.arch_name()),
            offset: slice.offset,
            bytes: slice.bytes,
        })
        .collect())
}

/// File format, by the first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Elf,
    MachO,
    Pe,
    Archive,
    Coff,
    CoffImport,
    /// Nothing that has a reader.
    Other(&'static str),
}

impl Kind {
    fn of(bytes: &[u8]) -> Self {
        match bytes {
            [] => Self::Other("the file is empty"),
            [0x7f, b'E', b'L', b'F', ..] => Self::Elf,
            [0xfe, 0xed, 0xfa, 0xce | 0xcf, ..] | [0xce | 0xcf, 0xfa, 0xed, 0xfe, ..] => {
                Self::MachO
            }
            [b'M', b'Z', ..] if pe::is_pe(bytes) => Self::Pe,
            [b'!', b'<', b'a' | b't', ..] if archive::is_archive(bytes) => Self::Archive,
            [b'P', b'K', 3, 4, ..] => Self::Other("it is a zip file"),
            [b'B', b'C', 0xc0, 0xde, ..] | [0xde, 0xc0, 0x17, 0x0b, ..] => {
                Self::Other("it is LLVM bitcode, made for link-time optimization")
            }
            _ if macho::fat::is_fat(bytes) => Self::Other("it is a Mach-O universal file"),
            _ => match object::FileKind::parse(bytes) {
                Ok(object::FileKind::Coff | object::FileKind::CoffBig) => Self::Coff,
                Ok(object::FileKind::CoffImport) => Self::CoffImport,
                _ if bytes.starts_with(&[0, 0, 0xff, 0xff]) => {
                    Self::Other("it is made for Microsoft's link-time code generation")
                }
                _ => Self::Other("its format is unknown"),
            },
        }
    }
}

/// Reads a linked image, an object, or a static archive as a whole.
///
/// # Errors
///
/// [`ReadError::Unsupported`] for any other format and for a universal file, whose [`parts`] are
/// read one by one; [`ReadError::Malformed`] for a file that contradicts itself;
/// [`ReadError::ThinArchive`].
pub fn read_image<'a>(name: &'a str, bytes: &'a [u8]) -> Result<Facts<'a>, ReadError> {
    read_within(name, bytes, NameBudget::for_file(bytes.len()))
}

/// Does the same for an image whose names have this budget.
pub(crate) fn read_within<'a>(
    name: &'a str,
    bytes: &'a [u8],
    budget: NameBudget,
) -> Result<Facts<'a>, ReadError> {
    match Kind::of(bytes) {
        Kind::Elf => elf::read(name, bytes, budget),
        Kind::MachO => macho::read(name, bytes, budget),
        Kind::Pe => pe::read(name, bytes, budget),
        Kind::Coff => pe::object(name, bytes, budget),
        Kind::CoffImport => pe::import_member(name, bytes, budget),
        Kind::Archive => archive::facts(name, bytes, budget, read_within),
        Kind::Other(found) => Err(ReadError::Unsupported {
            name: name.to_owned(),
            found,
        }),
    }
}

/// Recognizes a file that can be audited: an image, a universal file, a static archive or an object.
///
/// COFF objects start with the number of a machine only, which other files do as well; they are
/// known by their name.
#[must_use]
pub fn is_image(name: &str, bytes: &[u8]) -> bool {
    match Kind::of(bytes) {
        Kind::Elf | Kind::MachO | Kind::Pe | Kind::Archive => true,
        Kind::Coff | Kind::CoffImport => [".o", ".obj", ".lib"]
            .iter()
            .any(|suffix| name.ends_with(suffix)),
        Kind::Other(_) => macho::fat::is_fat(bytes),
    }
}

/// Names that only images have.
const IMAGE_SUFFIXES: &[&str] = &[".so", ".dylib", ".pyd", ".dll"];

/// Recognizes the name of an image by its suffix.
pub(crate) fn is_called_an_image(name: &str) -> bool {
    IMAGE_SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}
