//! The exception for an element of a container that is of the wrong class.
//!
//! nanobind converts elements with a C++ cast, so upstream raises `RuntimeError("std::bad_cast")`
//! where Python's convention is `TypeError`. Programs catch either; the exception here is both.

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use crate::ir::attribute::Attribute;

/// An exception, `TypeError` and `RuntimeError` at once, with upstream's text and `reason`.
pub(super) fn bad_cast(py: Python<'_>, reason: &str) -> PyErr {
    match class(py) {
        Ok(class) => PyErr::from_type(class.clone(), format!("std::bad_cast: {reason}")),
        Err(error) => error,
    }
}

fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.get_or_try_init(py, || {
        let bases = (
            py.get_type::<PyTypeError>(),
            py.get_type::<PyRuntimeError>(),
        );
        let members = PyDict::new(py);
        let module = py.get_type::<Attribute>().getattr("__module__")?;
        members.set_item("__module__", module)?;
        members.set_item(
            "__doc__",
            "An element of a container is of the wrong class.",
        )?;
        let class = py
            .get_type::<PyType>()
            .call1(("BadCastError", bases, members))?;
        Ok::<_, PyErr>(class.cast_into::<PyType>()?.unbind())
    })?;
    Ok(class.bind(py))
}
