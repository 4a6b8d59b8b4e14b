//! `Block`, and the operations of a block.

use std::sync::{Mutex, PoisonError};

use mondo_sys::*;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::operation::Operation;
use crate::owner::{BlockRef, OpRef};
use crate::region::Region;
use crate::sequence;
use crate::string::collect;
use crate::value::BlockArgumentList;

/// A block.
#[pyclass(frozen, weakref)]
pub(crate) struct Block {
    block: BlockRef,
}

impl Block {
    pub(crate) fn new(block: BlockRef) -> Self {
        Self { block }
    }

    /// Blocks that MLIR finds by number.
    fn neighbours(
        &self,
        py: Python<'_>,
        count: unsafe extern "C" fn(MlirBlock) -> isize,
        nth: unsafe extern "C" fn(MlirBlock, isize) -> MlirBlock,
    ) -> PyResult<Vec<Self>> {
        let raw = self.block.get(py)?;
        // SAFETY: the block is live, the indices are below the count, and neighbours are of the same
        // tree. A terminator that is in no block (detached, cloned) makes a null one.
        let one = |index| unsafe {
            let block = nth(raw, index);
            (!block.ptr.is_null()).then(|| Self::new(self.block.tree().block(block)))
        };
        // SAFETY: the block is live.
        Ok((0..unsafe { count(raw) }).filter_map(one).collect())
    }
}

#[pymethods]
impl Block {
    /// The operation that the block is in.
    #[getter]
    fn owner(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        // SAFETY: the block is live, and the operation around it is of the same tree.
        unsafe {
            let op = mlirBlockGetParentOperation(self.block.get(py)?);
            Ok((!op.ptr.is_null()).then(|| Operation::new(self.block.tree().op(op))))
        }
    }

    #[getter]
    fn region(&self, py: Python<'_>) -> PyResult<Option<Region>> {
        Region::of_block(py, &self.block)
    }

    #[getter]
    fn arguments(&self, py: Python<'_>) -> PyResult<BlockArgumentList> {
        self.block.get(py)?;
        Ok(BlockArgumentList::new(self.block.share()))
    }

    #[getter]
    fn operations(&self, py: Python<'_>) -> PyResult<OperationList> {
        self.block.get(py)?;
        Ok(OperationList {
            block: self.block.share(),
        })
    }

    /// The blocks that control may go to from here.
    #[getter]
    fn successors(&self, py: Python<'_>) -> PyResult<Vec<Self>> {
        self.neighbours(py, mlirBlockGetNumSuccessors, mlirBlockGetSuccessor)
    }

    /// The blocks that control may come from.
    #[getter]
    fn predecessors(&self, py: Python<'_>) -> PyResult<Vec<Self>> {
        self.neighbours(py, mlirBlockGetNumPredecessors, mlirBlockGetPredecessor)
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<OperationIterator> {
        self.operations(py)?.__iter__(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().block.address() == self.block.address())
    }

    fn __hash__(&self) -> usize {
        self.block.address() >> 4
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.block.tree().context().get().get_for_printing(py)?;
        let raw = self.block.get(py)?;
        // SAFETY: the block is live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirBlockPrint(raw, callback, data);
        }))
    }
}

/// The operations of a block.
#[pyclass(frozen, sequence)]
pub(crate) struct OperationList {
    block: BlockRef,
}

impl OperationList {
    /// Handles to the operations, in order.
    fn op_refs(&self, py: Python<'_>) -> PyResult<Vec<OpRef>> {
        let mut refs = Vec::new();
        // SAFETY: the block is live, and so are its operations, which are of the same tree.
        unsafe {
            let mut op = mlirBlockGetFirstOperation(self.block.get(py)?);
            while !op.ptr.is_null() {
                refs.push(self.block.tree().op(op));
                op = mlirOperationGetNextInBlock(op);
            }
        }
        Ok(refs)
    }
}

#[pymethods]
impl OperationList {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.op_refs(py)?.len())
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ops = self.op_refs(py)?;
        sequence::get(py, index, ops.len() as isize, |index| {
            Ok(Py::new(py, Operation::new(ops[index.unsigned_abs()].share()))?.into_any())
        })
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<OperationIterator> {
        // SAFETY: the block is live, and its operations are of the same tree.
        let first = unsafe {
            let first = mlirBlockGetFirstOperation(self.block.get(py)?);
            (!first.ptr.is_null()).then(|| self.block.tree().op(first))
        };
        Ok(OperationIterator {
            next: Mutex::new(first),
        })
    }
}

/// Goes through the operations of a block, which may change meanwhile.
#[pyclass(frozen)]
pub(crate) struct OperationIterator {
    next: Mutex<Option<OpRef>>,
}

#[pymethods]
impl OperationIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(op) = next.take() else {
            return Ok(None);
        };
        // SAFETY: the operation is live, and so is the one after it.
        unsafe {
            let after = mlirOperationGetNextInBlock(op.get(py)?);
            *next = (!after.ptr.is_null()).then(|| op.tree().op(after));
        }
        Ok(Some(Operation::new(op)))
    }
}
