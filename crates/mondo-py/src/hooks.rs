//! The hooks that see operations die, proved before anything relies on them.

use mondo_sys::mondoHooksWork;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// Fails the import if a death would go unseen.
pub(crate) fn check() -> PyResult<()> {
    // SAFETY: there is no precondition.
    if unsafe { mondoHooksWork() } {
        return Ok(());
    }
    Err(PyImportError::new_err(
        "the mondo library does not see MLIR's objects die, so Python objects could dangle; the \
         library was put together wrongly or replaced by another one: install the wheel again, or \
         build it with `cargo xtask bundle`",
    ))
}
