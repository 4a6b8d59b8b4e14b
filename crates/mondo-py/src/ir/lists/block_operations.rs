//! The list of a block's operations, and its iterator.

use mondo_ir::declarations as c;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList, PySlice};

use crate::interop::attached_cell::Slot;
use crate::interop::callback::unless_interrupted;
use crate::interop::missing_elements::out_of_range;
use crate::interop::operators::refused;
use crate::ownership::block::Block;
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::wrapper::{self, Pool, Transient, impl_transient};

const OUT_OF_BOUNDS: &str = "attempt to access out of bounds operation";

/// The operations of a block.
#[pyclass(frozen, sequence, subclass)]
pub(crate) struct OperationList {
    block: Py<Block>,
}

impl_transient!(OperationList { block });

impl OperationList {
    pub(crate) fn new(py: Python<'_>, block: Py<Block>) -> PyResult<Bound<'_, Self>> {
        block.get().get(py)?;
        wrapper::new(py, Self { block })
    }

    fn count(&self, py: Python<'_>) -> PyResult<isize> {
        let block = self.block.get();
        block.read(py, |block| block.operations().count() as isize)
    }

    /// The view of the operation at an index from 0.
    fn nth(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        self.block.get().enter(py, |at, block| {
            let mut found = c::mlirBlockGetFirstOperation(block);
            for _ in 0..index {
                let Some(op) = found else { break };
                found = op.next();
            }
            match found {
                Some(op) => at.view(op),
                None => Err(out_of_range(OUT_OF_BOUNDS, block.operations().count())),
            }
        })
    }
}

#[pymethods]
impl OperationList {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.block)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.count(py)?.unsigned_abs())
    }

    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, list) = (slf.py(), slf.get());
        if let Ok(slice) = index.cast::<PySlice>() {
            let all = PyList::empty(py);
            for op in list.__iter__(py)?.get().rest(py)? {
                all.append(op)?;
            }
            return all.as_any().get_item(slice);
        }
        let index: isize = index.extract().map_err(|error| {
            let why = "incompatible function arguments: expected integer index or slice";
            let other = |_: &PyErr| refused(slf, "__getitem__", index, PyTypeError::new_err(why));
            unless_interrupted(py, error, other)
        })?;
        let index = if index < 0 {
            index.wrapping_add(list.count(py)?)
        } else {
            index
        };
        if index < 0 {
            return Err(out_of_range(OUT_OF_BOUNDS, list.__len__(py)?));
        }
        Ok(list.nth(py, index)?.into_bound(py))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, OperationIterator>> {
        OperationIterator::of(py, self.block.get())
    }
}

/// Goes through the operations of a block. The one that it gave last may be erased or moved; if that
/// happens to the next one, it raises.
#[pyclass(frozen, subclass)]
pub(crate) struct OperationIterator {
    next: Slot<Py<OperationBase>>,
}

impl Transient for OperationIterator {
    fn pool() -> &'static Pool<Self> {
        static POOL: Pool<OperationIterator> = Pool::new();
        &POOL
    }

    fn sample(py: Python<'_>) -> PyResult<Py<Self>> {
        let next = Slot::default();
        Py::new(py, Self { next })
    }

    fn release(self, py: Python<'_>) {
        drop(self.next.put(py, None));
    }
}

impl OperationIterator {
    pub(crate) fn of<'py>(py: Python<'py>, block: &Block) -> PyResult<Bound<'py, Self>> {
        let first = block.enter(py, |at, block| {
            let first = c::mlirBlockGetFirstOperation(block);
            first.map(|op| at.operation(op)).transpose()
        })?;
        let next = Slot::new(first);
        wrapper::new(py, Self { next })
    }

    #[inline]
    fn step(&self, py: Python<'_>) -> PyResult<Option<Py<OperationBase>>> {
        let Some(op) = self.next.with(py, Option::take) else {
            return Ok(None);
        };
        let after = op.get().enter(py, |at, op| {
            op.next().map(|after| at.operation(after)).transpose()
        })?;
        // Another thread may have advanced the iterator meanwhile; the last one to store wins. The previous
        // reference is dropped outside of the slot.
        let before = self.next.with(py, |next| std::mem::replace(next, after));
        drop(before);
        Ok(Some(op))
    }

    fn rest(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let mut rest = Vec::new();
        while let Some(op) = self.step(py)? {
            rest.push(operation::view_of(py, &op)?);
        }
        Ok(rest)
    }
}

#[pymethods]
impl OperationIterator {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.next.look(|next| visit.call(next)).unwrap_or(Ok(()))
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let Some(op) = self.step(py)? else {
            return Ok(None);
        };
        // As a `Bound`, it is dropped without asking PyO3 whether the thread is attached.
        let op = op.into_bound(py);
        operation::view_of(py, op.as_unbound()).map(Some)
    }
}
