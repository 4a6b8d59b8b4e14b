//! The error of the check.

use std::fmt;

/// A place in a bytecode file that is not as the format says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<Violation>);

// Behind a pointer, so that results of the reader fit into registers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Violation {
    offset: usize,
    message: String,
}

impl Error {
    #[cold]
    pub(crate) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self(Box::new(Violation {
            offset,
            message: message.into(),
        }))
    }

    /// The offset in bytes from the start of the file.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// The violation, without the offset.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.0.offset, self.0.message)
    }
}

impl std::error::Error for Error {}
