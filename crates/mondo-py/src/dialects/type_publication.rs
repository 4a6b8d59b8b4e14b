//! Registering the classes of dialects' types and attributes, and the exceptions for types that cannot be
//! made.

use mondo_ir::{Registry, TypeId, Uniquer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::interop::casters;
use crate::ir::derived_class;

/// Turns an `MLIRError` into a `ValueError`, which upstream raises in its place.
pub(super) fn value_error(py: Python<'_>, cause: PyErr) -> PyErr {
    let error = PyValueError::new_err(cause.value(py).to_string());
    error.set_cause(py, Some(cause));
    error
}

/// The `ValueError` for parameters that mondo-ir refuses.
pub(super) fn refused(cause: &mondo_ir::Error) -> PyErr {
    PyValueError::new_err(cause.message().to_owned())
}

/// Registers a class as the caster of its types or attributes, if the C API has no function that returns
/// their `TypeID`. The `TypeID` is read from an example, which `example` makes in a temporary context.
pub(super) fn cast_like(
    class: &Bound<'_, PyType>,
    example: impl for<'ctx> FnOnce(Uniquer<'ctx>) -> TypeId<'ctx>,
) -> PyResult<()> {
    // The key stays valid after the context's end: a `TypeID` of a dialect in C++ points to a static object.
    let type_id = mondo_ir::Context::with(&Registry::empty()).enter(|ctx, _| example(*ctx).key());
    casters::add_class(class, type_id);
    derived_class::set_type_id(class, type_id)
}
