//! Changes of several parts at once, and at a place that is counted.

use mondo_sys::{mlirBlockInsertArgument, mlirOperationSetOperands, mondoOperationGetPrevious};

use crate::error::{Error, ErrorKind, Result};
use crate::handle::{Block, Op, OwnedOp, Value};
use crate::nesting;
use crate::tree;
use crate::uniqued_handles::{Location, Type};

impl<'call, 'ctx> Op<'call, 'ctx> {
    /// The operation before it in its block.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module, OwnedOp};
    /// Context::new().enter(|ctx, ir| {
    ///     let module = Module::parse(ctx, "func.func private @a() func.func private @c()").unwrap();
    ///     let (a, c) = (module.body(ir).operations()[0], module.body(ir).operations()[1]);
    ///     let b = OwnedOp::parse(ctx, "func.func private @b()", "b.mlir").unwrap();
    ///     let b = module.body(ir).insert_at(1, b).unwrap();
    ///     assert_eq!((a.previous(), b.previous(), c.previous()), (None, Some(a), Some(b)));
    /// });
    /// ```
    pub fn previous(self) -> Option<Op<'call, 'ctx>> {
        self.block()?;
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`), and so is the one before
        // it in its block.
        unsafe { Op::from_raw(mondoOperationGetPrevious(self.raw()), self.state) }
    }

    /// Sets all operands. An attribute that says how many each group has is not changed.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func @f(%a: i32, %b: i32) -> i32 { return %a : i32 }";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     let entry = module.body(ir).first().unwrap().region(0).unwrap().first().unwrap();
    ///     let back = entry.terminator().unwrap();
    ///     back.set_operands(&entry.arguments()).unwrap();
    ///     assert_eq!(back.operands(), entry.arguments());
    ///     back.set_operands(&[]).unwrap();
    ///     assert!(entry.argument(0).unwrap().users().is_empty());
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Outside` in a pass of a closure, for an operation outside of the pass's.
    pub fn set_operands(self, values: &[Value<'_, 'ctx>]) -> Result<()> {
        self.check_inside()?;
        if values.is_empty() && self.operand(0).is_none() {
            // An operation without operands may have no place for any.
            return Ok(());
        }
        let raw: Vec<_> = values.iter().map(|value| value.raw()).collect();
        // SAFETY: the handles borrow the token, so all are live (`handle.rs`), and have the brand of one context; pointer and
        // length are a vector's.
        unsafe { mlirOperationSetOperands(self.raw(), raw.len() as isize, raw.as_ptr()) };
        self.state.note_uses(self.raw());
        Ok(())
    }
}

impl<'call, 'ctx> Block<'call, 'ctx> {
    /// Puts an operation where it is the one at that index.
    ///
    /// # Errors
    /// `ErrorKind::Missing` if the block has fewer operations; else those of [`append`](Self::append). The operation is
    /// freed then.
    pub fn insert_at(self, index: usize, op: OwnedOp<'ctx>) -> Result<Op<'call, 'ctx>> {
        let mut after = self.iter().skip(index.saturating_sub(1));
        match (index, after.next()) {
            (0, Some(first)) => first.insert_before(op),
            (0, None) => self.append(op),
            (_, Some(before)) => before.insert_after(op),
            (_, None) => Err(Error::new(
                ErrorKind::Missing,
                format!("the block has fewer than {index} operations"),
            )),
        }
    }

    /// Adds an argument where it is the one at that index.
    ///
    /// ```
    /// # use mondo_ir::{Context, ErrorKind};
    /// Context::new().enter(|ctx, ir| {
    ///     let op = ir.build("scf.execute_region", ctx.unknown()).regions(1).finish().unwrap();
    ///     let region = op.op(ir).region(0).unwrap();
    ///     let block = region.append_block(&[(ctx.i8().any(), ctx.unknown())]).unwrap();
    ///     let first = block.insert_argument(0, ctx.i32(), ctx.unknown()).unwrap();
    ///     assert_eq!((block.argument(0), block.arguments().len()), (Some(first), 2));
    ///     let end = ir.build("scf.yield", ctx.unknown()).operand(first).at_end(block).unwrap();
    ///     assert_eq!(block.erase_argument(0).unwrap_err().kind(), ErrorKind::InUse);
    ///     end.set_operands(&[]).unwrap();
    ///     let block = block.erase_argument(0).unwrap();
    ///     assert_eq!((region.blocks(), block.terminator()), (vec![block], Some(end)));
    ///     assert_eq!(block.argument(0).unwrap().type_(), ctx.i8());
    ///     assert_eq!(block.erase_argument(1).unwrap_err().kind(), ErrorKind::Missing);
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Missing` if the block has fewer arguments; else as for [`add_argument`](Self::add_argument).
    pub fn insert_argument(
        self,
        index: usize,
        type_: impl Into<Type<'ctx>>,
        location: Location<'ctx>,
    ) -> Result<Value<'call, 'ctx>> {
        self.check_inside()?;
        let type_ = type_.into();
        nesting::check("type", type_.is_too_deep())?;
        nesting::check("location", location.is_too_deep())?;
        if index > self.iter_arguments().count() {
            return Err(missing(index));
        }
        // SAFETY: the handle's block is live while the token is borrowed; type and location have the brand of the same
        // context; the index is no greater than the number of arguments.
        Ok(unsafe {
            let argument =
                mlirBlockInsertArgument(self.raw(), index as isize, type_.raw(), location.raw());
            Value::expect(argument, self.state)
        })
    }

    /// Erases an argument that nothing uses. The block is another one from then on, which has the operations and the place of
    /// this one: handles of arguments stay good, as those of all that is erased.
    ///
    /// # Errors
    /// `ErrorKind::Missing` if there is no such argument, `ErrorKind::InUse` if it is used, `ErrorKind::Structure` where
    /// the block is in no region, `ErrorKind::Outside` in a pass of a closure, for a block outside of the pass's operation.
    pub fn erase_argument(self, index: usize) -> Result<Block<'call, 'ctx>> {
        self.check_inside()?;
        let argument = self.argument(index).ok_or_else(|| missing(index))?;
        if !argument.users().is_empty() {
            let message = "the argument is still used, so it cannot be erased";
            return Err(Error::new(ErrorKind::InUse, message));
        }
        let region = self
            .region()
            .ok_or_else(|| Error::new(ErrorKind::Structure, "the block is in no region"))?;
        let kept: Vec<_> = self
            .iter_arguments()
            .filter(|one| *one != argument)
            .collect();
        let unknown = self.ctx().unknown();
        let types: Vec<_> = kept.iter().map(|one| (one.type_(), unknown)).collect();
        let new = region.insert_block_after(self, &types)?;
        for (old, new) in kept.iter().zip(new.iter_arguments()) {
            old.replace_all_uses(new)?;
        }
        for op in self {
            new.append(op.detach()?)?;
        }
        // SAFETY: the block is live, as its handle borrows the token (`handle.rs`), and so are the operations that use it.
        for user in unsafe { tree::block_users(self.raw()) } {
            // SAFETY: as above.
            let user = unsafe { Op::expect(user, self.state) };
            for (at, block) in user.successors().into_iter().enumerate() {
                if block == self {
                    user.set_successor(at, new)?;
                }
            }
        }
        self.erase()?;
        Ok(new)
    }
}

fn missing(index: usize) -> Error {
    Error::new(
        ErrorKind::Missing,
        format!("the block has no argument {index}"),
    )
}
