//! Text that MLIR returns.

use mondo_sys::MlirStringRef;

/// The bytes behind a string that MLIR returned.
///
/// # Safety
///
/// `text` points to `length` bytes that stay unchanged for the lifetime that the caller picks.
pub(crate) unsafe fn bytes<'a>(text: MlirStringRef) -> &'a [u8] {
    if text.data.is_null() || text.length == 0 {
        return &[];
    }
    // SAFETY: the caller vouches for the pointer, which is not null here.
    unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) }
}

/// A copy of a string that MLIR returned; bytes that are not UTF-8 become U+FFFD.
///
/// # Safety
///
/// `text` points to `length` bytes that stay unchanged during the call.
pub(crate) unsafe fn to_string(text: MlirStringRef) -> String {
    // SAFETY: the slice is used only within this call.
    String::from_utf8_lossy(unsafe { bytes(text) }).into_owned()
}
