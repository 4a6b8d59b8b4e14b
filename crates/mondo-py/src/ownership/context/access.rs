//! The access to a context by threads, pipelines and diagnostic handlers.

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

/// Returns whether a pass pipeline runs anywhere, so that access has to be checked.
#[inline]
pub(crate) fn any_is_running() -> bool {
    RUNNING.load(Ordering::Acquire) != 0
}

/// The number of the next thread that asks for one.
static NEXT_THREAD: AtomicU64 = AtomicU64::new(1);

thread_local! {
    /// This thread's number, never 0.
    static THREAD: u64 = NEXT_THREAD.fetch_add(1, Ordering::Relaxed);
    /// The context on behalf of whose pipeline this thread runs a Python pass.
    static WORKS_FOR: Cell<*mut std::ffi::c_void> = const { Cell::new(ptr::null_mut()) };
}

impl Context {
    /// Runs `work`, which emits diagnostics. Returns beside its result what a handler gave to
    /// [`Self::raise`] meanwhile.
    pub(crate) fn hear<T>(&self, work: impl FnOnce() -> T) -> (T, Option<PyErr>) {
        self.raised.listeners.fetch_add(1, Ordering::AcqRel);
        let result = work();
        self.raised.listeners.fetch_sub(1, Ordering::AcqRel);
        (result, self.raised.first().take())
    }

    /// Keeps what a diagnostic handler raised for the caller of what emitted the diagnostic. Gives it back
    /// if nobody waits for it.
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

    /// Runs `work` as the one thread that may use this context; what is started on behalf of a
    /// pipeline that runs already is a part of that.
    ///
    /// `check_access` has to have succeeded.
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

    /// Runs `work`, a Python pass, in whatever thread the pipeline called it.
    pub(crate) fn run_within_pipeline<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = WORKS_FOR.replace(self.raw.address().as_ptr());
        let result = work();
        WORKS_FOR.set(before);
        result
    }

    /// Runs `work`, a diagnostic handler, in whatever thread emitted the diagnostic.
    pub(crate) fn run_handler<T>(&self, work: impl FnOnce() -> T) -> T {
        self.handling.fetch_add(1, Ordering::AcqRel);
        let result = self.run_within_pipeline(work);
        self.handling.fetch_sub(1, Ordering::AcqRel);
        result
    }

    /// The context, for a call that attaches or detaches a diagnostic handler. MLIR cannot do that
    /// while it goes through its handlers.
    pub(crate) fn get_outside_handlers(&self, py: Python<'_>) -> PyResult<NonNull<c_void>> {
        self.refuse_in_handlers()?;
        self.get(py)
    }

    /// Fails while a diagnostic handler is at work, in any thread. Until it returns, MLIR holds a
    /// lock that whoever attaches a handler waits for, and what emitted the diagnostic (say, the
    /// verifier) goes on with the IR.
    #[inline]
    pub(crate) fn refuse_in_handlers(&self) -> PyResult<()> {
        if self.handling.load(Ordering::Acquire) == 0 {
            return Ok(());
        }
        Err(handler_at_work())
    }

    /// Like [`Self::get_outside_handlers`], for a call that prints: MLIR verifies what it prints,
    /// with a handler of its own, unless it prints the generic form.
    pub(crate) fn get_for_printing(&self, py: Python<'_>) -> PyResult<NonNull<c_void>> {
        self.refuse_in_handlers().map_err(|error| {
            PyRuntimeError::new_err(format!(
                "{}; operations can be printed meanwhile with print_generic_op_form=True",
                error.value(py)
            ))
        })?;
        self.get(py)
    }

    /// Emits an error at `location`, which is of this context, without holding the interpreter: a
    /// handler in another thread may need it before it is this thread's turn. Fails with what a handler
    /// raised, if that is no `Exception`.
    pub(crate) fn emit_error(
        &self,
        py: Python<'_>,
        location: Location<'_>,
        message: &CStr,
    ) -> PyResult<()> {
        struct Place<'ctx>(Location<'ctx>);
        // SAFETY: a location is immutable, and its context outlives the call.
        unsafe impl Send for Place<'_> {}

        let place = Place(location);
        // Whoever would wait for MLIR's lock with the interpreter is kept away.
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

    /// MLIR forbids some changes of a context while its pipeline runs, even to the pipeline's passes.
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
        "this cannot be done while a diagnostic handler of the context is at work",
    )
}
