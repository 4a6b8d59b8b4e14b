//! The classes of MLIR's builtin attributes.

mod buffer;
mod containers;
mod dense_array;
mod elements;
mod elements_source;
mod export;
mod resource;
mod simple;
mod text;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyModule, PyType};

/// Publishes the classes in `ir`; `parent` is `Attribute` as Python sees it.
pub(crate) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    simple::install(ir, parent)?;
    text::install(ir, parent)?;
    containers::install(ir, parent)?;
    dense_array::install(ir, parent)?;
    elements::install(ir, parent)?;
    resource::install(ir, parent)
}

/// The attribute as an object of `class`, where the class that fits it best is another one.
fn exactly(attribute: Bound<'_, PyAny>, class: &PyOnceLock<Py<PyType>>) -> PyResult<Py<PyAny>> {
    let py = attribute.py();
    match class.get(py) {
        Some(class) if !attribute.is_instance(class.bind(py))? => class.call1(py, (attribute,)),
        _ => Ok(attribute.unbind()),
    }
}

/// The exception for something in a list of attributes that is none.
fn not_an_attribute(object: &Bound<'_, PyAny>) -> PyErr {
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
fn not_an_element(py: Python<'_>, cause: &PyErr) -> PyErr {
    PyRuntimeError::new_err(format!(
        "Invalid attribute when attempting to create an ArrayAttribute ({})",
        cause.value(py)
    ))
}
