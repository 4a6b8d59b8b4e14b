//! Names, and how many bytes of them an image may hold.
//!
//! Tables refer to names by offset, so that a crafted file can make a million entries share one name
//! of a megabyte. Names are therefore counted: once they are together longer than any honest file
//! of that size makes them, reading stops.

use std::cell::Cell;

use super::error::ReadError;

/// Honest string tables are shared between entries at their ends only (`printf`, `fprintf`), and
/// each entry has a record of its own beside the name.
const SHARED: u64 = 16;

/// Cost of an entry in addition to its name, so that there are at most half as many entries as bytes;
/// the shortest honest record, a pointer of PE with 32 bits, has four.
const RECORD: u64 = 32;

/// Budget of a small file.
const LEAST: u64 = 4096;

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
            left: Cell::new((size as u64).saturating_mul(SHARED).max(LEAST)),
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
        let left = self.left.get().checked_sub(name.len() as u64 + RECORD);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_count_even_if_their_names_are_empty() {
        let names = Names::new("x", 1000);
        let counted = (0..1000).take_while(|_| names.count(b"", "a table").is_ok());
        assert_eq!(counted.count(), 500);
        let error = names.count(b"", "a table").expect_err("too many");
        assert!(
            error.to_string().contains("longer than the file"),
            "{error}"
        );
    }
}
