//! Text across the C API: borrowed strings in, printed text out.

use std::ffi::c_void;

use mondo_sys::{MlirStringCallback, MlirStringRef};

/// `text` as the C API takes it. The result must not outlive `text`.
pub(crate) fn string_ref(text: &(impl AsRef<[u8]> + ?Sized)) -> MlirStringRef {
    let bytes = text.as_ref();
    MlirStringRef {
        data: bytes.as_ptr().cast(),
        length: bytes.len(),
    }
}

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

/// The text that a printing function of the C API prints. `print` is called once, with the two
/// arguments that such functions take last.
pub(crate) fn collect_bytes(print: impl FnOnce(MlirStringCallback, *mut c_void)) -> Vec<u8> {
    unsafe extern "C" fn append(part: MlirStringRef, out: *mut c_void) {
        // SAFETY: `out` is the vector below, which nothing else touches while `print` runs.
        let out = unsafe { &mut *out.cast::<Vec<u8>>() };
        // SAFETY: MLIR keeps the text it passes to the callback until the callback returns.
        out.extend_from_slice(unsafe { bytes(part) });
    }
    let mut out = Vec::new();
    print(Some(append), (&raw mut out).cast());
    out
}

/// Like [`collect_bytes`], as text.
pub(crate) fn collect(print: impl FnOnce(MlirStringCallback, *mut c_void)) -> String {
    match String::from_utf8(collect_bytes(print)) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }
}
