//! The error of the check of text.

use std::fmt;

/// A place in a text that MLIR must not be given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
    what: &'static str,
}

impl TextError {
    #[cold]
    pub(super) fn at(text: &[u8], offset: usize, what: &'static str) -> Self {
        let before = &text[..offset];
        let start = before.iter().rposition(|byte| *byte == b'\n');
        Self {
            line: before.iter().filter(|byte| **byte == b'\n').count() + 1,
            column: offset - start.map_or(0, |newline| newline + 1) + 1,
            what,
        }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, what } = self;
        write!(f, "at line {line}, column {column}: {what}")
    }
}

impl std::error::Error for TextError {}
