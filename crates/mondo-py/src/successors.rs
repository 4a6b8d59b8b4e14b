//! Lists of blocks: successors and predecessors.

use mondo_sys::*;
use pyo3::prelude::*;

use crate::block::{self, Block};
use crate::operation::OperationBase;
use crate::running;
use crate::sequence::{Span, list_methods, removed};

/// The blocks that control may go to from an operation.
#[pyclass(frozen, sequence)]
pub(crate) struct OpSuccessors {
    of: Py<OperationBase>,
    span: Span,
}

impl OpSuccessors {
    pub(crate) fn new(py: Python<'_>, of: Py<OperationBase>) -> PyResult<Self> {
        // SAFETY: the operation is live.
        let count = unsafe { mlirOperationGetNumSuccessors(of.get().get(py)?) };
        Ok(Self {
            of,
            span: Span::all(count),
        })
    }

    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        let op = self.of.get().get(py)?;
        // SAFETY: the operation is live, the index is checked against the count, and successors are
        // live.
        unsafe {
            if index >= mlirOperationGetNumSuccessors(op) {
                return Err(removed("successor"));
            }
            let successor = mlirOperationGetSuccessor(op, index);
            block::wrap_in(py, &self.of.get().tree(py)?, successor)
        }
    }
}

list_methods!(iterated OpSuccessors {
    /// Makes control go to another block.
    fn __setitem__(&self, py: Python<'_>, index: isize, block: &Bound<'_, Block>) -> PyResult<()> {
        let index = self.span.index(index)?;
        let op = self.of.get().get(py)?;
        let tree = self.of.get().tree(py)?;
        running::refuse_change(tree.get().context().get())?;
        let other = block.get().tree(py)?;
        let block = block.get().get_in(py, tree.get().context())?;
        // SAFETY: both are live, and the index is checked against the count.
        unsafe {
            if index >= mlirOperationGetNumSuccessors(op) {
                return Err(removed("successor"));
            }
            mlirOperationSetSuccessor(op, index, block);
        }
        if !tree.is(&other) {
            tree.get().open();
            other.get().open();
        }
        Ok(())
    }
});

/// Blocks beside a block, which MLIR finds by number.
unsafe fn neighbour(
    py: Python<'_>,
    of: &Py<Block>,
    index: isize,
    count: unsafe extern "C" fn(MlirBlock) -> isize,
    nth: unsafe extern "C" fn(MlirBlock, isize) -> MlirBlock,
) -> PyResult<Py<PyAny>> {
    let raw = of.get().get(py)?;
    // SAFETY: the block is live, and the index is checked against the count.
    unsafe {
        if index >= count(raw) {
            return Err(removed("neighbour"));
        }
        let block = nth(raw, index);
        if block.ptr.is_null() {
            // A terminator that is in no block (detached, cloned).
            return Ok(py.None());
        }
        block::wrap_in(py, &of.get().tree(py)?, block)
    }
}

/// The blocks that control may go to from a block.
#[pyclass(frozen, sequence)]
pub(crate) struct BlockSuccessors {
    of: Py<Block>,
    span: Span,
}

impl BlockSuccessors {
    pub(crate) fn new(py: Python<'_>, of: Py<Block>) -> PyResult<Self> {
        // SAFETY: the block is live.
        let count = unsafe { mlirBlockGetNumSuccessors(of.get().get(py)?) };
        Ok(Self {
            of,
            span: Span::all(count),
        })
    }

    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        // SAFETY: the functions are those of the C API for successors.
        unsafe {
            neighbour(
                py,
                &self.of,
                index,
                mlirBlockGetNumSuccessors,
                mlirBlockGetSuccessor,
            )
        }
    }
}

list_methods!(iterated BlockSuccessors {});

/// The blocks that control may come from.
#[pyclass(frozen, sequence)]
pub(crate) struct BlockPredecessors {
    of: Py<Block>,
    span: Span,
}

impl BlockPredecessors {
    pub(crate) fn new(py: Python<'_>, of: Py<Block>) -> PyResult<Self> {
        // SAFETY: the block is live.
        let count = unsafe { mlirBlockGetNumPredecessors(of.get().get(py)?) };
        Ok(Self {
            of,
            span: Span::all(count),
        })
    }

    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        // SAFETY: the functions are those of the C API for predecessors.
        unsafe {
            neighbour(
                py,
                &self.of,
                index,
                mlirBlockGetNumPredecessors,
                mlirBlockGetPredecessor,
            )
        }
    }
}

list_methods!(iterated BlockPredecessors {});
