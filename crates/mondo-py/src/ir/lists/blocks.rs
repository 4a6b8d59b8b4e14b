//! Lists of blocks: successors and predecessors.

use mondo_sys::*;
use pyo3::prelude::*;

use crate::ir::lists::sequence::{Span, list_class, list_methods, open_both, removed};
use crate::ownership::block::Block;
use crate::ownership::operation::OperationBase;
use crate::ownership::owner;
use crate::ownership::wrapper::{self, impl_transient};

list_class! {
    /// The blocks that control may go to from an operation.
    OpSuccessors of OperationBase, mlirOperationGetNumSuccessors
}

impl OpSuccessors {
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
        open_both(&tree, &other);
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

list_class! {
    /// The blocks that control may go to from a block.
    BlockSuccessors of Block, mlirBlockGetNumSuccessors
}

impl BlockSuccessors {
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

impl_transient!(BlockPredecessors { of } { span: Span::all(0) });

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
