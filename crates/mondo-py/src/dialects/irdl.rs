//! `_mlirDialectsIRDL`: dialects that are defined by IR.

use mondo_sys::*;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::error::{ErrorCapture, succeeded};
use crate::module::Module;

/// Loads the dialects that a module defines into its context.
#[pyfunction]
fn load_dialects(module: &Bound<'_, Module>) -> PyResult<()> {
    let py = module.py();
    let raw = module.get().get(py)?;
    let context = module.get().operation_of(py)?.get().context_of(py)?;
    let (loaded, errors) = ErrorCapture::run(py, &context, || {
        // SAFETY: the module is live, and was verified.
        unsafe { mlirLoadIRDLDialects(raw) }
    })?;
    if succeeded(loaded) {
        return Ok(());
    }
    let cause = errors.into_error(py, "Invalid dialects");
    let error = PyRuntimeError::new_err(format!(
        "failed to load IRDL dialects from the input module: {}",
        cause.value(py)
    ));
    error.set_cause(py, Some(cause));
    Err(error)
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr("load_dialects", wrap_pyfunction!(load_dialects, module)?)
}
