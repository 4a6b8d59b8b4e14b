//! Uses of values and blocks that reach from one tree into another.

use std::ffi::c_void;
use std::ptr;

use mondo_sys::*;

use crate::ownership::traversal::{for_each_block, for_each_block_of, for_each_op, for_each_op_of};
use crate::ownership::tree::RootKind;

/// Calls `visit_op` for every operation and `visit_block` for every block of a live root.
fn for_each(
    kind: RootKind,
    ptr: *mut c_void,
    visit_op: &mut dyn FnMut(MlirOperation),
    visit_block: &mut dyn FnMut(MlirBlock),
) {
    let mut both = |op| {
        visit_op(op);
        for_each_block(op, visit_block);
    };
    let mut blocks = Vec::new();
    match kind {
        RootKind::Operation => for_each_op(MlirOperation { ptr }, &mut both),
        RootKind::Block => blocks.push(MlirBlock { ptr }),
        RootKind::Region => for_each_block_of(MlirRegion { ptr }, &mut |block| blocks.push(block)),
    }
    for block in &blocks {
        for_each_op_of(*block, &mut both);
    }
    blocks.into_iter().for_each(visit_block);
}

/// An operation outside of all `family` (the roots of a tree) that uses a value or a block which the
/// root `root` or something below it defines. All are live; those that are null are left out.
pub(crate) fn find_user_outside(
    kind: RootKind,
    root: *mut c_void,
    family: &[*mut c_void],
) -> Option<MlirOperation> {
    if root.is_null() {
        return None;
    }
    let found = std::cell::Cell::new(None);
    let note = |user: Option<MlirOperation>| {
        if found.get().is_none() {
            found.set(user);
        }
    };
    for_each(
        kind,
        root,
        &mut |op| {
            // SAFETY: `op` is live, and the indices are below the count.
            unsafe {
                for index in 0..mlirOperationGetNumResults(op) {
                    note(user_of(mlirOperationGetResult(op, index), family));
                }
            }
        },
        &mut |block| note(user_of_block(block, family)),
    );
    found.get()
}

/// Returns whether anything that is not below `root`, which is live, uses a value or a block in it.
pub(crate) fn is_used_outside(root: MlirOperation) -> bool {
    find_user_outside(RootKind::Operation, root.ptr, &[root.ptr]).is_some()
}

/// Returns whether anything below `root`, which is live, uses a value or a block that is not, or the
/// other way round.
pub(crate) fn reaches_outside(root: MlirOperation) -> bool {
    let mut reaches = is_used_outside(root);
    for_each_op(root, &mut |op| {
        // SAFETY: the operation is live, so are its operands and successors, and the indices are
        // below the counts.
        unsafe {
            reaches = reaches
                || (0..mlirOperationGetNumOperands(op))
                    .any(|index| !is_defined_in(mlirOperationGetOperand(op, index), root))
                || (0..mlirOperationGetNumSuccessors(op)).any(|index| {
                    let block = mlirOperationGetSuccessor(op, index);
                    !is_within(mlirBlockGetParentOperation(block), &[root.ptr])
                });
        }
    });
    reaches
}

/// Returns whether a live value is defined by `root` or something below it.
fn is_defined_in(value: MlirValue, root: MlirOperation) -> bool {
    // SAFETY: the value is live, and so is what defines it.
    unsafe {
        let owner = if value.ptr.is_null() {
            return false;
        } else if mlirValueIsABlockArgument(value) {
            mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
        } else {
            mlirOpResultGetOwner(value)
        };
        is_within(owner, &[root.ptr])
    }
}

/// Returns whether anything outside of a live block, which is to be erased or moved away, uses it or
/// a value in it.
pub(crate) fn block_is_used_outside(block: MlirBlock) -> bool {
    find_user_outside(RootKind::Block, block.ptr, &[block.ptr]).is_some()
}

/// A user of a live value that is below none of `family`.
pub(crate) fn user_of(value: MlirValue, family: &[*mut c_void]) -> Option<MlirOperation> {
    // SAFETY: the value is live, and so are its uses and what owns them.
    unsafe {
        let mut operand = mlirValueGetFirstUse(value);
        while !mlirOpOperandIsNull(operand) {
            let owner = mlirOpOperandGetOwner(operand);
            if !is_within(owner, family) {
                return Some(owner);
            }
            operand = mlirOpOperandGetNextUse(operand);
        }
        None
    }
}

fn user_of_block(block: MlirBlock, family: &[*mut c_void]) -> Option<MlirOperation> {
    // SAFETY: the block is live, and so are its users; the indices are below the count.
    unsafe {
        (0..mlirBlockGetNumArguments(block))
            .find_map(|index| user_of(mlirBlockGetArgument(block, index), family))
            .or_else(|| {
                // It need not be a terminator, nor be in a block.
                (0..)
                    .map(|index| mondoBlockGetUser(block, index))
                    .take_while(|user| !user.ptr.is_null())
                    .find(|user| !is_within(*user, family))
            })
    }
}

/// Returns whether `op`, which is live or null, is in a root of `family`.
fn is_within(op: MlirOperation, family: &[*mut c_void]) -> bool {
    let mut op = op;
    if op.ptr.is_null() {
        return false;
    }
    // SAFETY: `op` is live, and so is everything around it.
    unsafe {
        loop {
            if family.contains(&op.ptr) {
                return true;
            }
            let block = mlirOperationGetBlock(op);
            if block.ptr.is_null() {
                return false;
            }
            let region = mondoBlockGetParentRegionOrNull(block);
            if family.contains(&block.ptr) || family.contains(&region.ptr) {
                return true;
            }
            op = mlirOperationGetParentOperation(op);
            if op.ptr.is_null() {
                return false;
            }
        }
    }
}

/// The block that stands in for successors while roots are destroyed: MLIR has no successor that is
/// nothing.
pub(crate) struct Nowhere(MlirBlock);

impl Drop for Nowhere {
    fn drop(&mut self) {
        // SAFETY: the block is ours, and whatever had it as a successor is gone.
        unsafe { mlirBlockDestroy(self.0) };
    }
}

/// Takes apart what the regions of `op` use of one another, before it is destroyed. MLIR destroys one
/// region after the other, and an operation in a later one would look at values that are gone.
pub(crate) fn part_regions(op: MlirOperation) -> Option<Nowhere> {
    // SAFETY: the callers pass live operations.
    let several = unsafe { mlirOperationGetNumRegions(op) > 1 };
    several.then(|| drop_all(std::iter::once((RootKind::Operation, op.ptr))))
}

/// Makes everything in live roots use nothing, so that they can be destroyed in any order. The result
/// has to outlive them.
pub(crate) fn drop_all(roots: impl Iterator<Item = (RootKind, *mut c_void)>) -> Nowhere {
    // SAFETY: no arguments need no arrays.
    let nowhere = unsafe { mlirBlockCreate(0, ptr::null(), ptr::null()) };
    for (kind, root) in roots {
        for_each(kind, root, &mut |op| drop_uses(op, nowhere), &mut |_| ());
    }
    Nowhere(nowhere)
}

/// Makes `op`, which is live, use nothing.
fn drop_uses(op: MlirOperation, nowhere: MlirBlock) {
    // SAFETY: both are live, no operands need no array, and the indices are below the count.
    unsafe {
        mlirOperationSetOperands(op, 0, ptr::null());
        for index in 0..mlirOperationGetNumSuccessors(op) {
            mlirOperationSetSuccessor(op, index, nowhere);
        }
    }
}
