//! Functions over trees of operations as raw C handles: iteration, uses from outside, roots, and
//! cutting a tree out of the others.

use mondo_sys::{
    MlirBlock, MlirContext, MlirOpOperand, MlirOperation, MlirRegion, MlirValue,
    MondoOperationParts, mlirBlockGetArgument, mlirBlockGetFirstOperation,
    mlirBlockGetNextInRegion, mlirBlockGetNumArguments, mlirBlockGetParentOperation,
    mlirLocationUnknownGet, mlirOpOperandGetNextUse, mlirOpOperandGetOwner, mlirOpOperandIsNull,
    mlirOperationGetNextInBlock, mlirOperationGetNumOperands, mlirOperationGetNumRegions,
    mlirOperationGetNumResults, mlirOperationGetNumSuccessors, mlirOperationGetParentOperation,
    mlirOperationGetRegion, mlirOperationGetResult, mlirOperationGetSuccessor,
    mlirOperationSetOperands, mlirOperationSetSuccessor, mlirRegionCreate, mlirRegionGetFirstBlock,
    mlirValueGetFirstUse, mondoBlockGetUsers, mondoOperationCreate,
};

use crate::callback::string_ref;

/// An operation with one empty region, of no dialect.
///
/// # Safety
///
/// The context is live.
pub(crate) unsafe fn holder(context: MlirContext) -> MlirOperation {
    // SAFETY: the arrays are as long as said, and the operation owns the new region.
    unsafe {
        let region = mlirRegionCreate();
        mondoOperationCreate(&MondoOperationParts {
            name: string_ref("mondo.erased"),
            location: mlirLocationUnknownGet(context),
            nResults: 0,
            results: std::ptr::null(),
            nOperands: 0,
            operands: std::ptr::null(),
            nAttributes: 0,
            attributes: std::ptr::null(),
            nSuccessors: 0,
            successors: std::ptr::null(),
            nRegions: 1,
            regions: &raw const region,
        })
    }
}

/// The blocks of a region.
///
/// # Safety
///
/// The region is live, and its blocks stay while this is used.
pub(crate) unsafe fn blocks(region: MlirRegion) -> impl Iterator<Item = MlirBlock> {
    // SAFETY: the region is live, and its blocks stay, by this function's contract.
    let first = unsafe { mlirRegionGetFirstBlock(region) };
    let is_there = |block: &MlirBlock| !block.ptr.is_null();
    std::iter::successors(Some(first).filter(is_there), move |block| {
        // SAFETY: the region's blocks stay while the iterator is used, by this function's contract.
        Some(unsafe { mlirBlockGetNextInRegion(*block) }).filter(is_there)
    })
}

/// The operations of a block.
///
/// # Safety
///
/// The block is live, and its operations stay while this is used.
pub(crate) unsafe fn operations(block: MlirBlock) -> impl Iterator<Item = MlirOperation> {
    // SAFETY: the block is live, and its operations stay, by this function's contract.
    let first = unsafe { mlirBlockGetFirstOperation(block) };
    let is_there = |op: &MlirOperation| !op.ptr.is_null();
    std::iter::successors(Some(first).filter(is_there), move |op| {
        // SAFETY: the block's operations stay while the iterator is used, by this function's contract.
        Some(unsafe { mlirOperationGetNextInBlock(*op) }).filter(is_there)
    })
}

/// The blocks directly in an operation.
///
/// # Safety
///
/// The operation is live, and its blocks stay while this is used.
pub(crate) unsafe fn blocks_in(op: MlirOperation) -> impl Iterator<Item = MlirBlock> {
    // SAFETY: the caller vouches for the operation; each index is below the count.
    let count = unsafe { mlirOperationGetNumRegions(op) };
    // SAFETY: each index is below the count, and the operation and its blocks stay while the iterator is
    // used (this function's contract).
    (0..count).flat_map(move |index| unsafe { blocks(mlirOperationGetRegion(op, index)) })
}

/// Calls `visit` with the operation and everything in it. Ends when that returns true, and says so.
///
/// # Safety
///
/// The operation is live; `visit` neither moves nor destroys anything.
pub(crate) unsafe fn any(op: MlirOperation, visit: &mut impl FnMut(MlirOperation) -> bool) -> bool {
    // SAFETY: the operation is live, by this function's contract.
    visit(op)
        || unsafe { blocks_in(op) }
            .any(|block| unsafe { operations(block) }.any(|inner| unsafe { any(inner, visit) }))
}

