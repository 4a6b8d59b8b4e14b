//! The methods of `Region`.

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::ir::lists::region_blocks::{BlockIterator, BlockList};
use crate::ownership::operation::view_of;
use crate::ownership::region::Region;

#[pymethods]
impl Region {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.show(&visit)
    }

    /// The blocks of the region, as a sequence.
    #[getter]
    fn blocks(slf: &Bound<'_, Self>) -> PyResult<BlockList> {
        slf.get().get(slf.py())?;
        Ok(BlockList::new(slf.clone().unbind()))
    }

    /// The operation that has the region; none if it was made by itself.
    #[getter]
    fn owner(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.operation(py)?.map(|op| view_of(py, &op)).transpose()
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<BlockIterator> {
        BlockIterator::of(py, self)
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> bool {
        slf.is(other)
    }

    fn __hash__(slf: &Bound<'_, Self>) -> usize {
        slf.as_ptr() as usize >> 4
    }
}
