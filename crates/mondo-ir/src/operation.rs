//! Operations: reading and changing one.

use std::fmt;

use mondo_sys::{
    MondoTreeIsClosed, MondoTreeIsTooDeep, MondoTreeIsUsed, mlirIdentifierStr,
    mlirOperationGetAttribute, mlirOperationGetAttributeByName, mlirOperationGetBlock,
    mlirOperationGetLocation, mlirOperationGetName, mlirOperationGetNextInBlock,
    mlirOperationGetNumAttributes, mlirOperationGetNumOperands, mlirOperationGetNumRegions,
    mlirOperationGetNumResults, mlirOperationGetNumSuccessors, mlirOperationGetOperand,
    mlirOperationGetParentOperation, mlirOperationGetRegion, mlirOperationGetResult,
    mlirOperationGetSuccessor, mlirOperationGetTypeID, mlirOperationRemoveFromParent,
    mlirOperationSetLocation, mlirOperationSetOperand, mlirOperationSetSuccessor,
    mlirOperationVerify, mondoOperationClone, mondoOperationGetRoot, mondoOperationGetTreeState,
    mondoOperationIsTooDeep, mondoOperationRemoveAttribute, mondoOperationSetAttribute,
};

use crate::attributes::{Named, named};
use crate::callback::{bytes, string_ref};
use crate::capture::captured_here;
use crate::error::{Error, ErrorKind, Result};
use crate::fence::{Fence, check_inside, outside, too_deep};
use crate::handle::{Block, Op, OwnedOp, Region, Value};
use crate::nesting;
use crate::nodes::refusal;
use crate::tree;
use crate::uniqued_handles::{Attribute, Identifier, Location, TypeId};

fn missing(what: &str, index: usize, op: Op<'_, '_>) -> Error {
    Error::new(
        ErrorKind::Missing,
        format!("`{}` has no {what} {index}", op.name()),
    )
}

