//! Walks over the operations and blocks of IR, and the topmost ancestor of a node.

use std::ffi::c_void;
use std::ops::ControlFlow;
use std::ptr;

use mondo_ir::declarations as c;
use mondo_ir::nodes::{Block, Op, Owner, Value};

/// Calls `visit` for an operation and each one below it, in pre-order.
pub(crate) fn for_each_op<'ctx>(op: Op<'ctx>, visit: &mut dyn FnMut(Op<'ctx>)) {
    visit(op);
    for block in op.blocks() {
        for_each_op_of(block, visit);
    }
}

/// Calls `visit` for each operation of a block and each one below it, in pre-order.
pub(crate) fn for_each_op_of<'ctx>(block: Block<'ctx>, visit: &mut dyn FnMut(Op<'ctx>)) {
    for op in block.operations() {
        for_each_op(op, visit);
    }
}

/// Calls `visit` for an operation and each one below it, in pre-order, until `visit` returns `Break`.
pub(crate) fn walk<'ctx, B>(
    op: Op<'ctx>,
    visit: &mut dyn FnMut(Op<'ctx>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    visit(op)?;
    let mut below = op.blocks().flat_map(|block| block.operations());
    below.try_for_each(|op| walk(op, visit))
}

/// The values that an operation uses; None for an operand that was dropped.
pub(super) fn operands(op: Op<'_>) -> impl Iterator<Item = Option<Value<'_>>> {
    (0..).map_while(move |index| op.operand(index))
}

/// The blocks that an operation branches to.
pub(super) fn successors(op: Op<'_>) -> impl Iterator<Item = Block<'_>> {
    (0..).map_while(move |index| op.successor(index))
}

/// Returns whether `op` or an operation below it uses a value or a block that is defined in another tree than
/// that of `root`, the address of a topmost node.
fn uses_other_trees(op: Op<'_>, root: *mut c_void) -> bool {
    let mut found = false;
    for_each_op(op, &mut |op| {
        found = found
            || operands(op).any(|operand| operand.map_or(ptr::null_mut(), top_of) != root)
            || successors(op).any(|successor| top_of_block(successor) != root);
    });
    found
}

/// Returns whether `op` or an operation below it uses a value or a block that is defined in another tree.
pub(crate) fn uses_others(op: Op<'_>) -> bool {
    uses_other_trees(op, top_of_operation(op))
}

/// Returns whether an operation in a block uses a value or a block that is defined in another tree.
pub(crate) fn block_uses_others(block: Block<'_>) -> bool {
    let root = top_of_block(block);
    block.operations().any(|op| uses_other_trees(op, root))
}

/// The address of the topmost ancestor of a value.
fn top_of(value: Value<'_>) -> *mut c_void {
    match value.owner() {
        Owner::Block(block) => top_of_block(block),
        Owner::Op(op) => top_of_operation(op),
    }
}

/// The address of the topmost ancestor of an operation, itself included: an operation, a block or a region.
fn top_of_operation(op: Op<'_>) -> *mut c_void {
    let top = op.root();
    match c::mlirOperationGetBlock(top) {
        None => top.address().as_ptr(),
        Some(block) => region_or_block(block),
    }
}

/// The address of the topmost ancestor of a block, itself included.
fn top_of_block(block: Block<'_>) -> *mut c_void {
    match c::mlirBlockGetParentOperation(block) {
        Some(op) => top_of_operation(op),
        None => region_or_block(block),
    }
}

/// The address of the region that a block is in or, if there is none, of the block.
fn region_or_block(block: Block<'_>) -> *mut c_void {
    let region = block.region().map(|region| region.address());
    region.unwrap_or_else(|| block.address()).as_ptr()
}
