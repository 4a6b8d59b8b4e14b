//! Functions over trees of operations as raw C handles: going through one, uses from outside, and cutting a tree out
//! of the others. Programs build trees of any depth, so nothing here recurses.

use std::collections::HashSet;
use std::ffi::c_void;

use mondo_sys::{
    MlirBlock, MlirContext, MlirOpOperand, MlirOperation, MlirRegion, MlirValue,
    MondoOperationParts, mlirBlockArgumentGetOwner, mlirBlockGetArgument,
    mlirBlockGetFirstOperation, mlirBlockGetNextInRegion, mlirBlockGetNumArguments,
    mlirBlockGetParentOperation, mlirBlockGetParentRegion, mlirLocationUnknownGet,
    mlirOpOperandGetNextUse, mlirOpOperandGetOwner, mlirOpOperandIsNull, mlirOpResultGetOwner,
    mlirOperationDestroy, mlirOperationGetBlock, mlirOperationGetFirstRegion,
    mlirOperationGetNextInBlock, mlirOperationGetNumOperands, mlirOperationGetNumRegions,
    mlirOperationGetNumResults, mlirOperationGetNumSuccessors, mlirOperationGetOperand,
    mlirOperationGetParentOperation, mlirOperationGetRegion, mlirOperationGetResult,
    mlirOperationGetSuccessor, mlirOperationSetOperands, mlirOperationSetSuccessor,
    mlirRegionCreate, mlirRegionGetFirstBlock, mlirRegionGetNextInOperation, mlirValueGetFirstUse,
    mlirValueIsAOpResult, mondoBlockGetUsers, mondoOperationCreate,
};

use crate::callback::string_ref;

/// The levels that regions may nest, as in bytecode and text. MLIR follows them by recursion.
pub(crate) const LEVELS: usize = 1000;

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

/// The operation, and all that is in it, each before what is in it. The place is found by the pointers of the tree.
///
/// # Safety
///
/// The operation is live; nothing in it is moved or destroyed while this is used.
pub(crate) unsafe fn descent(top: MlirOperation) -> impl Iterator<Item = MlirOperation> {
    // SAFETY: this function has the contract of `levels`.
    unsafe { levels(top) }.map(|(op, _)| op)
}

/// As [`descent`], with the number of regions of `top` that are around each operation.
///
/// # Safety
///
/// As for [`descent`].
unsafe fn levels(top: MlirOperation) -> impl Iterator<Item = (MlirOperation, usize)> {
    // SAFETY: what is in a live operation is live, by this function's contract.
    std::iter::successors(Some((top, 0)), move |place| unsafe { next_in(*place, top) })
}

/// Returns true if the regions of `op` nest deeper than MLIR can follow, where `around` is the operation that it is in, or null.
///
/// # Safety
///
/// The operations are live.
pub(crate) unsafe fn is_too_deep_in(op: MlirOperation, around: MlirOperation) -> bool {
    // SAFETY: the operations are live, by this function's contract, and nothing is moved meanwhile.
    unsafe {
        let above = ancestors(around).take(LEVELS + 1).count();
        levels(op).any(|(_, below)| above + below > LEVELS)
    }
}

/// Returns true if the regions of `op` nest deeper than `most` levels.
///
/// # Safety
///
/// The operation is live.
pub(crate) unsafe fn is_deeper_than(op: MlirOperation, most: usize) -> bool {
    // SAFETY: the operation is live, by this function's contract, and nothing is moved meanwhile.
    unsafe { levels(op) }.any(|(_, below)| below > most)
}

/// The operation after `op` in a descent of `top`.
///
/// # Safety
///
/// As for [`descent`]; the operation is in `top`.
unsafe fn next_in(
    (op, level): (MlirOperation, usize),
    top: MlirOperation,
) -> Option<(MlirOperation, usize)> {
    // SAFETY: regions, blocks and operations around and in a live operation are live; null is handed to none of
    // the functions.
    unsafe {
        if let Some(inner) = first_from_region(mlirOperationGetFirstRegion(op)) {
            return Some((inner, level + 1));
        }
        let (mut op, mut level) = (op, level);
        while op.ptr != top.ptr {
            let next = mlirOperationGetNextInBlock(op);
            if !next.ptr.is_null() {
                return Some((next, level));
            }
            let block = mlirOperationGetBlock(op);
            let region = mlirBlockGetParentRegion(block);
            let next = first_from_block(mlirBlockGetNextInRegion(block))
                .or_else(|| first_from_region(mlirRegionGetNextInOperation(region)));
            if let Some(next) = next {
                return Some((next, level));
            }
            op = mlirOperationGetParentOperation(op);
            level -= 1;
        }
        None
    }
}

/// The first operation in a block or one after it in its region.
///
/// # Safety
///
/// The block is null or live.
unsafe fn first_from_block(block: MlirBlock) -> Option<MlirOperation> {
    let mut block = block;
    while !block.ptr.is_null() {
        // SAFETY: the block is live, and so is the one after it.
        unsafe {
            let first = mlirBlockGetFirstOperation(block);
            if !first.ptr.is_null() {
                return Some(first);
            }
            block = mlirBlockGetNextInRegion(block);
        }
    }
    None
}

