//! Names, and how many bytes of them an image may hold.
//!
//! Tables refer to names by offset, so that in a crafted file a million entries can share one name of a megabyte.
//! Therefore names are counted, and reading stops once their total length exceeds that in any honest file of the same
//! size.

use std::cell::Cell;

use super::error::ReadError;

/// The factor by which all names may exceed the file's size. In honest files string tables share only suffixes of
/// names (`printf`, `fprintf`), and each entry also has a record of its own.
const SHARED: u64 = 16;

/// The cost of an entry besides its name. It limits the number of entries to half the number of the file's bytes; the
/// shortest honest record, a 32-bit pointer of PE, has four bytes.
const RECORD: u64 = 32;

/// Budget of a small file.
const LEAST: u64 = 4096;

/// The names of one file.
pub(super) struct Names<'n> {
    file: &'n str,
    left: Cell<u64>,
}

impl<'n> Names<'n> {
    /// The budget for a file of this many bytes.
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
