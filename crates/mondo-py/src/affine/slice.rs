//! The list classes of a map's results and a set's constraints, which can be indexed and sliced.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PySlice};

use crate::ir::lists::sequence::{Picked, Span};

/// The element or the slice that a key of `__getitem__` selects. Another object than an integer or a slice is
/// a `ValueError`, as upstream's.
pub(super) fn pick(span: Span, key: &Bound<'_, PyAny>) -> PyResult<Picked> {
    if !key.is_instance_of::<PySlice>() && key.extract::<isize>().is_err() {
        return Err(PyValueError::new_err("expected integer or slice"));
    }
    span.pick(key)
}

/// Defines a list class. The class has `at(&self, py, index)`, which returns an element by its index in the
/// underlying list.
macro_rules! part_list {
    ($(#[$doc:meta])* $class:ident of $owner:ty) => {
        $(#[$doc])*
        #[pyclass(frozen, sequence, subclass)]
        pub(crate) struct $class {
            of: Py<$owner>,
            span: Span,
        }

        impl $class {
            fn all(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
                self.span.indices().map(|index| self.at(py, index)).collect()
            }
        }

        #[pymethods]
        impl $class {
            fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                visit.call(&self.of)
            }

            fn __len__(&self) -> usize {
                self.span.len()
            }

            fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                match pick(self.span, key)? {
                    Picked::One(index) => self.at(py, index),
                    Picked::Some(span) => {
                        let of = self.of.clone_ref(py);
                        Ok(Py::new(py, Self { of, span })?.into_any())
                    }
                }
            }

            fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                Ok(PyList::new(py, self.all(py)?)?.try_iter()?.into_any())
            }

            fn __add__(
                slf: &Bound<'_, Self>,
                other: &Bound<'_, PyAny>,
            ) -> PyResult<Vec<Py<PyAny>>> {
                let py = slf.py();
                let other: Bound<'_, Self> = crate::interop::operators::operand(slf, "__add__", other)?;
                let mut all = slf.get().all(py)?;
                all.extend(other.get().all(py)?);
                Ok(all)
            }
        }
    };
}
pub(super) use part_list;
