//! Handlers of diagnostics that stay with a context.

use std::ffi::c_void;
use std::sync::Arc;

use mondo_sys::{
    MlirContext, MlirDiagnostic, MlirDiagnosticHandlerID, MlirLogicalResult,
    mlirContextAttachDiagnosticHandler, mlirContextDetachDiagnosticHandler,
};

use crate::callback::caught;
use crate::emitted_diagnostic::Emitted;
use crate::uniquer::Uniquer;

/// A handler of diagnostics.
pub trait Listener: Send + Sync + 'static {
    /// Called with a diagnostic, under MLIR's lock; returns whether it dealt with it. Any thread may emit one.
    fn hear(&self, diagnostic: Emitted<'_>) -> bool;

    /// Called when MLIR is done with the handler: it was detached, or its context ended.
    fn released(&self);
}

/// The number of a listener in its context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListenerId(MlirDiagnosticHandlerID);

/// # Safety
///
/// `data` is an `Arc<L>` that `listen` gave away and `release` has not yet taken back, and the diagnostic is live.
unsafe extern "C" fn hear<L: Listener>(
    diagnostic: MlirDiagnostic,
    data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: the caller upholds this function's contract. The listener is
    // kept alive for this call in case it detaches itself.
    let (listener, diagnostic) = unsafe {
        Arc::increment_strong_count(data.cast::<L>());
        let listener = Arc::from_raw(data.cast::<L>());
        (listener, Emitted::from_raw(diagnostic))
    };
    let handled = caught(|| listener.hear(diagnostic)).unwrap_or(false);
    MlirLogicalResult {
        value: i8::from(handled),
    }
}

/// # Safety
///
/// `data` is as for `hear`, and MLIR calls this once.
unsafe extern "C" fn release<L: Listener>(data: *mut c_void) {
    // SAFETY: `data` is the listener's reference that `listen` gave to MLIR, which calls this once, at the
    // end of the handler.
    let listener = unsafe { Arc::from_raw(data.cast::<L>()) };
    // A panic ends here.
    let _ = caught(|| listener.released());
}

/// A function that looks at errors.
type Heard<'a> = &'a mut (dyn FnMut(Emitted<'_>) + Send);

/// # Safety
///
/// `data` is a `Heard`, which nothing else uses, and the diagnostic is live.
unsafe extern "C" fn hear_error(
    diagnostic: MlirDiagnostic,
    data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: the caller upholds this function's contract. MLIR calls its
    // handlers one at a time, under the lock of its diagnostic engine.
    let (heard, diagnostic) = unsafe {
        (
            &mut *data.cast::<Heard<'_>>(),
            Emitted::from_raw(diagnostic),
        )
    };
    let is_error = diagnostic.is_error();
    if is_error {
        // A panic ends here.
        let _ = caught(|| heard(diagnostic));
    }
    MlirLogicalResult {
        value: i8::from(is_error),
    }
}

/// Detaches a handler, also if the call unwinds.
struct Attached(MlirContext, MlirDiagnosticHandlerID);

impl Drop for Attached {
    fn drop(&mut self) {
        // SAFETY: `errors_while` has the context and attached the handler.
        unsafe { mlirContextDetachDiagnosticHandler(self.0, self.1) };
    }
}

impl Uniquer<'_> {
    /// Attaches a listener, which the context keeps until it is dismissed or the context ends.
    ///
    /// # Safety
    ///
    /// No handler of the context is at work: MLIR goes through its handlers meanwhile.
    pub unsafe fn listen<L: Listener>(self, listener: &Arc<L>) -> ListenerId {
        let data = Arc::into_raw(Arc::clone(listener)).cast_mut().cast();
        let (hear, release) = (Some(hear::<L> as _), Some(release::<L> as _));
        // SAFETY: the context is live; MLIR gives `data` back to `release` exactly once.
        ListenerId(unsafe { mlirContextAttachDiagnosticHandler(self.raw(), hear, data, release) })
    }

    /// Detaches a listener of this context; nothing happens if there is none of that number.
    ///
    /// # Safety
    ///
    /// As for `listen`.
    pub unsafe fn dismiss(self, listener: ListenerId) {
        // SAFETY: the context is live, by its brand; that none of its handlers is at work is this
        // function's contract.
        unsafe { mlirContextDetachDiagnosticHandler(self.raw(), listener.0) };
    }

    /// Runs `call`, and hands the errors that it emits to `heard`, and to no other handler.
    ///
    /// # Safety
    ///
    /// As for `listen`, before `call` and after it.
    pub unsafe fn errors_while<T>(self, mut heard: Heard<'_>, call: impl FnOnce() -> T) -> T {
        let data = (&raw mut heard).cast();
        // SAFETY: the context is live, and `heard` outlives the handler, which `Attached` detaches.
        let id =
            unsafe { mlirContextAttachDiagnosticHandler(self.raw(), Some(hear_error), data, None) };
        let attached = Attached(self.raw(), id);
        let result = call();
        drop(attached);
        result
    }
}
