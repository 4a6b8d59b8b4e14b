//! The error of a dialect's functions: a sentence for the dialect's user.

use std::fmt;

/// An error that becomes a diagnostic of MLIR. The caller adds the location.
///
/// ```
/// # use mondo_ir::sdk::{Error, Result};
/// fn checked(width: u32) -> Result<u32> {
///     if width == 0 {
///         return Err(Error::new("a width is not zero"));
///     }
///     Ok(width)
/// }
/// assert_eq!(checked(0).unwrap_err().message(), "a width is not zero");
/// // A text is an error as well.
/// assert_eq!(Error::from("no"), Error::new("no"));
/// ```
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

/// So that a pass can make a type of its dialect and hand on why that failed.
impl From<Error> for crate::error::Error {
    fn from(error: Error) -> Self {
        Self::new(crate::error::ErrorKind::Form, error.message())
    }
}
