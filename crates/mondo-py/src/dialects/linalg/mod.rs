//! `_mlirDialectsLinalg`: the bodies of named operations, and queries about operations;
//! `_mlirLinalgPasses`: the passes.

mod body;
// LLVM 19's C API cannot be asked.
#[cfg(not(llvm_before = "22"))]
mod queries;

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::interop::submodules::add_function;
use crate::ownership::operation::OperationBase;
use crate::ownership::reentrancy;

/// Gives a named operation, which has no body yet, the one that its name stands for.
#[pyfunction]
fn fill_builtin_region(op: &Bound<'_, OperationBase>) -> PyResult<()> {
    let py = op.py();
    let base = op.get();
    let raw = base.get(py)?;
    let context = base.context_of(py)?;
    reentrancy::refuse_change(context.get())?;
    // SAFETY: the operation is live.
    unsafe { body::check(raw) }.map_err(PyValueError::new_err)?;
    // SAFETY: the operation is live, and of the form that this is for.
    unsafe { mlirLinalgFillBuiltinNamedOpRegion(raw) };
    Ok(())
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_function(module, &wrap_pyfunction!(fill_builtin_region, module)?)?;
    #[cfg(not(llvm_before = "22"))]
    queries::fill(module)?;
    Ok(())
}
