//! Getters of operations that are called most often, without PyO3's argument handling.
//!
//! Each of these looks at one or two cache lines and returns an object that is there already.
//! Whatever else there may be to do (the operation was destroyed, a pipeline runs, the object is not
//! made yet), the methods of `methods.rs` do.

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
    fn quick(it: &OperationBase) -> Option<Py<PyAny>> {
        it.quick_name()
    }

    fn slow(it: &OperationBase, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        it.name(py).map(|name| Some(name.unbind().into_any()))
    }
}

struct Parent;

impl Getter for Parent {
    type Of = OperationBase;

    #[inline]
    fn quick(it: &OperationBase) -> Option<Py<PyAny>> {
        it.quick_parent()
    }

    fn slow(it: &OperationBase, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        it.parent(py).map(|parent| parent.map(Py::into_any))
    }
}
