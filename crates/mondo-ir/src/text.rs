//! Strings as the C API passes them.

use std::ffi::c_char;
use std::marker::PhantomData;

use mondo_sys::MlirStringRef;

use crate::c_type::CType;
use crate::callback::bytes;
use crate::source::Source;

/// A string that somebody else owns, for `'a`; not always UTF-8, and not always ended by a NUL.
///
/// It has the layout of `MlirStringRef`, for which it stands in declarations.
///
/// ```
/// # use mondo_ir::Context;
/// Context::new().enter(|ctx, _| {
///     let text = ctx.i32().dialect();
///     assert_eq!(text.to_text(), "builtin");
///     assert_eq!(text.bytes(), b"builtin");
/// });
/// ```
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    data: *const c_char,
    length: usize,
    owner: PhantomData<&'a [u8]>,
}

impl<'a> Text<'a> {
    /// The bytes.
    #[inline]
    pub fn bytes(self) -> &'a [u8] {
        // SAFETY: the string was made of a slice that lives for `'a`, or by a row of the table, whose
        // owner does.
        unsafe { bytes(self.raw()) }
    }

    /// The text; where it is not UTF-8, the replacement character stands.
    pub fn to_text(self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }

    fn raw(self) -> MlirStringRef {
        MlirStringRef {
            data: self.data,
            length: self.length,
        }
    }
}

/// A copy of a text with a NUL behind it. MLIR's lexer reads that byte, though the C API takes a length, to find
/// that a text has ended. A copy of bytecode is aligned, as MLIR measures the alignment of sections by their addresses.
///
/// ```
/// # use mondo_ir::{Context, Terminated};
/// Context::new().enter(|ctx, _| {
///     let text = Terminated::new("i32");
///     assert_eq!(text.bytes(), b"i32");
///     assert_eq!(ctx.type_of_text(&text), Some(ctx.i32().any()));
///     assert_eq!(ctx.attribute_of_text(&Terminated::new("unit")), Some(ctx.unit().any()));
/// });
/// ```
#[derive(Debug)]
pub struct Terminated(Source);

impl Terminated {
    /// A copy of a text, or of bytecode.
    pub fn new(text: &(impl AsRef<[u8]> + ?Sized)) -> Self {
        Self(Source::of(text.as_ref()))
    }

    /// The text without the NUL.
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }
}

impl<'a> From<&'a Terminated> for Text<'a> {
    #[inline]
    fn from(text: &'a Terminated) -> Self {
        text.bytes().into()
    }
}

impl<'a> From<&'a [u8]> for Text<'a> {
    #[inline]
    fn from(text: &'a [u8]) -> Self {
        Self {
            data: text.as_ptr().cast(),
            length: text.len(),
            owner: PhantomData,
        }
    }
}

impl<'a> From<&'a str> for Text<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        text.as_bytes().into()
    }
}

impl CType for Text<'_> {
    type Raw = MlirStringRef;

    fn name() -> String {
        "MlirStringRef".to_owned()
    }

    #[inline]
    fn to_raw(self) -> MlirStringRef {
        self.raw()
    }

    #[inline]
    unsafe fn of_raw(raw: MlirStringRef) -> Self {
        Self {
            data: raw.data,
            length: raw.length,
            owner: PhantomData,
        }
    }
}
