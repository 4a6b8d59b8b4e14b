//! The exceptions for a conversion that fails: of a container's element, or of a string that is not UTF-8.
//!
//! nanobind reports them as `RuntimeError` (`std::bad_cast`), where Python's convention is `TypeError`
//! or `UnicodeDecodeError`. Programs catch either; the exceptions here are both.

use pyo3::PyTypeInfo;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyUnicodeDecodeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::interop::capsule;

/// An exception that is a `TypeError` and a `RuntimeError`, with upstream's text and `reason`.
#[cold]
pub(crate) fn bad_cast(py: Python<'_>, reason: &str) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let doc = "An element of a container is of the wrong class.";
    match class::<PyTypeError>(py, &CLASS, "BadCastError", doc) {
        Ok(class) => PyErr::from_type(class.clone(), format!("std::bad_cast: {reason}")),
        Err(error) => error,
    }
}

/// The exception of [`bad_cast`] for `object`, which is no `wanted`.
#[cold]
pub(crate) fn bad_cast_of(object: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    let class = object.get_type();
    bad_cast(object.py(), &format!("{class} is not {wanted}"))
}

/// Turns a `UnicodeDecodeError` into an exception that is also a `RuntimeError`.
#[cold]
pub(crate) fn undecodable(py: Python<'_>, error: PyErr) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let made = error.value(py).getattr("args").and_then(|args| {
        let doc = "A text of MLIR's is not UTF-8.";
        let class = class::<PyUnicodeDecodeError>(py, &CLASS, "TextDecodeError", doc)?;
        class.call1(args.cast_into::<PyTuple>()?)
    });
    made.map_or(error, PyErr::from_value)
}

/// The class with the bases `E` and `RuntimeError`. It is created when it is first raised.
fn class<'py, E: PyTypeInfo>(
    py: Python<'py>,
    made: &'static PyOnceLock<Py<PyType>>,
    name: &str,
    doc: &str,
) -> PyResult<&'py Bound<'py, PyType>> {
    let class = made.get_or_try_init(py, || {
        let bases = (py.get_type::<E>(), py.get_type::<PyRuntimeError>());
        let members = PyDict::new(py);
        let module = format!("{}._mlir_libs._mlir.ir", capsule::root(py));
        members.set_item("__module__", module)?;
        members.set_item("__doc__", doc)?;
        let class = py.get_type::<PyType>().call1((name, bases, members))?;
        Ok::<_, PyErr>(class.cast_into::<PyType>()?.unbind())
    })?;
    Ok(class.bind(py))
}
