//! The handlers of diagnostics that are attached to contexts, and copies of diagnostics.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use mondo_ir::{Emitted, Location};
use mondo_sys::{
    MlirContext, MlirDiagnostic, MlirDiagnosticError, MlirDiagnosticHandlerID, MlirLogicalResult,
    mlirContextAttachDiagnosticHandler, mlirContextDetachDiagnosticHandler,
};
use pyo3::prelude::*;

use crate::ownership::context::{Context, Entered};

/// A copy of a diagnostic that needs no Python, for handlers that run without the interpreter.
pub(crate) struct Record {
    pub(crate) severity: u32,
    location: RecordedLocation,
    pub(crate) message: String,
    pub(crate) notes: Vec<Record>,
}

/// The address of a location.
struct RecordedLocation(mondo_sys::MlirLocation);

// SAFETY: a location is immutable and lives as long as its context.
unsafe impl Send for RecordedLocation {}

impl Record {
    /// A copy of a diagnostic with its notes.
    pub(crate) fn copy(diagnostic: Emitted<'_>) -> Self {
        let notes = (0..diagnostic.note_count()).filter_map(|index| diagnostic.note(index));
        Self {
            severity: diagnostic.severity(),
            location: RecordedLocation(diagnostic.location().raw()),
            message: diagnostic.message(),
            notes: notes.map(Self::copy).collect(),
        }
    }

    /// The location, in the context that the diagnostic was emitted on.
    pub(crate) fn location<'ctx>(&self, ctx: Entered<'_, 'ctx>) -> Location<'ctx> {
        // SAFETY: a record is made where a diagnostic of a context is heard, and used with that context.
        unsafe { Location::from_raw(self.location.0) }.unwrap_or_else(|| ctx.unknown())
    }
}

/// A diagnostic, as long as its handler looks at it.
#[derive(Clone)]
pub(crate) struct Current(Arc<AtomicPtr<c_void>>);

impl Current {
    /// Runs `look` with the diagnostic; none once its handler has returned. `look` does not end the handler.
    pub(crate) fn read<R>(&self, look: impl for<'ctx> FnOnce(Emitted<'ctx>) -> R) -> Option<R> {
        let ptr = self.0.load(Ordering::Acquire);
        if ptr.is_null() {
            return None;
        }
        // SAFETY: MLIR keeps the diagnostic until the handler returns, which takes the pointer away before.
        Some(look(unsafe { Emitted::from_raw(MlirDiagnostic { ptr }) }))
    }

    /// The same in the context that the diagnostic was emitted on.
    pub(crate) fn with<R>(
        &self,
        py: Python<'_>,
        context: &Py<Context>,
        look: impl for<'ctx> FnOnce(Entered<'_, 'ctx>, Emitted<'ctx>) -> PyResult<R>,
    ) -> PyResult<Option<R>> {
        let ptr = self.0.load(Ordering::Acquire);
        if ptr.is_null() {
            return Ok(None);
        }
        Context::enter(py, context, |ctx| {
            // SAFETY: as above; the diagnostic is of this context.
            look(ctx, unsafe { Emitted::from_raw(MlirDiagnostic { ptr }) }).map(Some)
        })
    }

    /// Ends it for everybody who has it.
    pub(crate) fn end(&self) {
        self.0.store(ptr::null_mut(), Ordering::Release);
    }

    /// Returns whether its handler still looks at it.
    pub(crate) fn is_live(&self) -> bool {
        !self.0.load(Ordering::Acquire).is_null()
    }
}

/// A handler of diagnostics.
pub(crate) trait Listener: Send + Sync + 'static {
    /// Called with a diagnostic; returns whether it dealt with it. Any thread may emit one.
    fn hear(&self, diagnostic: &Current) -> bool;

    /// Called when MLIR is done with the handler: it was detached, or its context ended.
    fn released(&self);
}

