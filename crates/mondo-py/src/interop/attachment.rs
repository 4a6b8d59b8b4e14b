//! Attaching a thread to the interpreter. Once CPython is being finalized, `Python::attach` panics in every thread, also
//! in the one that finalizes and still runs Python code (`__del__`). So this crate does not call it: functions that
//! CPython calls use [`attached`], and what MLIR calls uses `Python::try_attach`, after whose failure it goes on
//! without Python.
//!
//! Other threads never attach again then. Since 3.14, CPython hangs a thread that wants to; before, CPython ends it by
//! `pthread_exit`, and mondo-link's `forced_unwinding.cpp` hangs it.

use pyo3::intern;
use pyo3::prelude::*;

/// Calls `work` with a token, in a function that the interpreter calls. The thread is attached there even
/// while the interpreter shuts down, when PyO3's `attach` would fail.
#[inline]
pub(crate) fn attached<T>(work: impl for<'py> FnOnce(Python<'py>) -> T) -> T {
    // SAFETY: the callers are slots, getters and destructors of objects, which CPython calls in an attached thread.
    unsafe { Python::attach_unchecked(work) }
}

/// Whether the interpreter is being finalized, so that threads other than this one no longer run Python code.
pub(crate) fn is_finalizing(py: Python<'_>) -> bool {
    let finalizing = || -> PyResult<bool> {
        let sys = py.import(intern!(py, "sys"))?;
        sys.call_method0(intern!(py, "is_finalizing"))?.is_truthy()
    };
    // Destructors also run while an exception is raised, which calls into Python would clear.
    let raised = PyErr::take(py);
    // `sys` is the last module that is there.
    let result = finalizing().unwrap_or(true);
    if let Some(error) = raised {
        error.restore(py);
    }
    result
}
