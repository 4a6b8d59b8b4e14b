//! The errors for something that cannot be an element of an array of attributes.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::ir::arguments::shown;

/// The exception for something in a list of attributes that is none.
pub(super) fn not_an_attribute(object: &Bound<'_, PyAny>) -> PyErr {
    // The text is the one that upstream's tests expect.
    let none = if object.is_none() { " (None?)" } else { "" };
    PyRuntimeError::new_err(format!(
        "Invalid attribute{none} when attempting to create an ArrayAttribute (std::bad_cast)\nan element is {}",
        shown(object)
    ))
}

/// The exception for something that cannot be put behind the elements of an array.
pub(super) fn not_an_element(py: Python<'_>, cause: &PyErr) -> PyErr {
    PyRuntimeError::new_err(format!(
        "Invalid attribute when attempting to create an ArrayAttribute (std::bad_cast)\n{}",
        cause.value(py)
    ))
}
