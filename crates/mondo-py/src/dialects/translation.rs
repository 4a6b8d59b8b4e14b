//! Translations of operations to the text of other languages: LLVM IR, and SMT-LIB for solvers.

use mondo_ir::nodes::Op;
#[cfg(not(llvm_before = "22"))]
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::type_publication::value_error;
use crate::ir::error::ErrorCapture;
use crate::ownership::operation::OperationBase;
use crate::ownership::reentrancy;

/// The text that `translate` returns; if it fails, a `ValueError` with `message` and the diagnostics.
fn translated(
    operation: &Bound<'_, OperationBase>,
    message: &str,
    translate: impl FnOnce(Op<'_>) -> Option<String>,
) -> PyResult<String> {
    let py = operation.py();
    operation.get().read(py, |_| ())?;
    let context = operation.get().context_of(py)?;
    let translate = || operation.get().read(py, translate);
    let (text, errors) = ErrorCapture::run(py, &context, translate)?;
    if let Some(text) = text? {
        return Ok(text);
    }
    Err(value_error(py, errors.into_error(py, message)))
}

/// The LLVM IR of a module; raises `ValueError` if it cannot be translated.
#[pyfunction]
pub(super) fn translate_module_to_llvmir(module: &Bound<'_, OperationBase>) -> PyResult<String> {
    let py = module.py();
    let base = module.get();
    // The translation may change the module: it inserts blocks if a terminator has several edges to one block
    // with different arguments.
    base.enter(py, |at, op| reentrancy::refuse_move(at.object().get(), op))?;
    let message = "Failed to translate the module to LLVM IR";
    translated(module, message, |op| op.to_llvm_ir())
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
    translated(operation, "Failed to export smtlib.", |op| {
        op.to_smt_lib(inline_single_use_values, indent_let_body)
    })
    .map_err(|error| with_places(module.py(), error))
}

/// Rewrites the `ValueError` of an export: upstream's bindings write each diagnostic behind its location.
#[cfg(not(llvm_before = "22"))]
fn with_places(py: Python<'_>, error: PyErr) -> PyErr {
    let Some(cause) = error.cause(py) else {
        return error;
    };
    let Ok(text) = places(cause.value(py)) else {
        return error;
    };
    let written = PyValueError::new_err(format!(
        "Failed to export smtlib.\nDiagnostic message {text}"
    ));
    written.set_cause(py, Some(cause));
    written
}

#[cfg(not(llvm_before = "22"))]
fn places(error: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut lines = Vec::new();
    for diagnostic in error.getattr("error_diagnostics")?.try_iter()? {
        let diagnostic = diagnostic?;
        for note in
            std::iter::once(Ok(diagnostic.clone())).chain(diagnostic.getattr("notes")?.try_iter()?)
        {
            let note = note?;
            let (place, message) = (note.getattr("location")?, note.getattr("message")?);
            lines.push(format!("at {place}: {message}"));
        }
    }
    Ok(lines.join("\n"))
}

#[cfg(not(llvm_before = "22"))]
fn not_an_operation(given: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "incompatible function arguments: expected a Module or an operation, not {}",
        given.get_type()
    ))
}
