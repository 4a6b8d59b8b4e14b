//! The exceptions for an object that cannot be an element of an `ArrayAttr` or a dense array.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::ir::arguments::shown;

/// The exception for an element of a list of attributes that is no attribute.
pub(super) fn not_an_attribute(object: &Bound<'_, PyAny>) -> PyErr {
    // Upstream's tests expect this text.
    let none = if object.is_none() { " (None?)" } else { "" };
    PyRuntimeError::new_err(format!(
        "Invalid attribute{none} when attempting to create an ArrayAttribute (std::bad_cast)\nan element is {}",
        shown(object)
    ))
}

/// The exception for an object that cannot be appended to an array by `+`.
pub(super) fn not_an_element(py: Python<'_>, cause: &PyErr) -> PyErr {
    PyRuntimeError::new_err(format!(
        "Invalid attribute when attempting to create an ArrayAttribute (std::bad_cast)\n{}",
        cause.value(py)
    ))
}
