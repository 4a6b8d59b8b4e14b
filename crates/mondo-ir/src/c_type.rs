//! The trait `CType`: it ties a Rust type that declarations use to the type of the C API's headers,
//! and of mondo-sys, that it stands for.

/// A type that stands for one of the C API's headers, and is passed like it.
#[allow(
    dead_code,
    reason = "a test compares the names; functions that an older LLVM lacks need the conversions"
)]
pub(crate) trait CType {
    /// The type in mondo-sys.
    type Raw;
    /// Its spelling in the headers, `const` left out.
    fn name() -> String;
    /// The value in the form that mondo-sys declares.
    fn to_raw(self) -> Self::Raw;
    /// # Safety
    ///
    /// The thing is live for the brand in `Self`, and of the kind that it names.
    unsafe fn of_raw(raw: Self::Raw) -> Self;
}
