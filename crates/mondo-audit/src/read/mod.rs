//! Bytes to [`Facts`]: one reader per container or image format.

pub mod archive;
pub(crate) mod elf;
mod macho;
pub(crate) mod metadata;
mod names;
mod pe;
pub mod wheel;
mod zip;

use crate::Facts;
use crate::printable::printed;

/// Why bytes could not be read. Every variant names the file; offsets are bytes from its start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is of a known format that has no reader, or of none that is known.
    #[error(
        "{name}: cannot be audited: {found}; a library, program, object or static archive of ELF, \
         Mach-O or PE is expected"
    )]
    Unsupported {
        /// The file.
        name: String,
        /// What it seems to be.
        found: &'static str,
    },
    /// The file contradicts its own format, mostly because it is truncated.
    #[error("{name}: malformed or truncated: {what} ({place})")]
    Malformed {
        /// The file.
        name: String,
        /// What is wrong.
        what: String,
        /// The part of the file: a table, a member, an entry, with its offset where there is one.
        place: String,
    },
    /// A thin archive: it holds paths of its members, not the members.
    #[error(
        "{name}: a thin archive holds no members, only their paths; make a full one with `ar rcs`"
    )]
    ThinArchive {
        /// The file.
        name: String,
    },
    /// A wheel would unpack to more than the caller allows.
    #[error("{name}: with entry {entry} it unpacks to {size} bytes, more than the {limit} allowed")]
    TooLarge {
        /// The wheel.
        name: String,
        /// The entry that goes over the bound.
        entry: String,
        /// What it and the entries before it say that they unpack to.
        size: u64,
        /// The bound.
        limit: u64,
    },
}

impl ReadError {
    pub(crate) fn malformed(name: &str, what: impl Into<String>, place: impl Into<String>) -> Self {
        Self::Malformed {
            name: printed(name),
            what: printed(what),
            place: printed(place),
        }
    }
}

/// An image, object or archive: a whole file, or its part of a universal file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part<'a> {
    /// The file's name; a part of a universal file has its machine added: `libx.dylib[arm64]`.
    pub name: String,
    /// Where it starts in the file.
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

/// What bytes are, to judge by how they start.
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
    match Kind::of(bytes) {
        Kind::Elf => elf::read(name, bytes),
        Kind::MachO => macho::read(name, bytes),
        Kind::Pe => pe::read(name, bytes),
        Kind::Coff => pe::object(name, bytes),
        Kind::CoffImport => pe::import_member(name, bytes),
        Kind::Archive => archive::facts(name, bytes),
        Kind::Other(found) => Err(ReadError::Unsupported {
            name: name.to_owned(),
            found,
        }),
    }
}

/// Whether a file is something to audit: an image, a universal file, a static archive or an object.
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
