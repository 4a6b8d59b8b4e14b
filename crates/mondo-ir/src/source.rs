//! Text and bytecode as MLIR's readers need it in memory.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::marker::PhantomData;
use std::ptr::NonNull;

use mondo_bytecode::{Contents, is_bytecode};
use mondo_sys::MondoBytecodeName;

use crate::callback::string_ref;
use crate::error::{Error, ErrorKind, Result};

/// The alignment that MLIR gives sections of bytecode, at most, in files that it writes itself.
const ALIGNMENT: usize = 4096;

/// A copy of an input that is aligned, and has a NUL behind its end, where MLIR's lexer looks.
///
/// ```
/// # use mondo_ir::Source;
/// let source = Source::bytecode(b"ML\xefR\x0d");
/// assert_eq!(source.bytes().as_ptr().addr() % 4096, 0);
/// ```
#[derive(Debug)]
pub struct Source {
    start: NonNull<u8>,
    layout: Layout,
    length: usize,
}

impl Source {
    /// Text, which needs no alignment.
    ///
    /// ```
    /// # use mondo_ir::Source;
    /// assert!(Source::text("i32").is_ok());
    /// // MLIR's parser recurses as deep as the brackets nest.
    /// assert!(Source::text(&"[".repeat(10_000)).is_err());
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Parse` if the text nests deeper than MLIR's parser can follow.
    pub fn text(text: &str) -> Result<Self> {
        mondo_bytecode::check_text(text.as_bytes()).map_err(|error| {
            let message = format!("the text cannot be parsed: {error}");
            Error::new(ErrorKind::Parse, message)
        })?;
        Ok(Self::aligned(text.as_bytes(), 1))
    }

    /// Bytecode's sections are aligned in memory if its first byte is.
    pub fn bytecode(bytes: &[u8]) -> Self {
        Self::aligned(bytes, ALIGNMENT)
    }

    /// A copy of either, without a check.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let alignment = if is_bytecode(bytes) { ALIGNMENT } else { 1 };
        Self::aligned(bytes, alignment)
    }

    fn aligned(bytes: &[u8], alignment: usize) -> Self {
        let length = bytes.len();
        let layout =
            Layout::from_size_align(length + 1, alignment).expect("an input fits in memory");
        // SAFETY: the layout's size is not zero; the new memory has a byte more than the input, and
        // does not overlap it.
        unsafe {
            let start = NonNull::new(alloc(layout)).unwrap_or_else(|| handle_alloc_error(layout));
            start
                .as_ptr()
                .copy_from_nonoverlapping(bytes.as_ptr(), length);
            start.as_ptr().add(length).write(0);
            Self {
                start,
                layout,
                length,
            }
        }
    }

    /// The input, without the NUL.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: `aligned` has written so many bytes, which live as long as this.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        // SAFETY: the memory is of this layout, and ours alone.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

/// The names in the dictionaries of bytecode, as the shim takes them.
///
/// ```
/// # use mondo_ir::DictionaryNames;
/// assert!(DictionaryNames::of(&mondo_bytecode::Contents::default()).is_empty());
/// ```
#[derive(Debug)]
pub struct DictionaryNames<'a> {
    names: Vec<MondoBytecodeName>,
    lives: PhantomData<&'a [u8]>,
}

impl<'a> DictionaryNames<'a> {
    /// The names in a file that was checked.
    pub fn of(contents: &Contents<'a>) -> Self {
        let name = |it: &mondo_bytecode::Name<'a>| MondoBytecodeName {
            operation: it.operation as isize,
            name: string_ref(it.name),
        };
        Self {
            names: contents.names.iter().map(name).collect(),
            lives: PhantomData,
        }
    }

    /// Returns true if no operation has a dictionary.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Their number.
    pub fn count(&self) -> isize {
        self.names.len() as isize
    }

    /// The first of them, for as long as `self`.
    pub fn first(&self) -> *const MondoBytecodeName {
        self.names.as_ptr()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_ends_with_a_nul_and_is_aligned() {
        for bytes in [b"".as_slice(), b"ML", &[7; 5000]] {
            let source = Source::bytecode(bytes);
            assert_eq!(source.bytes(), bytes);
            assert_eq!(source.start.as_ptr().addr() % ALIGNMENT, 0);
            // SAFETY: one byte more than the input was written.
            assert_eq!(unsafe { *source.start.as_ptr().add(bytes.len()) }, 0);
        }
    }
}
