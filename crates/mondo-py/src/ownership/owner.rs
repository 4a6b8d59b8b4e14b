//! The lookup of the owner: the root and the tree that an operation or a block is in.

use std::sync::Arc;

use mondo_ir::nodes;
use mondo_sys::*;
use pyo3::prelude::*;

use crate::interop::capsule;
use crate::ownership::block::{self, Block};
use crate::ownership::context::Context;
use crate::ownership::operation::{Observed, OperationBase, wrap};
use crate::ownership::region;
use crate::ownership::tree::{self, Root, Tree};

/// The root that the topmost node around an operation is, if it is one of ours.
pub(crate) fn root_of(op: MlirOperation) -> Option<Arc<Root>> {
    // SAFETY: the callers pass live operations; so is what is around them.
    unsafe {
        let top = mondoOperationGetRoot(op);
        let block = mlirOperationGetBlock(top);
        if block.ptr.is_null() {
            return tree::root(&Observed::of(top)?.node);
        }
        root_of_block(block)
    }
}

/// The tree of an operation that MLIR or an extension speaks of. Where it is in none, one that owns
/// nothing.
///
/// # Safety
///
/// `op` is live.
pub(crate) unsafe fn tree_of<'py>(
    py: Python<'py>,
    op: MlirOperation,
) -> PyResult<Bound<'py, Tree>> {
    if let Some(tree) = root_of(op).and_then(|root| root.tree(py)) {
        return Ok(tree);
    }
    // SAFETY: the operation is live, and so is its context.
    let context = unsafe { Context::of(py, mlirOperationGetContext(op))? };
    Tree::borrowed(py, &context)
}

/// The `Operation` for something that MLIR or an extension speaks of.
///
/// # Safety
///
/// `op` is live.
pub(crate) unsafe fn find(py: Python<'_>, op: MlirOperation) -> PyResult<Py<OperationBase>> {
    // SAFETY: the caller vouches for the operation.
    unsafe {
        // The common case: somebody has the object, and so its tree.
        if let Some(tree) = Observed::of(op).and_then(|it| it.tree(py).ok()) {
            return wrap(py, tree.as_unbound(), op);
        }
        wrap(py, tree_of(py, op)?.as_unbound(), op)
    }
}

/// [`find`] for an operation that a call uses.
pub(crate) fn object(py: Python<'_>, op: nodes::Op<'_>) -> PyResult<Py<OperationBase>> {
    // SAFETY: the operation is live, by its brand.
    unsafe { find(py, op.raw()) }
}

/// The root that the topmost node around a live block is, if it is one of ours.
pub(crate) fn root_of_block(block: MlirBlock) -> Option<Arc<Root>> {
    // SAFETY: the callers pass live blocks; so is what is around them.
    unsafe {
        let op = mlirBlockGetParentOperation(block);
        if !op.ptr.is_null() {
            return root_of(op);
        }
        let region = mondoBlockGetParentRegionOrNull(block);
        if region.ptr.is_null() {
            tree::root(&Block::of(block)?.node)
        } else {
            region::root_of(region)
        }
    }
}

/// The tree of a block that MLIR or an extension speaks of.
///
/// # Safety
///
/// `block` is live.
pub(crate) unsafe fn tree_of_block<'py>(
    py: Python<'py>,
    block: MlirBlock,
) -> PyResult<Bound<'py, Tree>> {
    if let Some(tree) = root_of_block(block).and_then(|root| root.tree(py)) {
        return Ok(tree);
    }
    // SAFETY: the block is live; so is the operation around it.
    let op = unsafe { mlirBlockGetParentOperation(block) };
    if op.ptr.is_null() {
        return Err(capsule::unknown_context());
    }
    // SAFETY: as above.
    unsafe { tree_of(py, op) }
}

/// The object for a block that may be in another tree if trees are open.
///
/// # Safety
///
/// `block` is live.
pub(crate) unsafe fn wrap_block_in(
    py: Python<'_>,
    tree: &Py<Tree>,
    block: MlirBlock,
) -> PyResult<Py<PyAny>> {
    // SAFETY: the caller vouches for the block.
    unsafe {
        let object = if tree.get().context().get().has_open_trees() {
            block::wrap(py, tree_of_block(py, block)?.as_unbound(), block)?
        } else {
            block::wrap(py, tree, block)?
        };
        Ok(object.into_any())
    }
}

/// The object for a block that MLIR speaks of, in its own tree.
pub(crate) fn block_object(py: Python<'_>, block: nodes::Block<'_>) -> PyResult<Py<Block>> {
    // SAFETY: the block is live, by its brand.
    unsafe {
        block::wrap(
            py,
            tree_of_block(py, block.raw())?.as_unbound(),
            block.raw(),
        )
    }
}
