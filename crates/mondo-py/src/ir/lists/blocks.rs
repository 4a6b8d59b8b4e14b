//! Lists of blocks: successors and predecessors.

use mondo_sys::*;
use pyo3::prelude::*;

use crate::ir::lists::sequence::{Span, list_methods, removed};
use crate::ownership::block::Block;
use crate::ownership::operation::OperationBase;
use crate::ownership::owner;
use crate::ownership::wrapper::{self, light};

/// The blocks that control may go to from an operation.
#[pyclass(frozen, sequence, subclass)]
pub(crate) struct OpSuccessors {
    of: Py<OperationBase>,
    span: Span,
}

light!(OpSuccessors { of } { span: Span::all(0) });

impl OpSuccessors {
    pub(crate) fn new<'py>(py: Python<'py>, of: Py<OperationBase>) -> PyResult<Bound<'py, Self>> {
        // SAFETY: the operation is live.
        let count = unsafe { mlirOperationGetNumSuccessors(of.get().get(py)?) };
        let span = Span::all(count);
        wrapper::new(py, Self { of, span })
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
            owner::wrap_block_in(py, self.of.get().tree(py)?.as_unbound(), successor)
        }
    }
}

list_methods!(iterated OpSuccessors {
    /// Makes control go to another block.
    fn __setitem__(&self, py: Python<'_>, index: isize, block: &Bound<'_, Block>) -> PyResult<()> {
        let index = self.span.index(index)?;
        let op = self.of.get().get(py)?;
        let tree = self.of.get().tree(py)?;
        tree.get().refuse_change()?;
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

/// The blocks that control may come from to `block`, which is live; a terminator that is in no block
/// (detached, cloned) comes from none.
fn predecessors(block: MlirBlock) -> impl Iterator<Item = MlirBlock> {
    // SAFETY: the block is live, and the indices are below the count.
    unsafe {
        (0..mlirBlockGetNumPredecessors(block))
            .map(move |index| mlirBlockGetPredecessor(block, index))
            .filter(|block| !block.ptr.is_null())
    }
}

/// The blocks that control may go to from a block.
#[pyclass(frozen, sequence, subclass)]
pub(crate) struct BlockSuccessors {
    of: Py<Block>,
    span: Span,
}

light!(BlockSuccessors { of } { span: Span::all(0) });

impl BlockSuccessors {
    pub(crate) fn new<'py>(py: Python<'py>, of: Py<Block>) -> PyResult<Bound<'py, Self>> {
        // SAFETY: the block is live.
        let count = unsafe { mlirBlockGetNumSuccessors(of.get().get(py)?) };
        let span = Span::all(count);
        wrapper::new(py, Self { of, span })
    }

    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        let raw = self.of.get().get(py)?;
        // SAFETY: the block is live, the index is checked against the count, and successors are live.
        unsafe {
            if index >= mlirBlockGetNumSuccessors(raw) {
                return Err(removed("successor"));
            }
            let block = mlirBlockGetSuccessor(raw, index);
            owner::wrap_block_in(py, self.of.get().tree(py)?.as_unbound(), block)
        }
    }
}

list_methods!(iterated BlockSuccessors {});

/// The blocks that control may come from.
#[pyclass(frozen, sequence, subclass)]
pub(crate) struct BlockPredecessors {
    of: Py<Block>,
    span: Span,
}

light!(BlockPredecessors { of } { span: Span::all(0) });

impl BlockPredecessors {
    pub(crate) fn new<'py>(py: Python<'py>, of: Py<Block>) -> PyResult<Bound<'py, Self>> {
        let count = predecessors(of.get().get(py)?).count() as isize;
        let span = Span::all(count);
        wrapper::new(py, Self { of, span })
    }

    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        let raw = self.of.get().get(py)?;
        let block = predecessors(raw)
            .nth(index.unsigned_abs())
            .ok_or_else(|| removed("predecessor"))?;
        // SAFETY: what goes to a live block is live, and so is the block that it is in.
        unsafe { owner::wrap_block_in(py, self.of.get().tree(py)?.as_unbound(), block) }
    }
}

list_methods!(iterated BlockPredecessors {});
