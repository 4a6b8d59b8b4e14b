//! Bytes to [`Facts`]: one reader per container or image format.

pub mod archive;
pub(crate) mod elf;
pub(crate) mod metadata;
pub mod wheel;
mod zip;

use crate::Facts;

/// Why bytes could not be read. Every variant names the file; offsets are bytes from its start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is of a known format that has no reader, or of none that is known.
    #[error("{name}: cannot be audited: {found}; an ELF shared library or program is expected")]
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
            name: name.to_owned(),
            what: what.into(),
            place: place.into(),
        }
    }
}

/// Reads a linked image.
///
/// # Errors
///
/// [`ReadError::Unsupported`] for anything but ELF (an empty file and an object file included),
/// [`ReadError::Malformed`] for an ELF file that contradicts itself.
pub fn read_image<'a>(name: &'a str, bytes: &'a [u8]) -> Result<Facts<'a>, ReadError> {
    if is_elf(bytes) {
        return elf::read(name, bytes);
    }
    let found = foreign_image(bytes).unwrap_or(match bytes {
        [] => "the file is empty",
        [b'!', b'<', b'a', b'r', b'c', b'h', b'>', ..] => "it is an ar archive",
        [b'P', b'K', 3, 4, ..] => "it is a zip file",
        _ => "its format is unknown",
    });
    Err(ReadError::Unsupported {
        name: name.to_owned(),
        found,
    })
}

/// Whether the bytes start like an ELF file.
pub(crate) fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF")
}

/// What sort of image this is, if it is one that has no reader yet.
pub(crate) fn foreign_image(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xfe, 0xed, 0xfa, 0xce | 0xcf, ..] | [0xce | 0xcf, 0xfa, 0xed, 0xfe, ..] => {
            Some("it is a Mach-O image")
        }
        // A Java class file starts like a universal binary; its next word is a version ≥ 45, the
        // count of architectures is small.
        [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 0..=20, ..] => Some("it is a Mach-O universal image"),
        [b'M', b'Z', ..] if is_pe(bytes) => Some("it is a PE image"),
        _ => None,
    }
}

/// Whether the DOS header points at a PE signature.
fn is_pe(bytes: &[u8]) -> bool {
    bytes
        .get(0x3c..0x40)
        .and_then(|field| field.try_into().ok())
        .and_then(|field| usize::try_from(u32::from_le_bytes(field)).ok())
        .and_then(|start| bytes.get(start..)?.get(..4))
        .is_some_and(|signature| signature == b"PE\0\0")
}
