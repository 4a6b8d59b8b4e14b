//! Names, and how many bytes of them an image may hold.
//!
//! Tables refer to names by offset, so that a crafted file can make a million entries share one name
//! of a megabyte. Names are therefore counted: once they are together longer than any honest file
//! of that size makes them, reading stops.

use std::cell::Cell;

use super::ReadError;

/// Honest string tables are shared between entries at their ends only (`printf`, `fprintf`), and
/// each entry has a record of its own beside the name.
const SHARED: u64 = 16;

/// The names of one file.
pub(super) struct Names<'n> {
    file: &'n str,
    left: Cell<u64>,
}

impl<'n> Names<'n> {
    /// For a file of this many bytes.
    pub(super) fn new(file: &'n str, size: usize) -> Self {
        Self {
            file,
            left: Cell::new((size as u64).saturating_mul(SHARED)),
        }
    }

    /// The name as text.
    pub(super) fn text<'a>(&self, name: &'a [u8], place: &str) -> Result<&'a str, ReadError> {
        self.count(name, place)?;
        std::str::from_utf8(name)
            .map_err(|_| ReadError::malformed(self.file, "a name is not UTF-8", place))
    }

    /// Counts the name and the record that refers to it.
    pub(super) fn count(&self, name: &[u8], place: &str) -> Result<(), ReadError> {
        let left = self.left.get().checked_sub(name.len() as u64 + 1);
        let left = left.ok_or_else(|| {
            ReadError::malformed(
                self.file,
                "its names are together longer than the file can honestly make them",
                place,
            )
        })?;
        self.left.set(left);
        Ok(())
    }
}
