//! Blocks and regions.

use std::fmt;

use mondo_sys::{
    MlirBlock, mlirBlockAddArgument, mlirBlockAppendOwnedOperation, mlirBlockCreate,
    mlirBlockDetach, mlirBlockGetArgument, mlirBlockGetFirstOperation, mlirBlockGetNextInRegion,
    mlirBlockGetNumArguments, mlirBlockGetParentOperation, mlirBlockGetTerminator,
    mlirBlockInsertOwnedOperationAfter, mlirBlockInsertOwnedOperationBefore,
    mlirOperationGetRegion, mlirRegionAppendOwnedBlock, mlirRegionGetFirstBlock,
    mlirRegionInsertOwnedBlockAfter, mondoBlockGetParentRegionOrNull,
    mondoRegionGetParentOperation,
};

use crate::error::{Error, ErrorKind, Result};
use crate::fence::check_inside;
use crate::handle::{Block, Op, OwnedOp, Region, Value};
use crate::nesting;
use crate::tree;
use crate::uniqued_handles::{Location, Type};

impl<'call, 'ctx> Block<'call, 'ctx> {
    /// The region that it is in.
    pub fn region(self) -> Option<Region<'call, 'ctx>> {
        // SAFETY: a handle's block is live, as the handle borrows the token (`handle.rs`), and so is the
        // region around it.
        unsafe { Region::from_raw(mondoBlockGetParentRegionOrNull(self.raw()), self.state) }
    }

    /// The operation that it is in.
    pub fn parent(self) -> Option<Op<'call, 'ctx>> {
        // SAFETY: a handle's block is live, as the handle borrows the token (`handle.rs`), and so is the
        // operation around it.
        unsafe { Op::from_raw(mlirBlockGetParentOperation(self.raw()), self.state) }
    }

    /// The block after it in its region.
    pub fn next(self) -> Option<Block<'call, 'ctx>> {
        self.region()?;
        // SAFETY: a handle's block is live, as the handle borrows the token (`handle.rs`); the line above
        // has found it in a region.
        unsafe { Block::from_raw(mlirBlockGetNextInRegion(self.raw()), self.state) }
    }

    /// The first operation.
    pub fn first(self) -> Option<Op<'call, 'ctx>> {
        // SAFETY: a handle's block is live, as the handle borrows the token (`handle.rs`), and so is what
        // is in it.
        unsafe { Op::from_raw(mlirBlockGetFirstOperation(self.raw()), self.state) }
    }

    /// The last operation, if it may end a block.
    pub fn terminator(self) -> Option<Op<'call, 'ctx>> {
        // SAFETY: a handle's block is live, as the handle borrows the token (`handle.rs`), and so is what
        // is in it.
        unsafe { Op::from_raw(mlirBlockGetTerminator(self.raw()), self.state) }
    }

    /// The operations, as they are now.
    pub fn operations(self) -> Vec<Op<'call, 'ctx>> {
        // SAFETY: a handle's block is live, as the handle borrows the token (`handle.rs`); the closure does
        // not change it.
        unsafe {
            tree::operations(self.raw())
                .map(|op| Op::expect(op, self.state))
                .collect()
        }
    }

    /// The argument at that index.
    pub fn argument(self, index: usize) -> Option<Value<'call, 'ctx>> {
        // SAFETY: a handle's block is live, as the handle borrows the token (`handle.rs`); the index is
        // compared with the count before it is used.
        unsafe {
            let count = mlirBlockGetNumArguments(self.raw()).unsigned_abs();
            (index < count)
                .then(|| mlirBlockGetArgument(self.raw(), index as isize))
                .and_then(|raw| Value::from_raw(raw, self.state))
        }
    }

    /// The arguments.
    pub fn arguments(self) -> Vec<Value<'call, 'ctx>> {
        // SAFETY: a handle's block is live, as the handle borrows the token (`handle.rs`).
        let count = unsafe { mlirBlockGetNumArguments(self.raw()) }.unsigned_abs();
        (0..count)
            .filter_map(|index| self.argument(index))
            .collect()
    }

    /// Refuses a change while a closure's pass runs on something that this is not in.
    pub(crate) fn check_inside(self) -> Result<()> {
        self.parent().map_or(Ok(()), |parent| {
            check_inside(self.state.fence(), parent.raw())
        })
    }

