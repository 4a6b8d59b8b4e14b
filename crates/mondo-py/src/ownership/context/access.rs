//! The checks of which thread may use a context now: pass pipelines own it while they run, and diagnostic
//! handlers forbid changes.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, Ordering};

use mondo_ir::Location;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::Context;

/// The number of pass pipelines that are running, in all contexts.
static RUNNING: AtomicU64 = AtomicU64::new(0);

/// Returns whether a pass pipeline runs on any context. Otherwise callers save the check of their own
/// context.
#[inline]
pub(crate) fn any_is_running() -> bool {
    RUNNING.load(Ordering::Acquire) != 0
}

/// The number that the next thread gets.
static NEXT_THREAD: AtomicU64 = AtomicU64::new(1);

thread_local! {
    /// This thread's number, never 0.
    static THREAD: u64 = NEXT_THREAD.fetch_add(1, Ordering::Relaxed);
    /// The context whose pipeline called the Python pass or handler that this thread runs; null if there is
    /// none.
    static WORKS_FOR: Cell<*mut std::ffi::c_void> = const { Cell::new(ptr::null_mut()) };
}

impl Context {
    /// Runs `work`, which may emit diagnostics. Returns its result, and the exception that a handler passed
    /// to [`Self::raise`] meanwhile.
    pub(crate) fn hear<T>(&self, work: impl FnOnce() -> T) -> (T, Option<PyErr>) {
        self.raised.listeners.fetch_add(1, Ordering::AcqRel);
        let result = work();
        self.raised.listeners.fetch_sub(1, Ordering::AcqRel);
        (result, self.raised.first().take())
    }

    /// Stores an exception of a diagnostic handler, which [`Self::hear`] returns to its caller. Gives the
    /// exception back if no `hear` is under way.
    pub(crate) fn raise(&self, error: PyErr) -> Option<PyErr> {
        if self.raised.listeners.load(Ordering::Acquire) == 0 {
            return Some(error);
        }
        let mut first = self.raised.first();
        if first.is_some() {
            return Some(error);
        }
        *first = Some(error);
        None
    }

    /// Fails if another thread runs a pass pipeline on this context.
    #[inline]
    pub(crate) fn check_access(&self, _py: Python<'_>) -> PyResult<()> {
        match self.runner.load(Ordering::Acquire) {
            0 => Ok(()),
            runner => self.check_runner(runner),
        }
    }

    #[cold]
    fn check_runner(&self, runner: u64) -> PyResult<()> {
        if runner == THREAD.with(|number| *number) || WORKS_FOR.get() == self.raw.address().as_ptr()
        {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "another thread is running a pass pipeline on this context; wait for it, or use another \
             context",
        ))
    }

    /// Returns whether a pass pipeline runs.
    pub(crate) fn is_running(&self) -> bool {
        self.runner.load(Ordering::Acquire) != 0
    }

    /// Runs `work`, a pipeline, with this thread as the only one that may use the context. A pipeline that
    /// code of a running pipeline starts counts as a part of that one.
    ///
    /// The caller has called `check_access`, which succeeded.
    pub(crate) fn run_alone<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.is_running() {
            return work();
        }
        self.runner
            .store(THREAD.with(|number| *number), Ordering::Release);
        RUNNING.fetch_add(1, Ordering::AcqRel);
        let result = work();
        RUNNING.fetch_sub(1, Ordering::AcqRel);
        self.runner.store(0, Ordering::Release);
        result
    }

    /// Runs `work`, a Python pass, and allows the thread in which the pipeline called it to use the context.
    pub(crate) fn run_within_pipeline<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = WORKS_FOR.replace(self.raw.address().as_ptr());
        let result = work();
        WORKS_FOR.set(before);
        result
    }

    /// Runs `work`, a diagnostic handler, and allows the thread that emitted the diagnostic to use the
    /// context.
    pub(crate) fn run_handler<T>(&self, work: impl FnOnce() -> T) -> T {
        self.handling.fetch_add(1, Ordering::AcqRel);
        let result = self.run_within_pipeline(work);
        self.handling.fetch_sub(1, Ordering::AcqRel);
        result
    }

    /// The context, for a call that attaches or detaches a diagnostic handler. Fails while handlers run:
    /// MLIR's list of handlers must not change then.
    pub(crate) fn get_outside_handlers(&self, py: Python<'_>) -> PyResult<NonNull<c_void>> {
        self.refuse_in_handlers()?;
        self.get(py)
    }

    /// Fails while a diagnostic handler runs, in any thread. Until it returns, MLIR holds a lock that
    /// attaching a handler takes, too, and the code that emitted the diagnostic (for instance the verifier)
    /// goes on with the IR afterwards.
    #[inline]
    pub(crate) fn refuse_in_handlers(&self) -> PyResult<()> {
        if self.handling.load(Ordering::Acquire) == 0 {
            return Ok(());
        }
        Err(handler_at_work())
    }

    /// The context, for a call that prints. Fails while handlers run, because MLIR verifies an operation
    /// before it prints the custom form, and attaches a handler of its own for that.
    pub(crate) fn get_for_printing(&self, py: Python<'_>) -> PyResult<NonNull<c_void>> {
        self.refuse_in_handlers().map_err(|error| {
            PyRuntimeError::new_err(format!(
                "{}; operations can be printed meanwhile with print_generic_op_form=True",
                error.value(py)
            ))
        })?;
        self.get(py)
    }

    /// Emits an error at `location`, which is of this context, with the thread detached from the interpreter:
    /// a handler that runs in another thread holds MLIR's lock and may wait for the interpreter. Fails with
    /// an exception of a handler that is no `Exception`.
    pub(crate) fn emit_error(
        &self,
        py: Python<'_>,
        location: Location<'_>,
        message: &CStr,
    ) -> PyResult<()> {
        struct Place<'ctx>(Location<'ctx>);
        // SAFETY: a location is immutable and lives as long as its context, which the caller's reference to
        // `self` keeps alive during the call.
        unsafe impl Send for Place<'_> {}

        let place = Place(location);
        // `refuse_in_handlers` fails from here on, so that no attached thread waits for MLIR's lock.
        self.handling.fetch_add(1, Ordering::AcqRel);
        let ((), raised) = self.hear(|| {
            py.detach(|| {
                let place = place;
                place.0.emit_error(message);
            });
        });
        self.handling.fetch_sub(1, Ordering::AcqRel);
        raised.map_or(Ok(()), Err)
    }

    /// Fails while a pipeline runs on the context. MLIR forbids some changes of a context then, even to the
    /// pipeline's own passes.
    pub(crate) fn refuse_while_running(&self) -> PyResult<()> {
        if self.is_running() {
            return Err(PyRuntimeError::new_err(
                "this cannot be done while a pass pipeline runs on the context",
            ));
        }
        Ok(())
    }
}

#[cold]
#[inline(never)]
fn handler_at_work() -> PyErr {
    PyRuntimeError::new_err(
        "this cannot be done while a verifier or a diagnostic handler of the context is at work",
    )
}