impl<'call, 'ctx> Op<'call, 'ctx> {
    /// The name, as `arith.addi`.
    pub fn name(self) -> &'ctx str {
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`); its context
        // keeps the name. MLIR takes any bytes as a name.
        let name = unsafe { bytes(mlirIdentifierStr(mlirOperationGetName(self.raw()))) };
        std::str::from_utf8(name).unwrap_or("<not UTF-8>")
    }

    /// The name as an identifier.
    pub fn identifier(self) -> Identifier<'ctx> {
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`).
        unsafe { Identifier::expect(mlirOperationGetName(self.raw())) }
    }

    /// The identity of its class, or `None` if the operation is not registered.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func private @a() func.func private @b()";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     let (a, b) = (module.body(ir).operations()[0], module.body(ir).operations()[1]);
    ///     assert!(a.type_id().is_some() && a.type_id() == b.type_id());
    ///     assert_eq!((a.next(), b.next()), (Some(b), None));
    ///     assert_eq!((a.block(), a.root()), (Some(module.body(ir)), module.op(ir)));
    ///     assert!(a.is_in(module.op(ir)) && !a.is_in(b));
    /// });
    /// ```
    pub fn type_id(self) -> Option<TypeId<'ctx>> {
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`).
        unsafe { TypeId::from_raw(mlirOperationGetTypeID(self.raw())) }
    }

    /// The location.
    pub fn location(self) -> Location<'ctx> {
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`).
        unsafe { Location::expect(mlirOperationGetLocation(self.raw())) }
    }

    /// The block that it is in.
    pub fn block(self) -> Option<Block<'call, 'ctx>> {
        if self.state.is_top(self.raw()) {
            return None;
        }
        // SAFETY: a handle's operation is live while the token is borrowed, and so is the block around it.
        unsafe { Block::from_raw(mlirOperationGetBlock(self.raw()), self.state) }
    }

    /// The operation that it is in.
    pub fn parent(self) -> Option<Op<'call, 'ctx>> {
        if self.state.is_top(self.raw()) {
            return None;
        }
        // SAFETY: a handle's operation is live while the token is borrowed, and so is its parent.
        unsafe { Op::from_raw(mlirOperationGetParentOperation(self.raw()), self.state) }
    }

    /// The topmost operation that it is in, or itself.
    pub fn root(self) -> Op<'call, 'ctx> {
        // SAFETY: a handle's operation is live while the token is borrowed, and so are its ancestors.
        let mut above = unsafe { tree::ancestors(self.raw()) };
        if let Some(top) = above.find(|op| self.state.is_top(*op)) {
            // SAFETY: as above.
            return unsafe { Op::expect(top, self.state) };
        }
        // SAFETY: as above.
        unsafe { Op::expect(mondoOperationGetRoot(self.raw()), self.state) }
    }

    /// The operation after it in its block.
    pub fn next(self) -> Option<Op<'call, 'ctx>> {
        self.block()?;
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`); the line
        // above has found it in a block.
        unsafe { Op::from_raw(mlirOperationGetNextInBlock(self.raw()), self.state) }
    }

    /// Returns true if it is `ancestor`, or in it.
    pub fn is_in(self, ancestor: Op<'_, '_>) -> bool {
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`).
        unsafe { tree::is_in(self.raw(), ancestor.raw()) }
    }

    /// The operand at that index. A pass of a dialect sees no operands of its own operation: they are outside of it.
    pub fn operand(self, index: usize) -> Option<Value<'call, 'ctx>> {
        if self.state.is_top(self.raw()) {
            return None;
        }
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`); the index is
        // compared with the count before it is used.
        unsafe {
            let count = mlirOperationGetNumOperands(self.raw()).unsigned_abs();
            (index < count)
                .then(|| mlirOperationGetOperand(self.raw(), index as isize))
                .and_then(|raw| Value::from_raw(raw, self.state))
        }
    }

    /// The operands.
    pub fn operands(self) -> Vec<Value<'call, 'ctx>> {
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`).
        let count = unsafe { mlirOperationGetNumOperands(self.raw()) }.unsigned_abs();
        (0..count).filter_map(|index| self.operand(index)).collect()
    }

    /// The result at that index.
    pub fn result(self, index: usize) -> Option<Value<'call, 'ctx>> {
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`); the index is
        // compared with the count before it is used.
        unsafe {
            let count = mlirOperationGetNumResults(self.raw()).unsigned_abs();
            (index < count)
                .then(|| mlirOperationGetResult(self.raw(), index as isize))
                .and_then(|raw| Value::from_raw(raw, self.state))
        }
    }

    /// The results.
    pub fn results(self) -> Vec<Value<'call, 'ctx>> {
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`).
        let count = unsafe { mlirOperationGetNumResults(self.raw()) }.unsigned_abs();
        (0..count).filter_map(|index| self.result(index)).collect()
    }

    /// The region at that index.
    pub fn region(self, index: usize) -> Option<Region<'call, 'ctx>> {
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`); the index is
        // compared with the count before it is used.
        unsafe {
            let count = mlirOperationGetNumRegions(self.raw()).unsigned_abs();
            (index < count)
                .then(|| mlirOperationGetRegion(self.raw(), index as isize))
                .map(|raw| Region::expect(raw, self.state))
        }
    }

    /// The regions.
    pub fn regions(self) -> Vec<Region<'call, 'ctx>> {
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`).
        let count = unsafe { mlirOperationGetNumRegions(self.raw()) }.unsigned_abs();
        (0..count).filter_map(|index| self.region(index)).collect()
    }

    /// The successors. A pass of a dialect sees none of its own operation: they are outside of it.
    pub fn successors(self) -> Vec<Block<'call, 'ctx>> {
        if self.state.is_top(self.raw()) {
            return Vec::new();
        }
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`); each index
        // is below the count, which the closure does not change.
        unsafe {
            (0..mlirOperationGetNumSuccessors(self.raw()))
                .filter_map(|at| {
                    Block::from_raw(mlirOperationGetSuccessor(self.raw(), at), self.state)
                })
                .collect()
        }
    }

    /// The attribute of that name, inherent or not.
    pub fn attribute(self, name: &str) -> Option<Attribute<'ctx>> {
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`); MLIR reads
        // the name during the call only.
        unsafe {
            let raw = mlirOperationGetAttributeByName(self.raw(), string_ref(name));
            Attribute::from_raw(raw)
        }
    }

    /// All attributes.
    pub fn attributes(self) -> Vec<Named<'ctx>> {
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`); each index
        // is below the count, which the closure does not change.
        unsafe {
            (0..mlirOperationGetNumAttributes(self.raw()))
                .map(|index| named(mlirOperationGetAttribute(self.raw(), index)))
                .collect()
        }
    }

    /// Refuses a change while a closure's pass runs on something that this is not in.
    pub(crate) fn check_inside(self) -> Result<()> {
        check_inside(self.state.fence(), self.raw())
    }

    /// Sets an attribute, in place of the one that has the name.
    ///
    /// ```
    /// # use mondo_ir::{Context, ErrorKind, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let module = Module::parse(ctx, "func.func private @f()").unwrap();
    ///     let f = module.body(ir).first().unwrap();
    ///     f.set_attribute("sym_name", ctx.string_attr("g")).unwrap();
    ///     let error = f.set_attribute("sym_name", ctx.unit()).unwrap_err();
    ///     assert_eq!(error.kind(), ErrorKind::Form);
    ///     assert_eq!(f.to_string(), "func.func private @g()");
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Form`, and nothing is changed, where the operation does not take it: an inherent attribute
    /// has a kind, and none nests deeper than MLIR can follow. `ErrorKind::Outside` in a pass of a closure, for an operation outside of the pass's.
    pub fn set_attribute(self, name: &str, value: impl Into<Attribute<'ctx>>) -> Result<()> {
        self.check_inside()?;
        let value = value.into();
        nesting::check("attribute", value.is_too_deep())?;
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`); the
        // attribute has the brand of its context.
        let taken =
            unsafe { mondoOperationSetAttribute(self.raw(), string_ref(name), value.raw()) };
        if taken {
            Ok(())
        } else {
            Err(Error::new(
                ErrorKind::Form,
                refusal(self.name(), name, value),
            ))
        }
    }

    /// Removes an attribute, or resets an inherent attribute to its default. Returns `false` if the operation does not have it.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, ir| {
    ///     let op = ir.build("arith.constant", ctx.unknown());
    ///     let op = op.attribute("value", ctx.bool_attr(true)).infer().finish().unwrap();
    ///     let op = op.op(ir);
    ///     assert_eq!(op.attributes(), [(ctx.identifier("value"), ctx.bool_attr(true).any())]);
    ///     op.set_attribute("note", ctx.unit()).unwrap();
    ///     assert!(op.remove_attribute("note").unwrap());
    ///     assert!(!op.remove_attribute("note").unwrap());
    ///     op.set_location(ctx.file("a.x", 3, 4)).unwrap();
    ///     assert_eq!(op.location(), ctx.file("a.x", 3, 4));
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Outside` in a pass of a closure, for an operation outside of the pass's.
    pub fn remove_attribute(self, name: &str) -> Result<bool> {
        self.check_inside()?;
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`); MLIR reads
        // the name during the call only.
        Ok(unsafe { mondoOperationRemoveAttribute(self.raw(), string_ref(name)) })
    }

    /// Sets the location.
    ///
    /// # Errors
    /// `ErrorKind::Outside` in a pass of a closure, for an operation outside of the pass's.
    pub fn set_location(self, location: Location<'ctx>) -> Result<()> {
        self.check_inside()?;
        nesting::check("location", location.is_too_deep())?;
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`); the location
        // has the brand of its context.
        unsafe { mlirOperationSetLocation(self.raw(), location.raw()) };
        Ok(())
    }

    /// Sets an operand.
    ///
    /// # Errors
    /// `ErrorKind::Missing` if there is no such operand, `ErrorKind::Outside` in a pass of a closure,
    /// for an operation outside of the pass's.
    pub fn set_operand(self, index: usize, value: Value<'_, 'ctx>) -> Result<()> {
        self.check_inside()?;
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`).
        if index >= unsafe { mlirOperationGetNumOperands(self.raw()) }.unsigned_abs() {
            return Err(missing("operand", index, self));
        }
        // SAFETY: both handles borrow the token, so both are live (`handle.rs`), and have the brand of one
        // context; the index was compared with the count above.
        unsafe { mlirOperationSetOperand(self.raw(), index as isize, value.raw()) };
        self.state.note_uses(self.raw());
        Ok(())
    }

    /// Sets a successor.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func @f(%a: i32, %b: i32) -> i32 { \
    ///                 cf.br ^bb1 ^bb1: return %a : i32 ^bb2: return %b : i32 }";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     let region = module.body(ir).first().unwrap().region(0).unwrap();
    ///     let blocks = region.blocks();
    ///     let branch = blocks[0].terminator().unwrap();
    ///     assert_eq!(branch.successors(), [blocks[1]]);
    ///     branch.set_successor(0, blocks[2]).unwrap();
    ///     assert_eq!(branch.successors(), [blocks[2]]);
    ///     let back = blocks[2].terminator().unwrap();
    ///     back.set_operand(0, blocks[0].argument(0).unwrap()).unwrap();
    ///     assert!(back.set_operand(1, blocks[0].argument(0).unwrap()).is_err());
    /// });
    /// ```
    ///
    /// # Errors
    /// As for [`set_operand`](Self::set_operand).
    pub fn set_successor(self, index: usize, block: Block<'_, 'ctx>) -> Result<()> {
        self.check_inside()?;
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`).
        if index >= unsafe { mlirOperationGetNumSuccessors(self.raw()) }.unsigned_abs() {
            return Err(missing("successor", index, self));
        }
        // SAFETY: both handles borrow the token, so both are live (`handle.rs`), and have the brand of one
        // context; the index was compared with the count above.
        unsafe { mlirOperationSetSuccessor(self.raw(), index as isize, block.raw()) };
        self.state.note_uses(self.raw());
        Ok(())
    }

    /// A copy with everything in it, which uses the same values from outside.
    ///
    /// # Errors
    /// `ErrorKind::Structure` if its regions nest deeper than MLIR can follow.
    pub fn duplicate(self) -> Result<OwnedOp<'ctx>> {
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`); the copy is
        // new, so nothing else owns it.
        let copy = unsafe {
            if mondoOperationIsTooDeep(self.raw()) {
                return Err(too_deep());
            }
            OwnedOp::new(mondoOperationClone(self.raw()), self.state)
        };
        self.state.note_uses_within(copy.raw());
        Ok(copy)
    }

    /// Takes it out of its block. The owner that is returned frees it, unless it is put into another.
    ///
    /// # Errors
    /// `ErrorKind::Structure` if it is in no block, `ErrorKind::Outside` in a pass of a closure, for
    /// what is not in the pass's operation.
    pub fn detach(self) -> Result<OwnedOp<'ctx>> {
        self.check_movable()?;
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`);
        // `check_movable` has found it in a block, which owns it no more after the call.
        unsafe {
            mlirOperationRemoveFromParent(self.raw());
            self.state.note_uses_within(self.raw());
            Ok(OwnedOp::new(self.raw(), self.state))
        }
    }

    /// Takes it out of its block, and its operands from it. Its memory stays until the next exclusive
    /// call, so that handles do not dangle.
    ///
    /// ```
    /// # use mondo_ir::{Context, ErrorKind, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func @f() { %0 = arith.constant 1 : i32 \
    ///                 %1 = arith.addi %0, %0 : i32 return }";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     let block = module.body(ir).first().unwrap().region(0).unwrap().first().unwrap();
    ///     let (constant, sum) = (block.operations()[0], block.operations()[1]);
    ///     assert_eq!(constant.erase().unwrap_err().kind(), ErrorKind::InUse);
    ///     sum.erase().unwrap();
    ///     constant.erase().unwrap();
    ///     assert_eq!(block.operations().len(), 1);
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::InUse` if something outside of it uses a value or block of it; the others as for
    /// [`detach`](Self::detach).
    pub fn erase(self) -> Result<()> {
        self.check_movable()?;
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`).
        if unsafe { tree::is_used_outside(self.raw()) } {
            let message = format!("`{}` is still used, so it cannot be erased", self.name());
            return Err(Error::new(ErrorKind::InUse, message));
        }
        self.detach().map(drop)
    }

    /// Refuses to move what is a root: that has an owner, or waits to be freed.
    pub(crate) fn check_movable(self) -> Result<()> {
        if self.block().is_none() {
            let message = format!("`{}` is in no block; use its owner", self.name());
            return Err(Error::new(ErrorKind::Structure, message));
        }
        if matches!(self.state.fence(), Fence::Inside(top) if top.ptr == self.raw().ptr) {
            return Err(outside());
        }
        self.check_inside()
    }

    /// Refuses a place in `self`'s own tree.
    pub(crate) fn check_fits(self, place: Block<'_, 'ctx>) -> Result<()> {
        place.check_inside()?;
        // An operation stays in its own block, so that this is not in it.
        let stays = self.block() == Some(place);
        // SAFETY: both handles borrow the token, so that both are live (`handle.rs`).
        if !stays && unsafe { tree::has_block(self.raw(), place.raw()) } {
            let message = format!("`{}` cannot be put into itself", self.name());
            return Err(Error::new(ErrorKind::Structure, message));
        }
        Ok(())
    }

    /// Moves it before another operation.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func private @a() func.func private @b()";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     let (a, b) = (module.body(ir).operations()[0], module.body(ir).operations()[1]);
    ///     b.move_before(a).unwrap();
    ///     assert_eq!(module.body(ir).operations(), [b, a]);
    ///     b.move_after(a).unwrap();
    ///     let b = b.detach().unwrap();
    ///     assert_eq!(module.body(ir).operations(), [a]);
    ///     assert!(b.op(ir).block().is_none());
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Structure` if one of the two is in no block, or the other is in this one;
    /// `ErrorKind::Outside` in a pass of a closure, for what is not in the pass's operation.
    pub fn move_before(self, other: Op<'_, 'ctx>) -> Result<()> {
        self.check_movable()?;
        self.check_fits(other.required_block()?)?;
        if self != other {
            // SAFETY: both handles borrow the token, so both are live (`handle.rs`); `check_movable` and
            // `required_block` have found them in blocks, `check_fits` that the other is not in this one.
            unsafe { mondo_sys::mlirOperationMoveBefore(self.raw(), other.raw()) };
            self.note_move();
        }
        Ok(())
    }

    /// Moves it after another operation.
    ///
    /// # Errors
    /// As for [`move_before`](Self::move_before).
    pub fn move_after(self, other: Op<'_, 'ctx>) -> Result<()> {
        self.check_movable()?;
        self.check_fits(other.required_block()?)?;
        if self != other {
            // SAFETY: both handles borrow the token, so both are live (`handle.rs`); `check_movable` and
            // `required_block` have found them in blocks, `check_fits` that the other is not in this one.
            unsafe { mondo_sys::mlirOperationMoveAfter(self.raw(), other.raw()) };
            self.note_move();
        }
        Ok(())
    }

    /// Takes note of the uses that a move can have brought into another tree.
    fn note_move(self) {
        self.state.note_uses_within(self.raw());
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`).
        unsafe {
            if self.state.is_in_pass(self.raw()) {
                self.state.note_users(self.raw());
            }
        }
    }

    pub(crate) fn required_block(self) -> Result<Block<'call, 'ctx>> {
        self.block().ok_or_else(|| {
            Error::new(
                ErrorKind::Structure,
                format!("`{}` is in no block", self.name()),
            )
        })
    }

    /// Checks the operation and everything in it.
    ///
    /// ```
    /// # use mondo_ir::{Context, ErrorKind};
    /// Context::new().enter(|ctx, ir| {
    ///     let broken = ir.build("arith.constant", ctx.unknown());
    ///     let broken = broken.attribute("value", ctx.bool_attr(true)).result(ctx.i8()).finish().unwrap();
    ///     assert_eq!(broken.op(ir).verify().unwrap_err().kind(), ErrorKind::Verify);
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Verify` with MLIR's diagnostics, `ErrorKind::Open` if the tree uses values of another one, or another one
    /// uses values of it, and `ErrorKind::Structure` if its regions nest deeper than MLIR can follow.
    pub fn verify(self) -> Result<()> {
        self.check_closed()?;
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`);
        // `check_closed` has found that its tree uses only values of that tree.
        // Where MLIR verifies in several threads, it hands their diagnostics to this thread in the end. In a pass, threads of
        // other passes emit diagnostics at the same time, which do not belong to this verification.
        let (valid, diagnostics) =
            captured_here(self.state, || unsafe { mlirOperationVerify(self.raw()) });
        if valid {
            return Ok(());
        }
        let message = format!("`{}` is not valid", self.name());
        Err(Error::new(ErrorKind::Verify, message).with(diagnostics))
    }

    /// Refuses a tree that MLIR's own code must not get. It reads the blocks of operands, and follows values to
    /// their users, without a check that these are in the tree.
    pub(crate) fn check_closed(self) -> Result<()> {
        // SAFETY: a handle's operation is live while it borrows the token (`handle.rs`), and so is its root. What no
        // use leaves or enters is closed, whatever is around it.
        let state = unsafe {
            let state = mondoOperationGetTreeState(self.raw());
            match self.block() {
                Some(_) if state != MondoTreeIsClosed => {
                    mondoOperationGetTreeState(self.root().raw())
                }
                _ => state,
            }
        };
        self.refuse(state)
    }

    /// As [`check_closed`](Self::check_closed), of the tree that it is in.
    pub(crate) fn check_tree(self) -> Result<()> {
        // SAFETY: the root of a live operation is live while the handle borrows the token (`handle.rs`).
        self.refuse(unsafe { mondoOperationGetTreeState(self.root().raw()) })
    }

    fn refuse(self, state: mondo_sys::MondoTreeState) -> Result<()> {
        if state == MondoTreeIsClosed {
            return Ok(());
        }
        if state == MondoTreeIsTooDeep {
            return Err(too_deep());
        }
        let message = if state == MondoTreeIsUsed {
            "values or blocks of the tree are used by an operation that is not in it"
        } else {
            "the tree uses values or blocks that are not in it"
        };
        let message = format!("the tree of `{}` is not closed: {message}", self.name());
        Err(Error::new(ErrorKind::Open, message))
    }
}

impl fmt::Debug for Op<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Op({})", self.name())
    }
}