/// The users of a value, once for each use.
///
/// # Safety
///
/// The value is live, and its uses stay while this is used.
pub(crate) unsafe fn users(value: MlirValue) -> impl Iterator<Item = MlirOperation> {
    // SAFETY: the caller vouches for the value and its uses; a null use is asked for no more.
    let is_there = |used: &MlirOpOperand| !unsafe { mlirOpOperandIsNull(*used) };
    // SAFETY: the value is live, by this function's contract.
    let first = unsafe { mlirValueGetFirstUse(value) };
    std::iter::successors(Some(first).filter(is_there), move |used| {
        // SAFETY: the value's uses stay while the iterator is used, by this function's contract, and this
        // one is not null.
        Some(unsafe { mlirOpOperandGetNextUse(*used) }).filter(is_there)
    })
    // SAFETY: a use belongs to a live operation as long as the value is used (this function's contract).
    .map(|used| unsafe { mlirOpOperandGetOwner(used) })
}

/// The values that an operation or its blocks define; not those of what is deeper.
///
/// # Safety
///
/// The operation is live, and so is what is in it while this is used.
unsafe fn values(op: MlirOperation) -> impl Iterator<Item = MlirValue> {
    // SAFETY: the caller vouches for the operation; each index is below the count.
    let results = unsafe { mlirOperationGetNumResults(op) };
    // SAFETY: each index is below the count, and the operation stays while the iterator is used (this
    // function's contract).
    let results = (0..results).map(move |index| unsafe { mlirOperationGetResult(op, index) });
    // SAFETY: the operation and its blocks stay while the iterator is used, by this function's contract.
    let arguments = unsafe { blocks_in(op) }.flat_map(|block| {
        // SAFETY: a block in the operation is live, by this function's contract.
        let count = unsafe { mlirBlockGetNumArguments(block) };
        // SAFETY: a block in the operation is live, by this function's contract, and each index is below
        // the count.
        (0..count).map(move |index| unsafe { mlirBlockGetArgument(block, index) })
    });
    results.chain(arguments)
}

/// The operations that have the block as a successor, once for each time.
///
/// # Safety
///
/// The block is live.
pub(crate) unsafe fn block_users(block: MlirBlock) -> Vec<MlirOperation> {
    // SAFETY: the block is live, by this function's contract. Of no capacity, nothing is filled in; then the vector
    // has as many elements as it says.
    unsafe {
        let count = mondoBlockGetUsers(block, 0, std::ptr::null_mut());
        let nothing = MlirOperation {
            ptr: std::ptr::null_mut(),
        };
        let mut users = vec![nothing; count.unsigned_abs()];
        if count > 0 {
            mondoBlockGetUsers(block, count, users.as_mut_ptr());
        }
        users
    }
}

/// True if `op` is `ancestor` or in it.
///
/// # Safety
///
/// The operation is live.
pub(crate) unsafe fn is_in(op: MlirOperation, ancestor: MlirOperation) -> bool {
    let mut at = op;
    while !at.ptr.is_null() {
        if at.ptr == ancestor.ptr {
            return true;
        }
        // SAFETY: an ancestor of a live operation is live.
        at = unsafe { mlirOperationGetParentOperation(at) };
    }
    false
}

/// True if something that is not in `top` uses a value or a block of it.
///
/// # Safety
///
/// The operation is live.
pub(crate) unsafe fn is_used_outside(top: MlirOperation) -> bool {
    // SAFETY: the operation is live, by this function's contract, and nothing is changed meanwhile.
    unsafe {
        any(top, &mut |op| {
            values(op).any(|value| users(value).any(|user| !is_in(user, top)))
                || blocks_in(op).any(|block| block_users(block).into_iter().any(|user| !is_in(user, top)))
        })
    }
}

/// Removes each operand of the operation and of what is in it; a successor outside of it is replaced by
/// the block that `placeholder` returns.
///
/// # Safety
///
/// The operation is live and is destroyed before the block.
pub(crate) unsafe fn cut(top: MlirOperation, placeholder: impl Fn() -> MlirBlock) {
    // SAFETY: the caller vouches for the operation and the block; each index is below the count. An
    // operation without operands is left alone, as it may have no place for any.
    unsafe {
        any(top, &mut |op| {
            if mlirOperationGetNumOperands(op) > 0 {
                mlirOperationSetOperands(op, 0, std::ptr::null());
            }
            for index in 0..mlirOperationGetNumSuccessors(op) {
                let successor = mlirOperationGetSuccessor(op, index);
                if !is_in(mlirBlockGetParentOperation(successor), top) {
                    mlirOperationSetSuccessor(op, index, placeholder());
                }
            }
            false
        });
    }
}
