//! The error of every reader, and the list of files that an audit of several could not read.

use crate::printable::printed;

/// The reason for which bytes could not be read. Every variant names the file; offsets are bytes from its start.
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
        /// The format that the file seems to have.
        found: &'static str,
    },
    /// The file contradicts its own format, mostly because it is truncated.
    #[error("{name}: malformed or truncated: {what} ({place})")]
    Malformed {
        /// The file.
        name: String,
        /// The defect.
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
        /// Stated unpacked size of this entry and those before it, in bytes.
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

/// The files that could not be read, each with the error.
pub(crate) type Unreadable<'a> = Vec<(&'a str, ReadError)>;
