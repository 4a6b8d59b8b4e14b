//! Attaching handlers of diagnostics to contexts, and copies of diagnostics. The Python classes are in
//! `ir/diagnostics.rs`.

use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use mondo_ir::objects::{Listener, ListenerId};
use mondo_ir::{Emitted, Location, Sort, Uniquer};
use pyo3::prelude::*;

use crate::ownership::context::{Context, Entered};

/// A copy of a diagnostic without Python objects, for handlers that run in threads that are not attached to
/// the interpreter.
pub(crate) struct Record {
    pub(crate) severity: u32,
    location: RecordedLocation,
    pub(crate) message: String,
    pub(crate) notes: Vec<Record>,
}

/// The address of a location.
struct RecordedLocation(NonNull<c_void>);

// SAFETY: a location is immutable and lives as long as its context. `Record::location` is the only use of the
// address, and its callers pass the entered context.
unsafe impl Send for RecordedLocation {}

impl Record {
    /// A copy of a diagnostic with its notes.
    pub(crate) fn copy(diagnostic: Emitted<'_>) -> Self {
        let notes = (0..diagnostic.note_count()).filter_map(|index| diagnostic.note(index));
        Self {
            severity: diagnostic.severity(),
            location: RecordedLocation(Location::<'static>::address(diagnostic.location())),
            message: diagnostic.message(),
            notes: notes.map(Self::copy).collect(),
        }
    }

    /// The location, in the context that the diagnostic was emitted on.
    pub(crate) fn location<'ctx>(&self, _ctx: Entered<'_, 'ctx>) -> Location<'ctx> {
        // SAFETY: the location is of the context that the diagnostic was emitted on. A record is copied where
        // the context is known, in `errors_of` or in a handler, and its owner passes that context, which is
        // entered and therefore alive.
        unsafe { Location::<'static>::at(self.location.0) }
    }
}

/// A diagnostic during the call of its handler; null afterwards.
#[derive(Clone)]
pub(crate) struct Current(Arc<AtomicPtr<c_void>>);

impl Current {
    /// Runs `look` with the diagnostic; returns None once its handler has returned.
    pub(crate) fn read<R>(&self, look: impl for<'ctx> FnOnce(Emitted<'ctx>) -> R) -> Option<R> {
        let address = NonNull::new(self.0.load(Ordering::Acquire))?;
        // SAFETY: MLIR keeps the diagnostic until the handler returns, and `Ends` sets the pointer to null
        // before that.
        Some(look(unsafe { Emitted::at(address) }))
    }

    /// Runs `look` as [`Self::read`] does, in the context that the diagnostic was emitted on.
    pub(crate) fn with<R>(
        &self,
        py: Python<'_>,
        context: &Py<Context>,
        look: impl for<'ctx> FnOnce(Entered<'_, 'ctx>, Emitted<'ctx>) -> PyResult<R>,
    ) -> PyResult<Option<R>> {
        let Some(address) = NonNull::new(self.0.load(Ordering::Acquire)) else {
            return Ok(None);
        };
        Context::enter(py, context, |ctx| {
            // SAFETY: MLIR keeps the diagnostic until the handler returns, and `Ends` sets the pointer to
            // null before that. The diagnostic was emitted on this context.
            look(ctx, unsafe { Emitted::at(address) }).map(Some)
        })
    }

    /// Invalidates the diagnostic for all clones of this.
    pub(crate) fn end(&self) {
        self.0.store(ptr::null_mut(), Ordering::Release);
    }

    /// Returns whether the handler has not returned yet.
    pub(crate) fn is_live(&self) -> bool {
        !self.0.load(Ordering::Acquire).is_null()
    }
}

/// A handler of diagnostics.
pub(crate) trait Hear: Send + Sync + 'static {
    /// Called with a diagnostic, in the thread that emitted it. Returns true if the diagnostic is handled, so
    /// that MLIR calls no other handler.
    fn hear(&self, diagnostic: &Current) -> bool;

    /// Called when MLIR has dropped the handler, because it was detached or its context was destroyed.
    fn released(&self);
}

/// A handler that invalidates each diagnostic when it returns.
struct Ending<H>(Arc<H>);

impl<H: Hear> Listener for Ending<H> {
    fn hear(&self, diagnostic: Emitted<'_>) -> bool {
        /// Invalidates the diagnostic on drop, so that this happens also if the handler unwinds.
        struct Ends(Current);
        impl Drop for Ends {
            fn drop(&mut self) {
                self.0.end();
            }
        }
        let current = Ends(Current(Arc::new(AtomicPtr::new(diagnostic.address()))));
        self.0.hear(&current.0)
    }

    fn released(&self) {
        self.0.released();
    }
}

/// Attaches a handler to a context.
pub(crate) fn attach<H: Hear>(
    py: Python<'_>,
    context: &Context,
    handler: &Arc<H>,
) -> PyResult<Handler> {
    let context = context.get_outside_handlers(py)?;
    let listener = Arc::new(Ending(Arc::clone(handler)));
    // SAFETY: the object keeps the context alive, and `get_outside_handlers` has found that none of its
    // handlers is at work.
    let id = unsafe { Uniquer::borrow(context, |ctx| ctx.listen(&listener)) };
    let context = context.as_ptr() as usize;
    Ok(Handler { id, context })
}

/// A handler that was attached.
pub(crate) struct Handler {
    id: ListenerId,
    /// The address of its context.
    context: usize,
}

impl Handler {
    /// Detaches the handler from its context; does nothing if `context` is another one.
    pub(crate) fn detach(self, py: Python<'_>, context: &Context) -> PyResult<()> {
        let context = context.get_outside_handlers(py)?;
        if context.as_ptr() as usize == self.context {
            // SAFETY: the object keeps the context alive, and `get_outside_handlers` has found that none of
            // its handlers is at work.
            unsafe { Uniquer::borrow(context, |ctx| ctx.dismiss(self.id)) };
        }
        Ok(())
    }
}

/// Runs `call`, and returns copies of the errors that it emits on the context. `call` must not emit
/// diagnostics on another context.
pub(crate) fn errors_of<T>(
    py: Python<'_>,
    context: &Context,
    call: impl FnOnce() -> T,
) -> PyResult<(T, Vec<Record>)> {
    let context = context.get_outside_handlers(py)?;
    let mut records: Vec<Record> = Vec::new();
    let mut keep = |diagnostic: Emitted<'_>| records.push(Record::copy(diagnostic));
    // SAFETY: the object keeps the context alive, and `get_outside_handlers` has found that none of its
    // handlers is at work, before `call` as after it.
    let result = unsafe { Uniquer::borrow(context, |ctx| ctx.errors_while(&mut keep, call)) };
    Ok((result, records))
}
