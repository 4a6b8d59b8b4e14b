//! The errors for something that cannot be an element of an array of attributes.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

/// The exception for something in a list of attributes that is none.
pub(super) fn not_an_attribute(object: &Bound<'_, PyAny>) -> PyErr {
    let (none, found) = if object.is_none() {
        (" (None?)", String::new())
    } else {
        ("", object.get_type().to_string())
    };
    PyRuntimeError::new_err(format!(
        "Invalid attribute{none} when attempting to create an ArrayAttribute ({found})"
    ))
}

/// The exception for something that cannot be put behind the elements of an array.
pub(super) fn not_an_element(py: Python<'_>, cause: &PyErr) -> PyErr {
    PyRuntimeError::new_err(format!(
        "Invalid attribute when attempting to create an ArrayAttribute ({})",
        cause.value(py)
    ))
}
