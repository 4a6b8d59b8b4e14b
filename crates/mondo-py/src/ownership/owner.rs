//! The lookup of the owner: the root and the tree that an operation or a block is in.

use std::sync::Arc;

use mondo_ir::declarations as c;
use mondo_ir::nodes;
use pyo3::prelude::*;

use crate::interop::capsule;
use crate::ownership::block::{self, Block};
use crate::ownership::context::Context;
use crate::ownership::operation::{Observed, OperationBase, wrap};
use crate::ownership::region;
use crate::ownership::tree::{self, Root, Tree};

/// The root of the tree that an operation is in; None if no tree owns its topmost ancestor.
pub(crate) fn root_of(op: nodes::Op<'_>) -> Option<Arc<Root>> {
    let top = op.root();
    match c::mlirOperationGetBlock(top) {
        Some(block) => root_of_block(block),
        None => tree::root(&Observed::of(top)?.member.node),
    }
}

/// The tree of an operation that came from MLIR or another extension. If no tree owns it, returns a new one
/// that owns nothing.
pub(crate) fn tree_of<'py>(py: Python<'py>, op: nodes::Op<'_>) -> PyResult<Bound<'py, Tree>> {
    if let Some(tree) = root_of(op).and_then(|root| root.tree(py)) {
        return Ok(tree);
    }
    Tree::borrowed(py, &Context::calling(py, op.uniquer())?)
}

/// The `Operation` of an operation that came from MLIR or another extension.
pub(crate) fn object(py: Python<'_>, op: nodes::Op<'_>) -> PyResult<Py<OperationBase>> {
    // The common case: the wrapper is active, and so has a reference to its tree.
    if let Some(tree) = Observed::of(op).and_then(|observed| observed.member.tree(py).ok()) {
        return wrap(py, tree.as_unbound(), op);
    }
    wrap(py, tree_of(py, op)?.as_unbound(), op)
}

/// The root of the tree that a block is in; None if no tree owns its topmost ancestor.
fn root_of_block(block: nodes::Block<'_>) -> Option<Arc<Root>> {
    if let Some(op) = c::mlirBlockGetParentOperation(block) {
        return root_of(op);
    }
    match block.region() {
        Some(region) => region::root_of(region),
        None => tree::root(&Block::of(block)?.member.node),
    }
}

/// The tree of a block that came from MLIR or another extension. If no tree owns it, returns a new one that
/// owns nothing; fails for a block that is in no operation either.
pub(crate) fn tree_of_block<'py>(
    py: Python<'py>,
    block: nodes::Block<'_>,
) -> PyResult<Bound<'py, Tree>> {
    if let Some(tree) = root_of_block(block).and_then(|root| root.tree(py)) {
        return Ok(tree);
    }
    let op = c::mlirBlockGetParentOperation(block).ok_or_else(capsule::unknown_context)?;
    tree_of(py, op)
}

/// The wrapper of a block, which is in `tree` unless the context has open trees.
pub(crate) fn wrap_block_in(
    py: Python<'_>,
    tree: &Py<Tree>,
    block: nodes::Block<'_>,
) -> PyResult<Py<PyAny>> {
    let object = if tree.get().context().get().has_open_trees() {
        block_object(py, block)?
    } else {
        block::wrap(py, tree, block)?
    };
    Ok(object.into_any())
}

/// The wrapper of a block that came from MLIR or another extension.
pub(crate) fn block_object(py: Python<'_>, block: nodes::Block<'_>) -> PyResult<Py<Block>> {
    block::wrap(py, tree_of_block(py, block)?.as_unbound(), block)
}
