//! Blocks.

use mondo_sys::{
    mlirBlockAppendOwnedOperation, mlirBlockCreate, mlirBlockDetach,
    mlirRegionInsertOwnedBlockAfter, mlirRegionInsertOwnedBlockBefore,
    mondoBlockGetParentRegionOrNull,
};

use super::{Block, Loose, Op, Region, Value};
use crate::declarations as c;
use crate::uniqued_handles::{Location, Type};

impl<'ctx> Block<'ctx> {
    /// A new block with arguments of these types and locations, or `None` if there are not as many of the one
    /// as of the other.
    pub fn create(types: &[Type<'ctx>], locations: &[Location<'ctx>]) -> Option<Loose<Self>> {
        let number = types.len();
        if locations.len() != number {
            return None;
        }
        // SAFETY: both arrays have as many elements as is said, in the form of the C API; the block is new.
        unsafe {
            let raw = mlirBlockCreate(
                number as isize,
                types.as_ptr().cast(),
                locations.as_ptr().cast(),
            );
            Self::from_raw(raw).map(|block| Loose::new(block))
        }
    }

    /// The region that it is in.
    #[inline]
    pub fn region(self) -> Option<Region<'ctx>> {
        // SAFETY: a node's block is live while its brand can be used (`Block::from_raw`), and so is the
        // region around it.
        unsafe { Region::from_raw(mondoBlockGetParentRegionOrNull(self.raw())) }
    }

    /// The block after it in its region.
    #[inline]
    pub fn next(self) -> Option<Self> {
        self.region()?;
        // SAFETY: the line above has found the block in a region.
        unsafe { c::mlirBlockGetNextInRegion(self) }
    }

    /// The operations.
    #[inline]
    pub fn operations(self) -> impl Iterator<Item = Op<'ctx>> {
        // SAFETY: each operation is in this block when the next one is asked for, unless it was moved.
        std::iter::successors(c::mlirBlockGetFirstOperation(self), |op| op.next())
    }

    /// The argument at that index.
    #[inline]
    pub fn argument(self, index: usize) -> Option<Value<'ctx>> {
        c::mlirBlockGetArgument::at(self, index)
    }

    /// The arguments.
    #[inline]
    pub fn arguments(self) -> impl Iterator<Item = Value<'ctx>> {
        c::mlirBlockGetArgument::all(self)
    }

    /// The successor at that index, of its last operation.
    #[inline]
    pub fn successor(self, index: usize) -> Option<Self> {
        c::mlirBlockGetSuccessor::at(self, index)
    }

    /// The blocks that can branch to it, as they are now; a terminator that is in no block is left out.
    pub fn predecessors(self) -> impl Iterator<Item = Self> {
        c::mlirBlockGetPredecessor::now(self).into_iter().flatten()
    }

    /// The operations that have it as a successor; they need not be terminators, nor be in a block.
    pub fn users(self) -> impl Iterator<Item = Op<'ctx>> {
        // SAFETY: a node's block is live while its brand can be used (`Block::from_raw`), and so are its users.
        let users = unsafe { crate::tree::block_users(self.raw()) }.into_iter();
        // SAFETY: the users of a live block are live.
        users.filter_map(|user| unsafe { Op::from_raw(user) })
    }

    /// Puts an operation at the end.
    #[inline]
    pub fn append(self, op: Loose<Op<'ctx>>) -> Op<'ctx> {
        // SAFETY: nodes are live while their brand can be used (`from_raw`); `Loose` is of a node without a
        // parent (`Loose::new`).
        unsafe { mlirBlockAppendOwnedOperation(self.raw(), op.0.raw()) };
        op.0
    }

    /// Returns whether the regions in it would nest deeper than 1000 levels in a region of `around`, or in none.
    pub fn is_too_deep_in(self, around: Option<Op<'ctx>>) -> bool {
        self.operations().any(|op| op.is_too_deep_in(around))
    }

    /// Takes the block out of its region. Whoever owned it, if it was in none, owns it no more.
    pub fn take_out(self) -> Loose<Self> {
        if self.region().is_some() {
            // SAFETY: a node's block is live while its brand can be used (`Block::from_raw`); the
            // comparison above has found it in a region, which owned it until now.
            unsafe { mlirBlockDetach(self.raw()) };
        }
        Loose(self)
    }

    /// Puts a block before this one. Does nothing and returns `None` if this one is in no region.
    pub fn insert_before(self, other: Loose<Self>) -> Option<Self> {
        let region = self.region()?;
        // SAFETY: nodes are live while their brand can be used (`from_raw`); this one was found in the
        // region above, and `Loose` is of a node without a parent (`Loose::new`).
        unsafe { mlirRegionInsertOwnedBlockBefore(region.raw(), self.raw(), other.0.raw()) };
        Some(other.0)
    }

    /// Puts a block after this one. Does nothing and returns `None` if this one is in no region.
    pub fn insert_after(self, other: Loose<Self>) -> Option<Self> {
        let region = self.region()?;
        // SAFETY: nodes are live while their brand can be used (`from_raw`); this one was found in the
        // region above, and `Loose` is of a node without a parent (`Loose::new`).
        unsafe { mlirRegionInsertOwnedBlockAfter(region.raw(), self.raw(), other.0.raw()) };
        Some(other.0)
    }

    /// The text; where it is not UTF-8, the replacement character stands.
    pub fn to_text(self) -> String {
        // SAFETY: a node's block is live while its brand can be used (`Block::from_raw`).
        let print = |sink, data| unsafe { mondo_sys::mlirBlockPrint(self.raw(), sink, data) };
        crate::callback::text(print).0
    }
}
