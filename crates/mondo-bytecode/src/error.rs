//! The error of the check.

use std::fmt;

/// A place in a bytecode file that is not as the format says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The offset in bytes from the start of the file.
    pub offset: usize,
    /// The violation, without the offset.
    pub message: String,
}

impl Error {
    pub(crate) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self {
            offset,
            message: message.into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for Error {}
