//! `Region`, the regions of an operation, and the blocks of a region.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyIterator};

use crate::block::Block;
use crate::operation::Operation;
use crate::owner::{BlockRef, OpRef};
use crate::sequence;

/// A region: the operation that has it, and its position there.
#[pyclass(frozen)]
pub(crate) struct Region {
    op: OpRef,
    index: isize,
}

impl Region {
    /// The region that `block` is in; none for a block by itself.
    pub(crate) fn of_block(py: Python<'_>, block: &BlockRef) -> PyResult<Option<Self>> {
        let raw = block.get(py)?;
        // SAFETY: the block is live, and so is the operation around it, which is of the same tree.
        unsafe {
            let op = mlirBlockGetParentOperation(raw);
            if op.ptr.is_null() {
                return Ok(None);
            }
            let region = mlirBlockGetParentRegion(raw);
            let index = (0..mlirOperationGetNumRegions(op))
                .find(|index| mlirOperationGetRegion(op, *index).ptr == region.ptr);
            Ok(index.map(|index| Self {
                op: block.tree().op(op),
                index,
            }))
        }
    }

    fn get(&self, py: Python<'_>) -> PyResult<MlirRegion> {
        let op = self.op.get(py)?;
        // SAFETY: the operation is live, and the index is checked against the count.
        unsafe {
            if self.index >= mlirOperationGetNumRegions(op) {
                return Err(PyValueError::new_err("the region has been removed"));
            }
            Ok(mlirOperationGetRegion(op, self.index))
        }
    }

    /// Handles to the blocks, in order.
    fn block_refs(&self, py: Python<'_>) -> PyResult<Vec<BlockRef>> {
        let mut refs = Vec::new();
        // SAFETY: the region is live, and so are its blocks, which are of the operation's tree.
        unsafe {
            let mut block = mlirRegionGetFirstBlock(self.get(py)?);
            while !block.ptr.is_null() {
                refs.push(self.op.tree().block(block));
                block = mlirBlockGetNextInRegion(block);
            }
        }
        Ok(refs)
    }

    fn share(&self) -> Self {
        Self {
            op: self.op.share(),
            index: self.index,
        }
    }
}

#[pymethods]
impl Region {
    #[getter]
    fn blocks(&self, py: Python<'_>) -> PyResult<BlockList> {
        self.get(py)?;
        Ok(BlockList {
            region: self.share(),
        })
    }

    /// The operation that has the region.
    #[getter]
    fn owner(&self, py: Python<'_>) -> PyResult<Operation> {
        self.get(py)?;
        Ok(Operation::new(self.op.share()))
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<BlockIterator> {
        self.blocks(py)?.__iter__(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            other.op.address() == self.op.address() && other.index == self.index
        })
    }

    fn __hash__(&self) -> usize {
        (self.op.address() >> 4)
            .wrapping_mul(31)
            .wrapping_add(self.index.unsigned_abs())
    }
}

/// The regions of an operation.
#[pyclass(frozen, sequence)]
pub(crate) struct RegionSequence {
    op: OpRef,
}

impl RegionSequence {
    pub(crate) fn new(op: OpRef) -> Self {
        Self { op }
    }

    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        Ok(Py::new(
            py,
            Region {
                op: self.op.share(),
                index,
            },
        )?
        .into_any())
    }

    fn count(&self, py: Python<'_>) -> PyResult<isize> {
        // SAFETY: the operation is live.
        Ok(unsafe { mlirOperationGetNumRegions(self.op.get(py)?) })
    }
}

#[pymethods]
impl RegionSequence {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.count(py)?.unsigned_abs())
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        sequence::get(py, index, self.count(py)?, |index| self.element(py, index))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        sequence::iter(py, self.count(py)?, |index| self.element(py, index))
    }
}

/// The blocks of a region.
#[pyclass(frozen, sequence)]
pub(crate) struct BlockList {
    region: Region,
}

#[pymethods]
impl BlockList {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.region.block_refs(py)?.len())
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let blocks = self.region.block_refs(py)?;
        sequence::get(py, index, blocks.len() as isize, |index| {
            Ok(Py::new(py, Block::new(blocks[index.unsigned_abs()].share()))?.into_any())
        })
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<BlockIterator> {
        let first = self.region.block_refs(py)?.into_iter().next();
        Ok(BlockIterator {
            next: std::sync::Mutex::new(first),
        })
    }
}

/// Goes through the blocks of a region, which may change meanwhile.
#[pyclass(frozen)]
pub(crate) struct BlockIterator {
    next: std::sync::Mutex<Option<BlockRef>>,
}

#[pymethods]
impl BlockIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Block>> {
        let mut next = self
            .next
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(block) = next.take() else {
            return Ok(None);
        };
        // SAFETY: the block is live, and so is its successor in the region.
        unsafe {
            let after = mlirBlockGetNextInRegion(block.get(py)?);
            *next = (!after.ptr.is_null()).then(|| block.tree().block(after));
        }
        Ok(Some(Block::new(block)))
    }
}