/// The first operation in a region or one after it in its operation.
///
/// # Safety
///
/// The region is null or live.
unsafe fn first_from_region(region: MlirRegion) -> Option<MlirOperation> {
    let mut region = region;
    while !region.ptr.is_null() {
        // SAFETY: the region is live, and so is the one after it.
        unsafe {
            let first = first_from_block(mlirRegionGetFirstBlock(region));
            if first.is_some() {
                return first;
            }
            region = mlirRegionGetNextInOperation(region);
        }
    }
    None
}

/// The operation and those around it, from the inside out.
///
/// # Safety
///
/// The operation is live, and none of them is moved while this is used.
pub(crate) unsafe fn ancestors(op: MlirOperation) -> impl Iterator<Item = MlirOperation> {
    let is_there = |op: &MlirOperation| !op.ptr.is_null();
    std::iter::successors(Some(op).filter(is_there), move |op| {
        // SAFETY: an ancestor of a live operation is live.
        Some(unsafe { mlirOperationGetParentOperation(*op) }).filter(is_there)
    })
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

/// The arguments of a block.
///
/// # Safety
///
/// The block is live while this is used.
unsafe fn arguments(block: MlirBlock) -> impl Iterator<Item = MlirValue> {
    // SAFETY: the block is live, by this function's contract.
    let count = unsafe { mlirBlockGetNumArguments(block) };
    // SAFETY: the block is live, by this function's contract, and each index is below the count.
    (0..count).map(move |index| unsafe { mlirBlockGetArgument(block, index) })
}

/// The results of an operation.
///
/// # Safety
///
/// The operation is live while this is used.
unsafe fn results(op: MlirOperation) -> impl Iterator<Item = MlirValue> {
    // SAFETY: the operation is live, by this function's contract.
    let count = unsafe { mlirOperationGetNumResults(op) };
    // SAFETY: the operation is live, by this function's contract, and each index is below the count.
    (0..count).map(move |index| unsafe { mlirOperationGetResult(op, index) })
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

/// The users of a block and of its arguments, once for each use.
///
/// # Safety
///
/// The block is live, and its uses stay while this is used.
unsafe fn users_of_block(block: MlirBlock) -> impl Iterator<Item = MlirOperation> {
    // SAFETY: the block is live, and so are its arguments, whose uses stay (this function's contract).
    unsafe {
        let of_arguments = arguments(block).flat_map(|argument| users(argument));
        block_users(block).into_iter().chain(of_arguments)
    }
}

/// The users of what the operation or its blocks define, once for each use; not of what is deeper.
///
/// # Safety
///
/// The operation is live, and the uses stay while this is used.
pub(crate) unsafe fn users_of(op: MlirOperation) -> impl Iterator<Item = MlirOperation> {
    // SAFETY: the results and the blocks of a live operation are live, and the uses stay (this function's
    // contract).
    unsafe {
        let of_results = results(op).flat_map(|result| users(result));
        of_results.chain(blocks_in(op).flat_map(|block| users_of_block(block)))
    }
}

/// The operation that defines the value, or that has the block which it is an argument of; null where that is in
/// none.
///
/// # Safety
///
/// The value is live.
pub(crate) unsafe fn definer(value: MlirValue) -> MlirOperation {
    // SAFETY: each branch calls the function for the form of value that the comparison has found.
    unsafe {
        if mlirValueIsAOpResult(value) {
            mlirOpResultGetOwner(value)
        } else {
            mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
        }
    }
}

/// The operations around what the operation uses: its operands and successors that are not null.
///
/// # Safety
///
/// The operation is live, and keeps its operands and successors while this is used.
pub(crate) unsafe fn used_by(op: MlirOperation) -> impl Iterator<Item = MlirOperation> {
    // SAFETY: the operation is live; each index is below the count, and null is handed to no function.
    unsafe {
        let operands = (0..mlirOperationGetNumOperands(op))
            .map(move |index| mlirOperationGetOperand(op, index))
            .filter(|value| !value.ptr.is_null())
            .map(|value| definer(value));
        let successors = (0..mlirOperationGetNumSuccessors(op))
            .map(move |index| mlirOperationGetSuccessor(op, index))
            .filter(|block| !block.ptr.is_null())
            .map(|block| mlirBlockGetParentOperation(block));
        operands.chain(successors).filter(|op| !op.ptr.is_null())
    }
}

/// Returns true if `op` is `ancestor` or in it.
///
/// # Safety
///
/// The operation is live.
pub(crate) unsafe fn is_in(op: MlirOperation, ancestor: MlirOperation) -> bool {
    // SAFETY: the operation is live, by this function's contract, and nothing is moved meanwhile.
    unsafe { ancestors(op) }.any(|op| op.ptr == ancestor.ptr)
}

/// Returns true if the operation has that block, directly or deeper. One search goes up from the block and one down from the
/// operation, and the first that ends has the answer: so it takes no time to put a leaf into a deep tree, or a large
/// tree into a new operation.
///
/// # Safety
///
/// Both are live.
pub(crate) unsafe fn has_block(op: MlirOperation, block: MlirBlock) -> bool {
    // SAFETY: both are live, by this function's contract, and nothing is moved meanwhile.
    unsafe {
        let parent = mlirBlockGetParentOperation(block);
        let mut up = ancestors(parent);
        let mut down = descent(op);
        loop {
            match (up.next(), down.next()) {
                (Some(above), _) if above.ptr == op.ptr => return true,
                (_, Some(below)) if below.ptr == parent.ptr => return true,
                (Some(_), Some(_)) => {}
                _ => return false,
            }
        }
    }
}

/// Returns true if something that is not in `top` uses a value or a block of it.
///
/// # Safety
///
/// The operation is live.
pub(crate) unsafe fn is_used_outside(top: MlirOperation) -> bool {
    // SAFETY: the operation is live, by this function's contract, and nothing is changed meanwhile.
    unsafe {
        let mut inside = Inside::default();
        let mut users = descent(top).flat_map(|op| users_of(op));
        users.any(|user| !inside.has(user, || descent(top)))
    }
}

/// Returns true if something that is not in the block uses it, or a value or a block in it.
///
/// # Safety
///
/// The block is live.
pub(crate) unsafe fn block_is_used_outside(block: MlirBlock) -> bool {
    // SAFETY: the block is live, by this function's contract, and nothing is changed meanwhile.
    unsafe {
        let all = || operations(block).flat_map(|op| descent(op));
        let mut inside = Inside::default();
        let mut users = users_of_block(block).chain(all().flat_map(|op| users_of(op)));
        users.any(|user| !inside.has(user, all))
    }
}

/// The addresses of the operations of a tree, which are collected when the first one is asked for.
#[derive(Default)]
struct Inside(Option<HashSet<*mut c_void>>);

impl Inside {
    fn has<I: Iterator<Item = MlirOperation>>(
        &mut self,
        op: MlirOperation,
        all: impl FnOnce() -> I,
    ) -> bool {
        let addresses = self
            .0
            .get_or_insert_with(|| all().map(|op| op.ptr).collect());
        addresses.contains(&op.ptr)
    }
}

/// Returns true if anything uses a value or a block of a tree that uses none itself.
///
/// # Safety
///
/// The operation is live, and was cut.
pub(crate) unsafe fn is_used(top: MlirOperation) -> bool {
    // SAFETY: the operation is live, by this function's contract, and nothing is changed meanwhile.
    unsafe { descent(top).any(|op| users_of(op).next().is_some()) }
}

/// Lets an operation use nothing: its operands are removed, and the block takes the place of its successors.
///
/// # Safety
///
/// The operation is live and is destroyed before the block.
pub(crate) unsafe fn cut_one(op: MlirOperation, placeholder: impl Fn() -> MlirBlock) {
    // SAFETY: the caller vouches for the operation and the block; each index is below the count. An
    // operation without operands is left alone, as it may have no place for any.
    unsafe {
        if mlirOperationGetNumOperands(op) > 0 {
            mlirOperationSetOperands(op, 0, std::ptr::null());
        }
        for index in 0..mlirOperationGetNumSuccessors(op) {
            mlirOperationSetSuccessor(op, index, placeholder());
        }
    }
}

/// Lets the operation, and all that is in it, use nothing.
///
/// # Safety
///
/// As for [`cut_one`].
pub(crate) unsafe fn cut(top: MlirOperation, placeholder: impl Fn() -> MlirBlock) {
    // SAFETY: the caller vouches for the operation and the block; uses are not part of the tree's shape.
    unsafe { descent(top).for_each(|op| cut_one(op, &placeholder)) };
}

/// The levels of regions that MLIR destroys in one go. It recurses in them, and each region drops the uses of all that is
/// in it once more, so that a deep tree would take the square of its depth.
const AT_ONCE: usize = 8;

/// Destroys a tree, from the inside out.
///
/// # Safety
///
/// The operation is live, was cut, and is in no block; nothing uses what is in it, and no handle of that is used
/// afterwards.
pub(crate) unsafe fn destroy(top: MlirOperation) {
    // SAFETY: the operation is live, by this function's contract. What is in it uses nothing, so that each part can go
    // alone; a part comes after the one that it is in, and leaves that when it is destroyed.
    unsafe {
        let is_part = |level: usize| level > 0 && level.is_multiple_of(AT_ONCE);
        let parts: Vec<_> = levels(top).filter(|(_, level)| is_part(*level)).collect();
        for (part, _) in parts.into_iter().rev() {
            mlirOperationDestroy(part);
        }
        mlirOperationDestroy(top);
    }
}
