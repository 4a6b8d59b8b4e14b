//! Names, and how many bytes of them an image may hold.
//!
//! Tables refer to names by offset, so that in a crafted file a million entries can share one name of a megabyte.
//! Therefore names are counted, and reading stops once their total length exceeds that in any honest file of the same
//! size. For an entry of a wheel, that is the packed size, since a million equal records deflate to almost nothing.

use std::cell::Cell;

use super::error::ReadError;

/// The factor by which all names may exceed the file's size. In honest files string tables share only suffixes of
/// names (`printf`, `fprintf`), and each entry also has a record of its own.
const SHARED: u64 = 16;

/// The cost of an entry besides its name. It limits the number of entries to half the number of the file's bytes; the
/// shortest honest record, a 32-bit pointer of PE, has four bytes.
const RECORD: u64 = 32;

/// The factor by which all names may exceed the packed size of a wheel's entry. Import libraries, the most repetitive
/// honest files, deflate to a fifteenth.
const DEFLATED: u64 = 64;

/// Budget of a small file.
const LEAST: u64 = 4096;

/// The budget of names for a file, or its share for one part of the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameBudget(u64);

impl NameBudget {
    /// The budget of a file of `size` bytes.
    pub(crate) fn for_file(size: usize) -> Self {
        Self((size as u64).saturating_mul(SHARED).max(LEAST))
    }

    /// The budget of an entry of a wheel that takes `packed` bytes and unpacks to `size`.
    pub(crate) fn for_entry(size: usize, packed: usize) -> Self {
        let Self(most) = Self::for_file(size);
        Self(most.min((packed as u64).saturating_mul(DEFLATED).max(LEAST)))
    }

    /// The share of a part of `size` bytes in a file of `whole` bytes.
    pub(crate) fn share(self, size: usize, whole: usize) -> Self {
        if size >= whole {
            return self;
        }
        let share = u128::from(self.0) * size as u128 / whole as u128;
        Self(u64::try_from(share).unwrap_or(self.0))
    }
}

/// The names of one file.
pub(super) struct Names<'n> {
    file: &'n str,
    left: Cell<u64>,
}

impl<'n> Names<'n> {
    /// Nothing counted yet.
    pub(super) fn new(file: &'n str, budget: NameBudget) -> Self {
        Self {
            file,
            left: Cell::new(budget.0),
        }
    }

    /// The capacity for a table that claims to have `entries` entries.
    pub(super) fn capacity(&self, entries: usize) -> usize {
        let most = usize::try_from(self.left.get() / RECORD);
        entries.min(most.unwrap_or(usize::MAX))
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
        let names = Names::new("x", NameBudget::for_file(1000));
        let counted = (0..1000).take_while(|_| names.count(b"", "a table").is_ok());
        assert_eq!(counted.count(), 500);
        let error = names.count(b"", "a table").expect_err("too many");
        assert!(
            error.to_string().contains("longer than the file"),
            "{error}"
        );
    }
}
