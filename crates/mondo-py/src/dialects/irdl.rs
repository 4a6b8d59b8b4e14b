//! `_mlirDialectsIRDL`: dialects that are defined by IR.

use std::collections::HashSet;

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::interop::string::{string_ref, to_string};
use crate::ir::error::{ErrorCapture, succeeded};
use crate::ownership::module::Module;
use crate::ownership::operation;
use crate::ownership::traversal::for_each_op;

/// The names of the dialects that are defined below an operation.
fn defined(root: MlirOperation) -> Vec<String> {
    let mut names = Vec::new();
    for_each_op(root, &mut |op| {
        if operation::name(op) != "irdl.dialect" {
            return;
        }
        // SAFETY: the operation is live, and was verified: its name is a text.
        names.push(unsafe {
            let name = mlirOperationGetAttributeByName(op, string_ref("sym_name"));
            to_string(mlirStringAttrGetValue(name))
        });
    });
    names
}

/// Loads the dialects that a module defines into its context.
#[pyfunction]
fn load_dialects(module: &Bound<'_, Module>) -> PyResult<()> {
    let py = module.py();
    let raw = module.get().get(py)?;
    let context = module.get().operation_of(py)?.get().context_of(py)?;
    let failed = |cause: PyErr| {
        let error = PyRuntimeError::new_err(format!(
            "failed to load IRDL dialects from the input module: {}",
            cause.value(py)
        ));
        error.set_cause(py, Some(cause));
        error
    };
    let (verified, errors) = ErrorCapture::run(py, &context, || {
        // SAFETY: the module is live.
        unsafe { mlirOperationVerify(mlirModuleGetOperation(raw)) }
    })?;
    if !verified {
        return Err(failed(errors.into_error(py, "Verification failed")));
    }
    // MLIR crashes where a dialect is defined that is there already.
    let raw_context = context.get().get(py)?;
    let mut names = HashSet::new();
    // SAFETY: the module is live.
    for name in defined(unsafe { mlirModuleGetOperation(raw) }) {
        // SAFETY: the context is live, and the name is only read.
        let known = unsafe { mlirContextGetOrLoadDialect(raw_context, string_ref(&name)) };
        if !known.ptr.is_null() || !names.insert(name.clone()) {
            let what = format!("the dialect '{name}' is in the context already");
            return Err(failed(PyValueError::new_err(what)));
        }
    }
    let (loaded, errors) = ErrorCapture::run(py, &context, || {
        // SAFETY: the module is live and verified, and defines what is new.
        unsafe { mlirLoadIRDLDialects(raw) }
    })?;
    if succeeded(loaded) {
        return Ok(());
    }
    Err(failed(errors.into_error(py, "Invalid dialects")))
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr("load_dialects", wrap_pyfunction!(load_dialects, module)?)
}