    /// Adds an argument at the end.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, ir| {
    ///     let op = ir.build("scf.execute_region", ctx.unknown()).regions(1).finish().unwrap();
    ///     let region = op.op(ir).region(0).unwrap();
    ///     let block = region.append_block(&[]).unwrap();
    ///     let argument = block.add_argument(ctx.i8(), ctx.unknown()).unwrap();
    ///     assert_eq!((argument.index(), block.argument(0)), (0, Some(argument)));
    ///     let last = region.insert_block_after(block, &[]).unwrap();
    ///     assert_eq!((block.next(), last.next()), (Some(last), None));
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Outside` in a pass of a closure, for a block outside of the pass's operation; `ErrorKind::Form` if the
    /// type or the location nests deeper than MLIR can follow.
    pub fn add_argument(
        self,
        type_: impl Into<Type<'ctx>>,
        location: Location<'ctx>,
    ) -> Result<Value<'call, 'ctx>> {
        self.check_inside()?;
        let type_ = type_.into();
        nesting::check("type", type_.is_too_deep())?;
        nesting::check("location", location.is_too_deep())?;
        let type_ = type_.raw();
        // SAFETY: the handle's block is live while the token is borrowed; type and location have the brand
        // of the same context.
        Ok(unsafe {
            Value::expect(
                mlirBlockAddArgument(self.raw(), type_, location.raw()),
                self.state,
            )
        })
    }

    /// Refuses an owner whose tree this block is in.
    fn check_takes(self, op: &OwnedOp<'ctx>) -> Result<()> {
        self.check_inside()?;
        // SAFETY: this handle borrows the token, and `OwnedOp` owns its operation, so both are live.
        if unsafe { tree::has_block(op.raw(), self.raw()) } {
            let message = "an operation cannot be put into itself";
            return Err(Error::new(ErrorKind::Structure, message));
        }
        // SAFETY: `OwnedOp` owns its operation, so it is live, and so is what is around this block.
        unsafe {
            if self
                .parent()
                .is_some_and(|parent| self.state.is_in_pass(parent.raw()))
            {
                self.state.note_users(op.raw());
            }
        }
        Ok(())
    }

    /// Puts an operation at the end.
    ///
    /// # Errors
    /// `ErrorKind::Structure` if the block is in the operation itself, `ErrorKind::Outside` in a pass
    /// of a closure, for a block outside of the pass's operation. The operation is freed then.
    pub fn append(self, op: OwnedOp<'ctx>) -> Result<Op<'call, 'ctx>> {
        self.check_takes(&op)?;
        let raw = op.release();
        // SAFETY: the handle's block is live while the token is borrowed; `release` gave up the operation,
        // which the block owns from here on.
        unsafe {
            mlirBlockAppendOwnedOperation(self.raw(), raw);
            Ok(Op::expect(raw, self.state))
        }
    }

    /// Removes it from its region, with everything in it. Its memory stays until the next exclusive call.
    ///
    /// # Errors
    /// `ErrorKind::Structure` if it is in no region, or is the block in place of the successors of what was
    /// erased; `ErrorKind::InUse` if something outside of it
    /// uses it, or a value of it; `ErrorKind::Outside` in a pass of a closure.
    pub fn erase(self) -> Result<()> {
        let parent = self
            .parent()
            .ok_or_else(|| Error::new(ErrorKind::Structure, "the block is in no region"))?;
        parent.check_inside()?;
        if self.state.is_placeholder(self.raw()) {
            let message = "the block is in place of the successors of what was erased";
            return Err(Error::new(ErrorKind::Structure, message));
        }
        // SAFETY: a handle's block is live, as the handle borrows the token (`handle.rs`).
        if unsafe { tree::block_is_used_outside(self.raw()) } {
            let message = "the block or a value of it is still used, so it cannot be erased";
            return Err(Error::new(ErrorKind::InUse, message));
        }
        // SAFETY: the block is live and in a region; the holder owns it from here on, and nothing owns
        // the holder.
        unsafe {
            mlirBlockDetach(self.raw());
            let holder = tree::holder(self.state.context);
            mlirRegionAppendOwnedBlock(mlirOperationGetRegion(holder, 0), self.raw());
            self.state.retire(holder);
        }
        Ok(())
    }
}

impl<'call, 'ctx> Region<'call, 'ctx> {
    /// The operation that it is part of.
    pub fn parent(self) -> Option<Op<'call, 'ctx>> {
        // SAFETY: a handle's region is live, as the handle borrows the token (`handle.rs`), and so is the
        // operation around it.
        unsafe { Op::from_raw(mondoRegionGetParentOperation(self.raw()), self.state) }
    }

    /// The first block.
    pub fn first(self) -> Option<Block<'call, 'ctx>> {
        // SAFETY: a handle's region is live, as the handle borrows the token (`handle.rs`), and so is what
        // is in it.
        unsafe { Block::from_raw(mlirRegionGetFirstBlock(self.raw()), self.state) }
    }

    /// The blocks, as they are now.
    pub fn blocks(self) -> Vec<Block<'call, 'ctx>> {
        // SAFETY: a handle's region is live, as the handle borrows the token (`handle.rs`); the closure
        // does not change it.
        unsafe {
            tree::blocks(self.raw())
                .map(|block| Block::expect(block, self.state))
                .collect()
        }
    }

    fn new_block(
        self,
        arguments: &[(Type<'ctx>, Location<'ctx>)],
        put: impl FnOnce(MlirBlock),
    ) -> Result<Block<'call, 'ctx>> {
        if let Some(parent) = self.parent() {
            check_inside(self.state.fence(), parent.raw())?;
        }
        for (type_, place) in arguments {
            nesting::check("type", type_.is_too_deep())?;
            nesting::check("location", place.is_too_deep())?;
        }
        let (types, places): (Vec<_>, Vec<_>) = arguments
            .iter()
            .map(|(type_, place)| (type_.raw(), place.raw()))
            .unzip();
        // SAFETY: the arrays are as long as said, and all is of one context; `put` gives the block to
        // this region.
        unsafe {
            let block = mlirBlockCreate(types.len() as isize, types.as_ptr(), places.as_ptr());
            put(block);
            Ok(Block::expect(block, self.state))
        }
    }

    /// A new block at the end, with arguments of these types.
    ///
    /// # Errors
    /// `ErrorKind::Outside` in a pass of a closure, for a region outside of the pass's operation; `ErrorKind::Form` if a
    /// type or a location nests deeper than MLIR can follow.
    pub fn append_block(
        self,
        arguments: &[(Type<'ctx>, Location<'ctx>)],
    ) -> Result<Block<'call, 'ctx>> {
        // SAFETY: a handle's region is live, as the handle borrows the token (`handle.rs`); `new_block`
        // passes a new block, which the region owns from here on.
        self.new_block(arguments, |block| unsafe {
            mlirRegionAppendOwnedBlock(self.raw(), block);
        })
    }

    /// A new block after another one.
    ///
    /// # Errors
    /// `ErrorKind::Structure` if the other is not in this region, `ErrorKind::Outside` in a pass of a
    /// closure, for a region outside of the pass's operation.
    pub fn insert_block_after(
        self,
        other: Block<'_, 'ctx>,
        arguments: &[(Type<'ctx>, Location<'ctx>)],
    ) -> Result<Block<'call, 'ctx>> {
        if other
            .region()
            .is_none_or(|region| region.raw().ptr != self.raw().ptr)
        {
            let message = "the other block is not in this region";
            return Err(Error::new(ErrorKind::Structure, message));
        }
        // SAFETY: `new_block` passes a new block, which the region owns from here on; the other block is in
        // this region, as compared above.
        self.new_block(arguments, |block| unsafe {
            mlirRegionInsertOwnedBlockAfter(self.raw(), other.raw(), block);
        })
    }
}

impl<'call, 'ctx> Op<'call, 'ctx> {
    fn place(self, op: &OwnedOp<'ctx>) -> Result<Block<'call, 'ctx>> {
        let block = self.required_block()?;
        block.check_takes(op)?;
        Ok(block)
    }

    /// Puts an operation before this one.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module, OwnedOp};
    /// Context::new().enter(|ctx, ir| {
    ///     let module = Module::parse(ctx, "func.func private @b()").unwrap();
    ///     let b = module.body(ir).first().unwrap();
    ///     let other = |name: &str| {
    ///         OwnedOp::parse(ctx, &format!("func.func private @{name}()"), "other.mlir").unwrap()
    ///     };
    ///     let a = b.insert_before(other("a")).unwrap();
    ///     let c = b.insert_after(other("c")).unwrap();
    ///     assert_eq!(module.body(ir).operations(), [a, b, c]);
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Structure` if this is in no block, or in the operation; `ErrorKind::Outside` in a
    /// pass of a closure. The operation is freed then.
    pub fn insert_before(self, op: OwnedOp<'ctx>) -> Result<Op<'call, 'ctx>> {
        let block = self.place(&op)?;
        let raw = op.release();
        // SAFETY: the handles borrow the token, so both are live (`handle.rs`); `place` found this
        // operation in the block, and `release` gave up the other one, which the block owns from here on.
        unsafe {
            mlirBlockInsertOwnedOperationBefore(block.raw(), self.raw(), raw);
            Ok(Op::expect(raw, self.ctx().state))
        }
    }

    /// Puts an operation after this one.
    ///
    /// # Errors
    /// As for [`insert_before`](Self::insert_before).
    pub fn insert_after(self, op: OwnedOp<'ctx>) -> Result<Op<'call, 'ctx>> {
        let block = self.place(&op)?;
        let raw = op.release();
        // SAFETY: all are live, `place` found this operation in the block, and `release` gave up the other
        // one, which the block owns from here on.
        unsafe {
            mlirBlockInsertOwnedOperationAfter(block.raw(), self.raw(), raw);
            Ok(Op::expect(raw, self.ctx().state))
        }
    }
}

impl fmt::Debug for Block<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Block({:?})", self.operations())
    }
}

impl fmt::Debug for Region<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Region({:?})", self.blocks())
    }
}
