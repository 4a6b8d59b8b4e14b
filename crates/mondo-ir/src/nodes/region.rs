//! Regions.

use mondo_sys::{
    mlirRegionAppendOwnedBlock, mlirRegionCreate, mondoRegionGetNumber,
    mondoRegionGetParentOperation,
};

use super::{Block, Loose, Op, Region};
use crate::declarations as c;

impl<'ctx> Region<'ctx> {
    /// A new region without blocks.
    #[inline]
    pub fn create() -> Option<Loose<Self>> {
        // SAFETY: there is no precondition, and the region is new.
        unsafe { Self::from_raw(mlirRegionCreate()).map(|region| Loose::new(region)) }
    }

    /// The operation that it is of.
    #[inline]
    pub fn parent(self) -> Option<Op<'ctx>> {
        // SAFETY: a node's region is live while its brand can be used (`Region::from_raw`), and so is the
        // operation around it.
        unsafe { Op::from_raw(mondoRegionGetParentOperation(self.raw())) }
    }

    /// Its index among the regions of its operation, or `None` if it has no operation.
    #[inline]
    pub fn number(self) -> Option<usize> {
        self.parent()?;
        // SAFETY: the region is live and has an operation.
        Some(unsafe { mondoRegionGetNumber(self.raw()) }.unsigned_abs())
    }

    /// The blocks.
    #[inline]
    pub fn blocks(self) -> impl Iterator<Item = Block<'ctx>> {
        std::iter::successors(c::mlirRegionGetFirstBlock(self), |block| block.next())
    }

    /// Puts a block before the one at that index, or at the end.
    pub fn insert(self, index: Option<usize>, block: Loose<Block<'ctx>>) -> Block<'ctx> {
        if let Some(reference) = index.and_then(|index| self.blocks().nth(index)) {
            let node = block.node();
            return reference.insert_before(block).unwrap_or(node);
        }
        // SAFETY: both are live, and the block is in no region.
        unsafe { mlirRegionAppendOwnedBlock(self.raw(), block.0.raw()) };
        block.0
    }
}
