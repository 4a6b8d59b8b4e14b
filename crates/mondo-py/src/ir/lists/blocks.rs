//! Lists of blocks: successors and predecessors.

use mondo_ir::declarations as c;
use pyo3::prelude::*;

use crate::ir::lists::sequence::{Span, list_class, list_methods, open_both, removed};
use crate::ownership::block::Block;
use crate::ownership::operation::OperationBase;
use crate::ownership::wrapper::{self, impl_transient};

list_class! {
    /// The blocks that control may go to from an operation.
    OpSuccessors of OperationBase, c::mlirOperationGetNumSuccessors
}

impl OpSuccessors {
    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        self.of.get().enter(py, |at, op| {
            let block = op.successor(index.unsigned_abs());
            at.block_anywhere(block.ok_or_else(|| removed("successor"))?)
        })
    }
}

list_methods!(iterated OpSuccessors {
    /// Makes control go to another block.
    fn __setitem__(&self, py: Python<'_>, index: isize, block: &Bound<'_, Block>) -> PyResult<()> {
        let index = self.span.index(index)?.unsigned_abs();
        self.of.get().enter(py, |at, op| {
            let other = block.get().tree(py)?;
            other.get().refuse_user(Some(at.tree().get()))?;
            at.tree().get().modify(op)?;
            if !op.set_successor(index, block.get().within(at.ctx())?) {
                return Err(removed("successor"));
            }
            open_both(at.tree().bind(py), &other);
            Ok(())
        })
    }
});

list_class! {
    /// The blocks that control may go to from a block.
    BlockSuccessors of Block, c::mlirBlockGetNumSuccessors
}

impl BlockSuccessors {
    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        self.of.get().enter(py, |at, block| {
            let successor = block.successor(index.unsigned_abs());
            at.block_anywhere(successor.ok_or_else(|| removed("successor"))?)
        })
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
        let count = of.get().read(py, |block| block.predecessors().count())?;
        let span = Span::all(count as isize);
        wrapper::new(py, Self { of, span })
    }

    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        self.of.get().enter(py, |at, block| {
            let before = block.predecessors().nth(index.unsigned_abs());
            at.block_anywhere(before.ok_or_else(|| removed("predecessor"))?)
        })
    }
}

list_methods!(iterated BlockPredecessors {});
