//! The error of a dialect's functions: a sentence for the dialect's user.

use std::fmt;

/// An error that becomes a diagnostic of MLIR. The place is added by whoever called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(String);

/// A result with a message for the user of a dialect.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error that says this.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// The message.
    pub fn message(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl From<String> for Error {
    fn from(message: String) -> Self {
        Self(message)
    }
}

impl From<&str> for Error {
    fn from(message: &str) -> Self {
        Self(message.to_owned())
    }
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        Self(error.to_string())
    }
}
