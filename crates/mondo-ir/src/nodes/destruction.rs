//! The destruction of nodes, for callers who know that no handle of them is used afterwards.

use std::ptr;

use mondo_sys::{
    MlirBlock, mlirBlockCreate, mlirBlockDestroy, mlirBlockEraseArgument, mlirOperationDestroy,
    mlirOperationSetOperands, mlirOperationSetSuccessor, mlirRegionDestroy, mondoBlockGetUsers,
};

use super::{Block, Op, Region};
use crate::declarations as c;

impl Op<'_> {
    /// Destroys the operation and everything in it; one that is in a block leaves that first.
    ///
    /// # Safety
    ///
    /// Nothing outside of it uses what is in it, nothing else owns it, and no handle of it or of what is in it is used
    /// afterwards.
    #[inline]
    pub unsafe fn destroy(self) {
        // SAFETY: the operation is live, by its brand; that nothing uses it, now or later, is this
        // function's contract.
        unsafe { mlirOperationDestroy(self.raw()) };
    }
}

impl Block<'_> {
    /// Destroys the block and everything in it.
    ///
    /// # Safety
    ///
    /// As for an operation; and the block is in no region.
    #[inline]
    pub unsafe fn destroy(self) {
        // SAFETY: the block is live, by its brand; that nothing uses it, now or later, is this function's
        // contract.
        unsafe { mlirBlockDestroy(self.raw()) };
    }

    /// Destroys the argument at that index.
    ///
    /// # Safety
    ///
    /// The index is below the count. Neither an operation nor a handle uses the argument, and no iterator over
    /// the block's arguments is used afterwards.
    #[inline]
    pub unsafe fn erase_argument(self, index: u32) {
        // SAFETY: the block is live, by its brand; that the argument is there and unused is this function's
        // contract.
        unsafe { mlirBlockEraseArgument(self.raw(), index) };
    }
}

impl Region<'_> {
    /// Destroys the region and everything in it.
    ///
    /// # Safety
    ///
    /// As for an operation; and the region is of no operation.
    #[inline]
    pub unsafe fn destroy(self) {
        // SAFETY: the region is live, by its brand; that nothing uses it, now or later, is this function's
        // contract.
        unsafe { mlirRegionDestroy(self.raw()) };
    }
}

/// The block that stands in for successors while trees are destroyed: MLIR has no successor that is
/// nothing. It goes with this value, unless an operation still has it then.
#[derive(Debug)]
pub struct Nowhere(MlirBlock);

impl Nowhere {
    /// A block in no region.
    #[expect(
        clippy::new_without_default,
        reason = "it makes something, and is no value to begin with"
    )]
    pub fn new() -> Self {
        // SAFETY: without arguments MLIR reads no arrays. The block is new, and this value owns it.
        Self(unsafe { mlirBlockCreate(0, ptr::null(), ptr::null()) })
    }

    /// Makes an operation use no value, and no other block than this.
    pub fn take_uses(&self, op: Op<'_>) {
        // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`), and the block is live
        // as long as this value. Without operands MLIR reads no array. Each index is below the count, which
        // setting a successor does not change.
        unsafe {
            mlirOperationSetOperands(op.raw(), 0, ptr::null());
            for index in 0..c::mlirOperationGetNumSuccessors(op) {
                mlirOperationSetSuccessor(op.raw(), index, self.0);
            }
        }
    }
}

impl Drop for Nowhere {
    fn drop(&mut self) {
        // SAFETY: `new` made the block, and nothing else destroys it; without a user nothing refers to it.
        unsafe {
            if mondoBlockGetUsers(self.0, 0, ptr::null_mut()) == 0 {
                mlirBlockDestroy(self.0);
            }
        }
    }
}
