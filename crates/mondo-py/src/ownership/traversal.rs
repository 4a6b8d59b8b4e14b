//! Walks over the operations and blocks of IR, and the topmost thing around one of them.

use std::ffi::c_void;
use std::ops::ControlFlow;
use std::ptr;

use mondo_ir::nodes;
use mondo_ir::nodes::Op;
use mondo_sys::*;

/// Calls `visit` for `root` and every operation below it, parents first.
pub(crate) fn for_each_op(root: MlirOperation, visit: &mut dyn FnMut(MlirOperation)) {
    unsafe extern "C" fn step(op: MlirOperation, visit: *mut c_void) -> MlirWalkResult {
        // SAFETY: `visit` is the reference below, which only this walk uses.
        unsafe { (*visit.cast::<&mut dyn FnMut(MlirOperation)>())(op) };
        MlirWalkResultAdvance
    }
    let mut visit = visit;
    let data = (&raw mut visit).cast();
    // SAFETY: the callers pass live roots, and their closures do not change the structure.
    unsafe { mlirOperationWalk(root, Some(step), data, MlirWalkPreOrder) };
}

/// Calls `visit` for an operation and every one below it, parents first, until it breaks off.
pub(crate) fn walk<'ctx, B>(
    op: Op<'ctx>,
    visit: &mut dyn FnMut(Op<'ctx>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    visit(op)?;
    let mut below = op.blocks().flat_map(|block| block.operations());
    below.try_for_each(|op| walk(op, visit))
}

/// Calls `visit` for every block of `op`'s own regions.
#[inline]
pub(crate) fn for_each_block(op: MlirOperation, visit: &mut dyn FnMut(MlirBlock)) {
    // SAFETY: the callers pass live operations, and the indices are below the counts.
    unsafe {
        for index in 0..mlirOperationGetNumRegions(op) {
            for_each_block_of(mlirOperationGetRegion(op, index), visit);
        }
    }
}

/// Calls `visit` for every block of a live region.
pub(crate) fn for_each_block_of(region: MlirRegion, visit: &mut dyn FnMut(MlirBlock)) {
    // SAFETY: the callers pass live regions.
    unsafe {
        let mut block = mlirRegionGetFirstBlock(region);
        while !block.ptr.is_null() {
            visit(block);
            block = mlirBlockGetNextInRegion(block);
        }
    }
}

/// Calls `visit` for every operation of a live block, with all below it.
pub(crate) fn for_each_op_of(block: MlirBlock, visit: &mut dyn FnMut(MlirOperation)) {
    // SAFETY: the callers pass live blocks.
    unsafe {
        let mut op = mlirBlockGetFirstOperation(block);
        while !op.ptr.is_null() {
            for_each_op(op, visit);
            op = mlirOperationGetNextInBlock(op);
        }
    }
}

/// Returns whether something in `op` or below it uses a value or a block that is defined in another
/// tree than `root` is the top of.
pub(crate) fn uses_other_trees(op: MlirOperation, root: *mut c_void) -> bool {
    let mut found = false;
    for_each_op(op, &mut |op| {
        // SAFETY: the walk stays within live operations, whose operands and successors are live, and
        // the indices are below the counts.
        unsafe {
            found = found
                || (0..mlirOperationGetNumOperands(op))
                    .any(|index| top_of(mlirOperationGetOperand(op, index)) != root)
                || (0..mlirOperationGetNumSuccessors(op))
                    .any(|index| top_of_block(mlirOperationGetSuccessor(op, index)) != root);
        }
    });
    found
}

/// Returns whether something in a live block uses a value or a block that is defined in another tree.
pub(crate) fn block_uses_other_trees(block: MlirBlock) -> bool {
    // SAFETY: the callers pass live blocks.
    let root = unsafe { top_of_block(block) };
    let mut found = false;
    // SAFETY: as above; the operations are live.
    unsafe {
        let mut op = mlirBlockGetFirstOperation(block);
        while !op.ptr.is_null() {
            found = found || uses_other_trees(op, root);
            op = mlirOperationGetNextInBlock(op);
        }
    }
    found
}

/// The same of an operation that a call uses, and the top of its own tree.
pub(crate) fn uses_others(op: nodes::Op<'_>) -> bool {
    // SAFETY: the operation is live, by its brand.
    uses_other_trees(op.raw(), unsafe { top_of_operation(op.raw()) })
}

/// The same of a block that a call uses.
pub(crate) fn block_uses_others(block: nodes::Block<'_>) -> bool {
    block_uses_other_trees(block.raw())
}

/// The address of the topmost thing around a live value.
unsafe fn top_of(value: MlirValue) -> *mut c_void {
    // SAFETY: the caller vouches for the value, and what is around it is live.
    unsafe {
        if value.ptr.is_null() {
            return ptr::null_mut();
        }
        if mlirValueIsABlockArgument(value) {
            top_of_block(mlirBlockArgumentGetOwner(value))
        } else {
            top_of_operation(mlirOpResultGetOwner(value))
        }
    }
}

/// The address of the topmost thing around a live operation: an operation, a block or a region.
///
/// # Safety
///
/// `op` is live.
pub(crate) unsafe fn top_of_operation(op: MlirOperation) -> *mut c_void {
    // SAFETY: the caller vouches for the operation, and what is around it is live.
    unsafe {
        let top = mondoOperationGetRoot(op);
        let block = mlirOperationGetBlock(top);
        if block.ptr.is_null() {
            return top.ptr;
        }
        let region = mondoBlockGetParentRegionOrNull(block);
        if region.ptr.is_null() {
            block.ptr
        } else {
            region.ptr
        }
    }
}

/// The same for a live block.
///
/// # Safety
///
/// `block` is live.
pub(crate) unsafe fn top_of_block(block: MlirBlock) -> *mut c_void {
    // SAFETY: the caller vouches for the block, and what is around it is live.
    unsafe {
        let op = mlirBlockGetParentOperation(block);
        if !op.ptr.is_null() {
            return top_of_operation(op);
        }
        let region = mondoBlockGetParentRegionOrNull(block);
        if region.ptr.is_null() {
            block.ptr
        } else {
            region.ptr
        }
    }
}
