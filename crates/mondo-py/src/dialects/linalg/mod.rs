//! `_mlirDialectsLinalg`: the bodies of named operations, and queries about structured operations.
//! `_mlirLinalgPasses` is empty, as the bundle registers its passes itself.

// LLVM 19's C API does not have the queries.
#[cfg(not(llvm_before = "22"))]
mod queries;

use mondo_ir::dialects::linalg_bodies;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::interop::submodules::add_function;
use crate::ownership::operation::OperationBase;

/// Gives a named operation, which has no body yet, the one that its name stands for.
#[pyfunction]
fn fill_builtin_region(op: &Bound<'_, OperationBase>) -> PyResult<()> {
    let py = op.py();
    let base = op.get();
    base.enter(py, |at, op| {
        at.tree().get().refuse_change_in(op)?;
        linalg_bodies::fill(op).map_err(PyValueError::new_err)
    })
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_function(module, &wrap_pyfunction!(fill_builtin_region, module)?)?;
    #[cfg(not(llvm_before = "22"))]
    queries::fill(module)?;
    Ok(())
}
