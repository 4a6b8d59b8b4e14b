//! Translations of operations to the text of other languages: LLVM IR, and SMT-LIB for solvers.

use std::ffi::c_void;

use mondo_sys::*;
#[cfg(not(llvm_before = "22"))]
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::making::value_error;
use crate::interop::string::collect;
use crate::ir::error::{ErrorCapture, succeeded};
use crate::ownership::operation::OperationBase;
use crate::ownership::reentrancy;

/// The text that `translate` prints; where it fails, a `ValueError` with `message` and the diagnostics.
fn translated(
    operation: &Bound<'_, OperationBase>,
    message: &str,
    translate: impl FnOnce(MlirOperation, MlirStringCallback, *mut c_void) -> MlirLogicalResult,
) -> PyResult<String> {
    let py = operation.py();
    let op = operation.get().get(py)?;
    let context = operation.get().context_of(py)?;
    let mut text = String::new();
    let (done, errors) = ErrorCapture::run(py, &context, || {
        let mut done = None;
        text = collect(|callback, data| done = Some(translate(op, callback, data)));
        done
    })?;
    if done.is_some_and(succeeded) {
        return Ok(text);
    }
    Err(value_error(py, errors.into_error(py, message)))
}

/// The LLVM IR of a module; raises `ValueError` if it cannot be translated.
#[pyfunction]
pub(super) fn translate_module_to_llvmir(module: &Bound<'_, OperationBase>) -> PyResult<String> {
    let py = module.py();
    let base = module.get();
    let op = base.get(py)?;
    // Branches to one block with different arguments are given blocks of their own.
    reentrancy::refuse_edit(py, base.context_of(py)?.get(), op)?;
    let message = "Failed to translate the module to LLVM IR";
    translated(module, message, |op, callback, data| {
        // SAFETY: `translated` passes a live operation, and a callback with its data.
        unsafe { mondoTranslateModuleToLLVMIR(op, callback, data) }
    })
}

/// The text for solvers of a module or an operation; raises `ValueError` if it has none.
#[cfg(not(llvm_before = "22"))]
#[pyfunction]
#[pyo3(signature = (module, inline_single_use_values = false, indent_let_body = false))]
pub(super) fn export_smtlib(
    module: &Bound<'_, PyAny>,
    inline_single_use_values: bool,
    indent_let_body: bool,
) -> PyResult<String> {
    let owner;
    let operation = if let Ok(operation) = module.cast::<OperationBase>() {
        operation
    } else {
        owner = module
            .getattr("operation")
            .map_err(|_| not_an_operation(module))?;
        owner.cast().map_err(|_| not_an_operation(module))?
    };
    translated(
        operation,
        "Failed to export smtlib.",
        |op, callback, data| {
            let (inline, indent) = (inline_single_use_values, indent_let_body);
            // SAFETY: `translated` passes a live operation, and a callback with its data.
            unsafe { mlirTranslateOperationToSMTLIB(op, callback, data, inline, indent) }
        },
    )
}

#[cfg(not(llvm_before = "22"))]
fn not_an_operation(given: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "expected a Module or an operation, not {}",
        given.get_type()
    ))
}
