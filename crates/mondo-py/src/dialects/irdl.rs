//! `_mlirDialectsIRDL`: loading dialects that are defined by operations of the `irdl` dialect.

use std::collections::HashSet;

use mondo_ir::declarations::mlirOperationVerify;
use mondo_ir::dialects::irdl;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::ir::error::ErrorCapture;
use crate::ownership::context::Context;
use crate::ownership::module::Module;

/// Loads the dialects that a module defines into its context.
#[pyfunction]
fn load_dialects(module: &Bound<'_, Module>) -> PyResult<()> {
    let py = module.py();
    let operation = module.get().operation_of(py)?;
    let operation = operation.get();
    operation.read(py, |_| ())?;
    let context = operation.context_of(py)?;
    let failed = |cause: PyErr| {
        let error = PyRuntimeError::new_err(format!(
            "failed to load IRDL dialects from the input module: {}",
            cause.value(py)
        ));
        error.set_cause(py, Some(cause));
        error
    };
    let verify = || operation.read(py, |op| mlirOperationVerify(op));
    let (verified, errors) = ErrorCapture::run(py, &context, verify)?;
    if !verified? {
        return Err(failed(errors.into_error(py, "Verification failed")));
    }
    // MLIR crashes if the context has a dialect of that name already, so that this is checked first.
    let defined = operation.read(py, irdl::defined)?;
    let mut names = HashSet::new();
    for name in defined.unwrap_or_default() {
        let known = Context::enter(py, &context, |ctx| Ok(ctx.has_dialect(&name)))?;
        if known || !names.insert(name.clone()) {
            let what = format!("the dialect '{name}' is in the context already");
            return Err(failed(PyValueError::new_err(what)));
        }
    }
    let load = || operation.read(py, irdl::load);
    let (loaded, errors) = ErrorCapture::run(py, &context, load)?;
    if loaded? {
        return Ok(());
    }
    Err(failed(errors.into_error(py, "Invalid dialects")))
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr("load_dialects", wrap_pyfunction!(load_dialects, module)?)
}
