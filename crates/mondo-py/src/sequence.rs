//! What lists of IR objects have in common: an index or a slice, and an iterator.

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyIterator, PyList, PySlice};

/// The element at a Python index, or the list of those in a slice.
pub(crate) fn get<'py>(
    py: Python<'py>,
    key: &Bound<'py, PyAny>,
    length: isize,
    element: impl Fn(isize) -> PyResult<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(slice) = key.cast::<PySlice>() {
        let range = slice.indices(length)?;
        let mut picked = Vec::with_capacity(range.slicelength);
        let mut index = range.start;
        for _ in 0..range.slicelength {
            picked.push(element(index)?);
            // One step past the last element may leave the numbers' range.
            index = index.wrapping_add(range.step);
        }
        return Ok(PyList::new(py, picked)?.into_any());
    }
    let index: isize = key
        .extract()
        .map_err(|_| PyTypeError::new_err("expected integer index or slice"))?;
    let index = if index < 0 { index + length } else { index };
    if !(0..length).contains(&index) {
        return Err(PyIndexError::new_err("index out of range"));
    }
    Ok(element(index)?.into_bound(py))
}

/// An iterator over all elements.
pub(crate) fn iter<'py>(
    py: Python<'py>,
    length: isize,
    element: impl Fn(isize) -> PyResult<Py<PyAny>>,
) -> PyResult<Bound<'py, PyIterator>> {
    let all = (0..length).map(element).collect::<PyResult<Vec<_>>>()?;
    PyList::new(py, all)?.try_iter()
}
