//! Operations.

use mondo_sys::{
    mlirBlockInsertOwnedOperationAfter, mlirBlockInsertOwnedOperationBefore,
    mlirOperationRemoveFromParent, mondoOperationClone, mondoOperationGetRoot,
    mondoOperationIsClosed, mondoOperationRemoveAttribute, mondoOperationSetAttribute,
};

use super::{Attached, Block, Loose, Op, Region, Value};
use crate::callback::string_ref;
use crate::declarations as c;
use crate::text::Text;
use crate::tree;
use crate::uniqued_handles::Attribute;

impl<'ctx> Op<'ctx> {
    /// The name, as `arith.addi`.
    #[inline]
    pub fn name(self) -> Text<'ctx> {
        c::mlirIdentifierStr(c::mlirOperationGetName(self))
    }

    /// The topmost operation that it is in, or itself.
    #[inline]
    pub fn root(self) -> Self {
        // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`), and so are its
        // ancestors.
        unsafe { Self::from_raw(mondoOperationGetRoot(self.raw())) }.unwrap_or(self)
    }

    /// The operations that it is in, from the inside out, after itself.
    #[inline]
    pub fn with_ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), |op| c::mlirOperationGetParentOperation(*op))
    }

    /// Returns true if nothing in it uses values or blocks of other trees.
    #[inline]
    pub fn is_closed(self) -> bool {
        // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`).
        unsafe { mondoOperationIsClosed(self.raw()) }
    }

    /// The operation after it in its block.
    #[inline]
    pub fn next(self) -> Option<Self> {
        c::mlirOperationGetBlock(self)?;
        // SAFETY: the line above has found the operation in a block.
        unsafe { c::mlirOperationGetNextInBlock(self) }
    }

    /// The operand at that index, or `None` if the index is out of range or the operand was dropped.
    #[inline]
    pub fn operand(self, index: usize) -> Option<Option<Value<'ctx>>> {
        c::mlirOperationGetOperand::at(self, index)
    }

    /// Sets the operand at that index. Returns `false` if the index is out of range.
    #[inline]
    pub fn set_operand(self, index: usize, value: Value<'ctx>) -> bool {
        c::mlirOperationSetOperand::at(self, index, value).is_some()
    }

    /// The result at that index.
    #[inline]
    pub fn result(self, index: usize) -> Option<Value<'ctx>> {
        c::mlirOperationGetResult::at(self, index)
    }

    /// The results.
    #[inline]
    pub fn results(self) -> impl Iterator<Item = Value<'ctx>> {
        c::mlirOperationGetResult::all(self)
    }

    /// The region at that index.
    #[inline]
    pub fn region(self, index: usize) -> Option<Region<'ctx>> {
        c::mlirOperationGetRegion::at(self, index)
    }

    /// The regions.
    #[inline]
    pub fn regions(self) -> impl Iterator<Item = Region<'ctx>> {
        c::mlirOperationGetRegion::all(self)
    }

    /// The blocks of its regions.
    #[inline]
    pub fn blocks(self) -> impl Iterator<Item = Block<'ctx>> {
        self.regions().flat_map(Region::blocks)
    }

    /// The successor at that index.
    #[inline]
    pub fn successor(self, index: usize) -> Option<Block<'ctx>> {
        c::mlirOperationGetSuccessor::at(self, index)
    }

    /// Sets the successor at that index. Returns `false` if the index is out of range.
    pub fn set_successor(self, index: usize, block: Block<'ctx>) -> bool {
        c::mlirOperationSetSuccessor::at(self, index, block).is_some()
    }

    /// The attributes with their names, in MLIR's order, as they are now: what is changed while the iterator is
    /// used is not seen.
    #[inline]
    pub fn attributes(self) -> impl DoubleEndedIterator<Item = Attached<'ctx>> + ExactSizeIterator {
        c::mlirOperationGetAttribute::now(self).into_iter()
    }

    /// Sets an attribute, in place of the one that has the name. False, and nothing is changed, where the
    /// operation does not take it: an inherent attribute has a kind.
    #[inline]
    pub fn set_attribute(self, name: &str, attribute: Attribute<'ctx>) -> bool {
        // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`); the attribute
        // has the brand of its context, and MLIR reads the name during the call only.
        unsafe { mondoOperationSetAttribute(self.raw(), string_ref(name), attribute.raw()) }
    }

    /// Removes an attribute, or resets an inherent attribute to its default. Returns `false` if the operation does not have it.
    #[inline]
    pub fn remove_attribute(self, name: &str) -> bool {
        // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`); MLIR reads the
        // name during the call only.
        unsafe { mondoOperationRemoveAttribute(self.raw(), string_ref(name)) }
    }

    /// Returns true if it comes before another one, or `None` if they are not in one block.
    pub fn is_before(self, other: Self) -> Option<bool> {
        let block = c::mlirOperationGetBlock(self)?;
        // SAFETY: the comparison in front of the call has found both operations in one block.
        (c::mlirOperationGetBlock(other) == Some(block))
            .then(|| unsafe { c::mlirOperationIsBeforeInBlock(self, other) })
    }

    /// Returns whether its regions would nest deeper than 1000 levels in a block of `around`, or in none. A new region
    /// counts as one in which there is an operation.
    #[inline]
    pub fn is_too_deep_in(self, around: Option<Self>) -> bool {
        if c::mlirOperationGetNumRegions(self) == 0 {
            // What is around was checked, with an operation in it.
            return false;
        }
        let above = around.map_or(0, Self::levels_inside) + 1;
        // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`).
        above > tree::LEVELS
            || unsafe { tree::is_deeper_than(self.raw(), tree::LEVELS + 1 - above) }
    }

    /// The number of regions that are around what is in the operation; at most the limit.
    pub(super) fn levels_inside(self) -> usize {
        self.with_ancestors().take(tree::LEVELS).count()
    }

    /// A deep copy, which is in no block.
    pub fn duplicate(self) -> Loose<Self> {
        // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`); the copy is new,
        // so it has no parent, and only the caller knows it.
        unsafe { Loose::new(Self::from_raw(mondoOperationClone(self.raw())).unwrap_or(self)) }
    }

    /// Takes the operation out of its block. Whoever owned the tree that it was the top of, if it was in no
    /// block, owns it no more.
    #[inline]
    pub fn take_out(self) -> Loose<Self> {
        if c::mlirOperationGetBlock(self).is_some() {
            // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`); the
            // comparison above has found it in a block, which owned it until now.
            unsafe { mlirOperationRemoveFromParent(self.raw()) };
        }
        Loose(self)
    }

    /// Puts an operation before this one. Does nothing and returns `None` if this one is in no block.
    #[inline]
    pub fn insert_before(self, other: Loose<Self>) -> Option<Self> {
        let block = c::mlirOperationGetBlock(self)?;
        // SAFETY: nodes are live while their brand can be used (`from_raw`); this one was found in the
        // block above, and `Loose` is of a node without a parent (`Loose::new`).
        unsafe {
            mlirBlockInsertOwnedOperationBefore(block.raw(), self.raw(), other.0.raw());
        }
        Some(other.0)
    }

    /// Puts an operation after this one. Does nothing and returns `None` if this one is in no block.
    #[inline]
    pub fn insert_after(self, other: Loose<Self>) -> Option<Self> {
        let block = c::mlirOperationGetBlock(self)?;
        // SAFETY: nodes are live while their brand can be used (`from_raw`); this one was found in the
        // block above, and `Loose` is of a node without a parent (`Loose::new`).
        unsafe { mlirBlockInsertOwnedOperationAfter(block.raw(), self.raw(), other.0.raw()) };
        Some(other.0)
    }
}