/// Attaches a handler to a context.
pub(crate) fn attach<L: Listener>(
    py: Python<'_>,
    context: &Context,
    listener: &Arc<L>,
) -> PyResult<Handler> {
    let ptr = context.get_outside_handlers(py)?.as_ptr();
    let raw = MlirContext { ptr };
    let data = Arc::into_raw(Arc::clone(listener)).cast_mut().cast();
    // SAFETY: the context is live; MLIR gives `data` back to `release` exactly once, when the handler is detached
    // or the context ends.
    let id = unsafe {
        mlirContextAttachDiagnosticHandler(raw, Some(handle::<L>), data, Some(release::<L>))
    };
    let context = raw.ptr as usize;
    Ok(Handler { id, context })
}

/// A handler that was attached.
pub(crate) struct Handler {
    id: MlirDiagnosticHandlerID,
    /// The address of its context.
    context: usize,
}

impl Handler {
    /// Takes it off its context; does nothing with another one.
    pub(crate) fn detach(self, py: Python<'_>, context: &Context) -> PyResult<()> {
        let ptr = context.get_outside_handlers(py)?.as_ptr();
        let raw = MlirContext { ptr };
        if raw.ptr as usize == self.context {
            // SAFETY: the context is live, and the handler, which this is the only name of, is still attached.
            unsafe { mlirContextDetachDiagnosticHandler(raw, self.id) };
        }
        Ok(())
    }
}

/// The function that MLIR calls with a diagnostic.
unsafe extern "C" fn handle<L: Listener>(
    diagnostic: MlirDiagnostic,
    data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: `data` is the listener that `attach` leaked and `release` has not yet taken back. It is kept alive
    // for this call in case it detaches itself.
    let listener = unsafe {
        Arc::increment_strong_count(data.cast::<L>());
        Arc::from_raw(data.cast::<L>())
    };
    let current = Current(Arc::new(AtomicPtr::new(diagnostic.ptr)));
    let handled = catch_unwind(AssertUnwindSafe(|| listener.hear(&current)));
    current.end();
    MlirLogicalResult {
        value: i8::from(handled.unwrap_or(false)),
    }
}

/// The function that MLIR calls when it is done with a handler.
unsafe extern "C" fn release<L: Listener>(data: *mut c_void) {
    // SAFETY: `data` is the listener that `attach` leaked; MLIR calls this once.
    let listener = unsafe { Arc::from_raw(data.cast::<L>()) };
    listener.released();
}

/// Runs `call`, and copies the errors that it emits on the context. `call` emits diagnostics on no other one.
pub(crate) fn errors_of<T>(
    py: Python<'_>,
    context: &Context,
    call: impl FnOnce() -> T,
) -> PyResult<(T, Vec<Record>)> {
    let ptr = context.get_outside_handlers(py)?.as_ptr();
    let raw = MlirContext { ptr };
    let mut records: Vec<Record> = Vec::new();
    let data = (&raw mut records).cast();
    // SAFETY: the context is live, and the vector lives until the handler is detached below.
    let id = unsafe { mlirContextAttachDiagnosticHandler(raw, Some(catch), data, None) };
    let result = call();
    // SAFETY: the handler was attached above and is still there.
    unsafe { mlirContextDetachDiagnosticHandler(raw, id) };
    Ok((result, records))
}

/// The diagnostic handler behind [`errors_of`].
unsafe extern "C" fn catch(diagnostic: MlirDiagnostic, data: *mut c_void) -> MlirLogicalResult {
    // SAFETY: MLIR passes a live diagnostic.
    let diagnostic = unsafe { Emitted::from_raw(diagnostic) };
    if diagnostic.severity() != MlirDiagnosticError {
        return MlirLogicalResult { value: 0 };
    }
    // SAFETY: `data` is the vector of `errors_of`, and MLIR calls its handlers one at a time (under the diagnostic
    // engine's lock).
    unsafe { (*data.cast::<Vec<Record>>()).push(Record::copy(diagnostic)) };
    MlirLogicalResult { value: 1 }
}
