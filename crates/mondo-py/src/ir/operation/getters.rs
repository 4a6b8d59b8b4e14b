//! The getters of operations that are called most often, with a fast path without PyO3's argument handling.
//!
//! The fast path reads one or two cache lines and returns an active wrapper. In all other cases (the
//! operation was destroyed, a pipeline runs, there is no wrapper yet) the getter calls the method in
//! `methods.rs`.

use pyo3::prelude::*;

use crate::ownership::operation::OperationBase;
use crate::ownership::wrapper::{Getter, Getters, getter};

pub(super) const GETTERS: Getters = &[
    (
        c"name",
        getter::<Name>,
        c"The name with its dialect: `func.return`.",
    ),
    (
        c"parent",
        getter::<Parent>,
        c"The operation around this one, or none at the top.",
    ),
];

struct Name;

impl Getter for Name {
    type Of = OperationBase;

    #[inline]
    fn quick(operation: &OperationBase) -> Option<Py<PyAny>> {
        operation.quick_name()
    }

    fn slow(operation: &OperationBase, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        operation
            .name(py)
            .map(|name| Some(name.unbind().into_any()))
    }
}

struct Parent;

impl Getter for Parent {
    type Of = OperationBase;

    #[inline]
    fn quick(operation: &OperationBase) -> Option<Py<PyAny>> {
        operation.quick_parent()
    }

    fn slow(operation: &OperationBase, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        operation.parent(py).map(|parent| parent.map(Py::into_any))
    }
}
