//! The erasure of operations, blocks and block arguments. These functions take wrappers instead of handles,
//! so that no caller has a handle of a destroyed node afterwards.

use mondo_ir::nodes::Op;
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;

use crate::ownership::block::Block;
use crate::ownership::cross_tree_uses;
use crate::ownership::operation::OperationBase;
use crate::ownership::reentrancy;
use crate::ownership::transfer;
use crate::ownership::wrapper::{Cause, because, reclaim};

/// Destroys an operation and everything below it.
pub(crate) fn operation(py: Python<'_>, object: &OperationBase) -> PyResult<()> {
    let kept = object.enter(py, |at, op| {
        reentrancy::refuse_move(at.object().get(), op)?;
        refuse_used(op)?;
        // The wrappers below give up their references to the tree here; `kept` keeps the tree and those
        // references until the operation is destroyed.
        let kept = (
            at.tree().clone_ref(py),
            transfer::operation_to(py, op, None),
        );
        let apart = cross_tree_uses::part_regions(op);
        // SAFETY: `enter` has found the operation live, and `refuse_used` that nothing outside uses what it
        // defines. No handle of it or below it is used after this.
        because(Cause::Erased, || unsafe { op.destroy() });
        drop(apart);
        Ok(kept)
    })?;
    reclaim(py);
    drop(kept);
    Ok(())
}

/// Fails if an operation outside of `op` uses its results, or values or blocks that are defined in it.
fn refuse_used(op: Op<'_>) -> PyResult<()> {
    if op.results().any(|result| result.first_use().is_some()) {
        return Err(PyRuntimeError::new_err(
            "cannot erase an operation while its results have uses",
        ));
    }
    if cross_tree_uses::is_used_outside(op) {
        return Err(PyRuntimeError::new_err(
            "cannot erase an operation while something outside of it (perhaps detached or cloned) \
             uses a value or a block that is inside; erase that first",
        ));
    }
    Ok(())
}

/// Destroys a block and all operations in it.
pub(crate) fn block(py: Python<'_>, object: &Block) -> PyResult<()> {
    object.tree(py)?.get().refuse_change()?;
    let kept = object.enter(py, |at, block| {
        refuse_in_pass(at.object().get(), block)?;
        if cross_tree_uses::block_is_used_outside(block) {
            return Err(PyRuntimeError::new_err(
                "cannot erase a block while something outside of it uses it or a value in it",
            ));
        }
        let kept = (at.tree().clone_ref(py), transfer::block_to(py, block, None));
        because(Cause::Erased, || {
            let loose = block.take_out();
            // SAFETY: `enter` has found the block live, nothing outside uses it, as checked above, and
            // `take_out` took it out of its region; no handle is used after this.
            unsafe { loose.node().destroy() };
        });
        Ok(kept)
    })?;
    reclaim(py);
    drop(kept);
    Ok(())
}

/// Fails if a running pass, rewrite or diagnostic handler needs one of the operations of a block to stay in
/// place.
pub(crate) fn refuse_in_pass(
    context: &crate::ownership::context::Context,
    block: mondo_ir::nodes::Block<'_>,
) -> PyResult<()> {
    let mut operations = block.operations();
    operations.try_for_each(|op| reentrancy::refuse_move(context, op))
}

/// Removes an argument of a block.
pub(crate) fn argument(py: Python<'_>, object: &Block, index: usize) -> PyResult<()> {
    object.tree(py)?.get().refuse_change()?;
    object.enter(py, |_, block| {
        let out_of_range = || PyIndexError::new_err("index out of range");
        let argument = block.argument(index).ok_or_else(out_of_range)?;
        if argument.first_use().is_some() {
            return Err(PyRuntimeError::new_err(
                "cannot erase a block argument while it has uses",
            ));
        }
        // MLIR counts arguments in 32 bits, so that this does not fail.
        let index = u32::try_from(index).map_err(|_| out_of_range())?;
        because(Cause::Erased, || {
            // SAFETY: `enter` has found the block live, `argument` that the index is in range, and
            // `first_use` that nothing uses the argument. No handle of it, and no iterator over the block's
            // arguments, is used after this.
            unsafe { block.erase_argument(index) };
        });
        Ok(())
    })?;
    reclaim(py);
    Ok(())
}
