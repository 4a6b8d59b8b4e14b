//! The publication and the errors of types and attributes that dialects make.

use mondo_ir::{Registry, TypeId, Uniquer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::interop::casters;
use crate::ir::derived_class;

/// The `ValueError` that stands where an `MLIRError` might.
pub(super) fn value_error(py: Python<'_>, cause: PyErr) -> PyErr {
    let error = PyValueError::new_err(cause.value(py).to_string());
    error.set_cause(py, Some(cause));
    error
}

/// The `ValueError` for what the Rust API of MLIR refuses.
pub(super) fn refused(cause: &mondo_ir::Error) -> PyErr {
    PyValueError::new_err(cause.message().to_owned())
}

/// Has types or attributes become objects of a class whose `TypeID` the C API has no function for.
/// They know it themselves: `example` makes one, in a context that lives no longer than that.
pub(super) fn cast_like(
    class: &Bound<'_, PyType>,
    example: impl for<'ctx> FnOnce(Uniquer<'ctx>) -> TypeId<'ctx>,
) -> PyResult<()> {
    // The object that a TypeID of a dialect in C++ points to is static.
    let type_id = mondo_ir::Context::with(&Registry::empty()).enter(|ctx, _| example(*ctx).key());
    casters::add_class(class, type_id);
    derived_class::set_type_id(class, type_id)
}
