//! Closures that C++ calls through C callbacks: a panic in one is caught, so that it does not
//! unwind into C++.

use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mondo_sys::{MlirStringCallback, MlirStringRef};

use crate::error::{Error, ErrorKind, Result};

/// Runs `work`; a panic becomes an error with the panic's message.
pub(crate) fn caught<R>(work: impl FnOnce() -> R) -> Result<R> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let message = message_of(&*payload);
        discard(payload);
        Error::new(
            ErrorKind::Panicked,
            format!("a closure panicked: {message}"),
        )
    })
}

/// Drops a panic's payload, which may panic in turn.
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload)))
        && !again.is::<&str>()
        && !again.is::<String>()
    {
        std::mem::forget(again);
    }
}

fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "(no message)".to_owned())
}

/// The bytes of a string of MLIR's.
///
/// # Safety
///
/// The string is live for `'a`.
pub(crate) unsafe fn bytes<'a>(text: MlirStringRef) -> &'a [u8] {
    if text.length == 0 {
        return &[];
    }
    // SAFETY: MLIR's strings have as many bytes as they say, and the caller vouches for the lifetime.
    unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) }
}

/// The string as MLIR takes it, for the length of a call.
pub(crate) fn string_ref(text: &(impl AsRef<[u8]> + ?Sized)) -> MlirStringRef {
    let text = text.as_ref();
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// A closure that receives chunks, and what went wrong in it.
struct Sink<F> {
    receive: F,
    failed: Option<Error>,
}

/// # Safety
///
/// `data` is a `Sink<F>` that nothing else uses meanwhile, and `chunk` is live.
unsafe extern "C" fn receive<F: FnMut(&[u8])>(chunk: MlirStringRef, data: *mut c_void) {
    // SAFETY: `chunks` gives its own sink, which it does not touch during the call.
    let sink = unsafe { &mut *data.cast::<Sink<F>>() };
    if sink.failed.is_none() {
        // SAFETY: MLIR keeps the chunk alive until this callback returns.
        let chunk = unsafe { bytes(chunk) };
        sink.failed = caught(|| (sink.receive)(chunk)).err();
    }
}

/// Calls `print` with a callback that hands each chunk to the closure. After a panic the closure is not
/// called again.
pub(crate) fn chunks<F: FnMut(&[u8]), R>(
    closure: F,
    print: impl FnOnce(MlirStringCallback, *mut c_void) -> R,
) -> Result<R> {
    let mut sink = Sink {
        receive: closure,
        failed: None,
    };
    let result = print(Some(receive::<F>), (&raw mut sink).cast());
    sink.failed.map_or(Ok(result), Err)
}

/// Appends a chunk of text. It stands apart from [`receive`], because it cannot panic, and MLIR calls it for
/// every word that it prints.
///
/// # Safety
///
/// `data` is a `Vec<u8>` that nothing else uses meanwhile, and `chunk` is live.
unsafe extern "C" fn append(chunk: MlirStringRef, data: *mut c_void) {
    // SAFETY: `text` gives its own vector, which it does not touch during the call.
    let all = unsafe { &mut *data.cast::<Vec<u8>>() };
    // SAFETY: MLIR keeps the chunk alive until this callback returns.
    all.extend_from_slice(unsafe { bytes(chunk) });
}

/// The text that `print` prints.
pub(crate) fn text<R>(print: impl FnOnce(MlirStringCallback, *mut c_void) -> R) -> (String, R) {
    let mut all = Vec::<u8>::new();
    let result = print(Some(append), (&raw mut all).cast());
    let text = String::from_utf8(all)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    (text, result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(callback: MlirStringCallback, data: *mut c_void) {
        for chunk in ["one", " ", "two"] {
            // SAFETY: both are of the function under test.
            unsafe { callback.expect("a callback")(string_ref(chunk), data) };
        }
    }

    #[test]
    fn chunks_are_joined() {
        assert_eq!(text(printed).0, "one two");
    }

    #[test]
    fn a_panic_is_an_error_and_ends_the_calls() {
        let mut calls = 0;
        let error = chunks(
            |_| {
                calls += 1;
                panic!("no more");
            },
            printed,
        )
        .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Panicked);
        assert_eq!(error.message(), "a closure panicked: no more");
        assert_eq!(calls, 1);
    }

    #[test]
    fn a_payload_that_panics_on_drop_is_kept() {
        struct Worse;
        impl Drop for Worse {
            fn drop(&mut self) {
                panic!("again");
            }
        }
        let error = caught(|| std::panic::panic_any(Worse)).unwrap_err();
        assert_eq!(error.message(), "a closure panicked: (no message)");
    }

    #[test]
    fn an_empty_string_may_be_null() {
        let empty = MlirStringRef {
            data: std::ptr::null(),
            length: 0,
        };
        // SAFETY: nothing is read of an empty string.
        assert_eq!(unsafe { bytes(empty) }, b"");
    }
}
