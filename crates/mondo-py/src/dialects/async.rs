//! `_mlirAsyncPasses`: the passes of the `async` dialect.

use mondo_sys::mlirRegisterAsyncPasses;
use pyo3::prelude::*;
use pyo3::types::PyModule;

/// Makes the passes known; there is nothing else in the module.
pub(super) fn register_passes(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    // SAFETY: the function has no precondition; the interpreter's import lock keeps others out.
    unsafe { mlirRegisterAsyncPasses() };
    Ok(())
}
