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

/// Bytes for each record, in the file and in its wheel. The shortest honest record, a 32-bit pointer of PE, has four
/// bytes; a deflated symbol with its name has more than ten.
const RECORD: u64 = 2;

/// The factor by which all names may exceed the packed size of a wheel's entry. Import libraries, the most repetitive
/// honest files, deflate to a fifteenth.
const DEFLATED: u64 = 64;

/// The budget of a small file: bytes of names, and records.
const LEAST: (u64, u64) = (4096, 128);

/// The budget of names and records for a file, or its share for one part of the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameBudget {
    /// Bytes of all names.
    names: u64,
    records: u64,
}

impl NameBudget {
    /// The budget of a file of `size` bytes.
    pub(crate) fn for_file(size: usize) -> Self {
        let size = size as u64;
        Self {
            names: size.saturating_mul(SHARED).max(LEAST.0),
            records: (size / RECORD).max(LEAST.1),
        }
    }

    /// The budget of an entry of a wheel that takes `packed` bytes and unpacks to `size`.
    pub(crate) fn for_entry(size: usize, packed: usize) -> Self {
        let Self { names, records } = Self::for_file(size);
        let packed = packed as u64;
        Self {
            names: names.min(packed.saturating_mul(DEFLATED).max(LEAST.0)),
            records: records.min((packed / RECORD).max(LEAST.1)),
        }
    }

    /// The share of a part of `size` bytes in a file of `whole` bytes.
    pub(crate) fn share(self, size: usize, whole: usize) -> Self {
        if size >= whole {
            return self;
        }
        let share = |of: u64| {
            let share = u128::from(of) * size as u128 / whole as u128;
            u64::try_from(share).unwrap_or(of)
        };
        Self {
            names: share(self.names),
            records: share(self.records),
        }
    }
}

/// The names and records of one file.
pub(super) struct Names<'n> {
    file: &'n str,
    left: Cell<NameBudget>,
}

impl<'n> Names<'n> {
    /// Nothing counted yet.
    pub(super) fn new(file: &'n str, budget: NameBudget) -> Self {
        Self {
            file,
            left: Cell::new(budget),
        }
    }

    /// The capacity for a table that claims to have `entries` entries.
    pub(super) fn capacity(&self, entries: usize) -> usize {
        let most = usize::try_from(self.left.get().records);
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
        let left = self.left.get();
        let fail = |what: &str| ReadError::malformed(self.file, what, place);
        let names = left.names.checked_sub(name.len() as u64).ok_or_else(|| {
            fail("its names are together longer than the file can honestly make them")
        })?;
        let records = left
            .records
            .checked_sub(1)
            .ok_or_else(|| fail("it has more records than the file can honestly hold"))?;
        self.left.set(NameBudget { names, records });
        Ok(())
    }
}

/// The start of a name, for a sentence. A crafted name can be as long as its file.
pub(super) fn shown(name: &[u8]) -> String {
    const LONGEST: usize = 256;
    let mut text = String::from_utf8_lossy(&name[..name.len().min(LONGEST)]).into_owned();
    if name.len() > LONGEST {
        text.push('…');
    }
    text
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
            error.to_string().contains("more records than the file"),
            "{error}"
        );
    }
}
