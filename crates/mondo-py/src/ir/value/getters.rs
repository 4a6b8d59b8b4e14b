//! The getters of values that are called most often, with a fast path without PyO3's argument handling, as in
//! `ir/operation/getters.rs`.

use pyo3::prelude::*;

use crate::ir::types::Type;
use crate::ownership::value::Value;
use crate::ownership::wrapper::{Getter, Getters, getter};

pub(super) const GETTERS: Getters = &[
    (
        c"owner",
        getter::<Owner>,
        c"The definition of the value: an operation for a result, a block for an argument.",
    ),
    (c"type", getter::<TypeOf>, c"The type of the value."),
];

struct Owner;

impl Getter for Owner {
    type Of = Value;

    #[inline]
    fn quick(value: &Value) -> Option<Py<PyAny>> {
        value.quick_owner()
    }

    fn slow(value: &Value, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        value.owner(py).map(Some)
    }
}

struct TypeOf;

impl Getter for TypeOf {
    type Of = Value;

    #[inline]
    fn quick(value: &Value) -> Option<Py<PyAny>> {
        value.quick_type::<Type>()
    }

    fn slow(value: &Value, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        value.r#type(py).map(Some)
    }
}
