//! Uses of values and blocks that reach from one operation into another.

use mondo_sys::*;

use super::{for_each_block, for_each_op};

/// Whether anything that is not below `root` uses a value or a block that `root` or something below
/// it defines. `root` is live.
pub(super) fn is_used_outside(root: MlirOperation) -> bool {
    let mut found = false;
    for_each_op(root, |op| {
        // SAFETY: `op` is live, and the indices are below the counts.
        unsafe {
            found = found
                || (0..mlirOperationGetNumResults(op))
                    .any(|index| value_is_used(mlirOperationGetResult(op, index), root));
        }
        for_each_block(op, |block| found = found || block_is_used(block, root));
    });
    found
}

fn value_is_used(value: MlirValue, outside: MlirOperation) -> bool {
    // SAFETY: the value is live, and so are its uses and what owns them.
    unsafe {
        let mut operand = mlirValueGetFirstUse(value);
        while !mlirOpOperandIsNull(operand) {
            if !is_within(mlirOpOperandGetOwner(operand), outside) {
                return true;
            }
            operand = mlirOpOperandGetNextUse(operand);
        }
        false
    }
}

fn block_is_used(block: MlirBlock, outside: MlirOperation) -> bool {
    // SAFETY: the block is live, and the indices are below the counts.
    unsafe {
        let arguments = mlirBlockGetNumArguments(block);
        (0..arguments).any(|index| value_is_used(mlirBlockGetArgument(block, index), outside))
            || (0..mlirBlockGetNumPredecessors(block)).any(|index| {
                let from = mlirBlockGetPredecessor(block, index);
                // A terminator that is in no block has the null block.
                from.ptr.is_null() || !is_within(mlirBlockGetParentOperation(from), outside)
            })
    }
}

/// Whether `op` is `root` or below it. Both are live, or `op` is null.
fn is_within(mut op: MlirOperation, root: MlirOperation) -> bool {
    while !op.ptr.is_null() && op.ptr != root.ptr {
        // SAFETY: `op` is live.
        op = unsafe { mlirOperationGetParentOperation(op) };
    }
    !op.ptr.is_null()
}

/// Makes `op`, which is live, use nothing: it has no operands, and all its successors are `nowhere`.
pub(super) fn drop_uses(op: MlirOperation, nowhere: MlirBlock) {
    // SAFETY: both are live, no operands need no array, and the indices are below the count.
    unsafe {
        mlirOperationSetOperands(op, 0, std::ptr::null());
        for index in 0..mlirOperationGetNumSuccessors(op) {
            mlirOperationSetSuccessor(op, index, nowhere);
        }
    }
}
