//! The adoption of nodes without a parent: new trees, which own them.

use std::sync::Arc;

use mondo_ir::nodes::{Block, Loose, Op};
use pyo3::prelude::*;

use crate::ownership::block;
use crate::ownership::context::Entered;
use crate::ownership::module;
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::tree::{Root, RootKind, Tree};

/// The object for an operation without a parent, which a new tree owns. `open` says whether it may use values
/// of other trees.
pub(crate) fn operation<'ctx>(
    ctx: Entered<'_, 'ctx>,
    op: Loose<Op<'ctx>>,
    open: bool,
) -> PyResult<Py<OperationBase>> {
    // SAFETY: the operation is live and of the context, by its brand; it has no parent, and nobody else has it.
    unsafe { operation::adopt(ctx.py(), ctx.object(), op.node().raw(), open) }
}

/// The same for a module.
pub(crate) fn module<'ctx>(
    ctx: Entered<'_, 'ctx>,
    op: Loose<Op<'ctx>>,
) -> PyResult<Py<module::Module>> {
    // What it has uses nothing of other trees.
    module::of(ctx.py(), operation(ctx, op, false)?)
}

/// The object for a block without a region, which a new tree owns.
pub(crate) fn block<'ctx>(
    ctx: Entered<'_, 'ctx>,
    block: Loose<Block<'ctx>>,
) -> PyResult<Py<block::Block>> {
    // SAFETY: the block is live and of the context, by its brand; it is in no region, and nobody else has it.
    unsafe { block::adopt(ctx.py(), ctx.object(), block.node().raw()) }
}

/// A new tree for an operation that was taken out of its block.
pub(crate) fn tree_of_op<'ctx>(
    ctx: Entered<'_, 'ctx>,
    op: &Loose<Op<'ctx>>,
) -> PyResult<(Py<Tree>, Arc<Root>)> {
    let raw = op.node().raw().ptr;
    // SAFETY: as in `operation`.
    unsafe { Tree::adopt(ctx.py(), ctx.object(), RootKind::Operation, raw, true) }
}

/// A new tree for a block that was taken out of its region.
pub(crate) fn tree_of_block<'ctx>(
    ctx: Entered<'_, 'ctx>,
    block: &Loose<Block<'ctx>>,
) -> PyResult<(Py<Tree>, Arc<Root>)> {
    let raw = block.node().raw().ptr;
    // SAFETY: as in `block`.
    unsafe { Tree::adopt(ctx.py(), ctx.object(), RootKind::Block, raw, true) }
}
