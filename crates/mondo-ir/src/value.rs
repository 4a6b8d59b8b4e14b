//! Values: results of operations, and arguments of blocks.

use std::fmt;

use mondo_sys::{
    mlirBlockArgumentGetArgNumber, mlirBlockArgumentGetOwner, mlirOpResultGetOwner,
    mlirOpResultGetResultNumber, mlirValueGetLocation, mlirValueGetType, mlirValueIsAOpResult,
    mlirValueReplaceAllUsesOfWith, mlirValueSetType,
};

use crate::error::Result;
use crate::fence::{check_inside, outside};
use crate::handle::{Block, Op, Value};
use crate::nesting;
use crate::tree;
use crate::uniqued_handles::{Location, Type};

impl<'call, 'ctx> Value<'call, 'ctx> {
    /// The type.
    pub fn type_(self) -> Type<'ctx> {
        // SAFETY: a handle's value is live, as the handle borrows the token (`handle.rs`).
        unsafe { Type::expect(mlirValueGetType(self.raw())) }
    }

    /// The location of its definition.
    pub fn location(self) -> Location<'ctx> {
        // SAFETY: a handle's value is live, as the handle borrows the token (`handle.rs`).
        unsafe { Location::expect(mlirValueGetLocation(self.raw())) }
    }

    fn is_result(self) -> bool {
        // SAFETY: a handle's value is live, as the handle borrows the token (`handle.rs`).
        unsafe { mlirValueIsAOpResult(self.raw()) }
    }

    /// The operation that it is a result of.
    pub fn defining_op(self) -> Option<Op<'call, 'ctx>> {
        // SAFETY: `is_result` has found that the value is a result; its operation is live with the value.
        self.is_result()
            .then(|| unsafe { Op::expect(mlirOpResultGetOwner(self.raw()), self.state) })
    }

    /// The block that it is an argument of.
    pub fn argument_of(self) -> Option<Block<'call, 'ctx>> {
        // SAFETY: a value that is not a result is an argument; its block is live with the value.
        (!self.is_result())
            .then(|| unsafe { Block::expect(mlirBlockArgumentGetOwner(self.raw()), self.state) })
    }

    /// The index among the results of its operation, or the arguments of its block.
    pub fn index(self) -> usize {
        // SAFETY: each branch calls the function for the form of value that `is_result` has found.
        let index = unsafe {
            if self.is_result() {
                mlirOpResultGetResultNumber(self.raw())
            } else {
                mlirBlockArgumentGetArgNumber(self.raw())
            }
        };
        index.unsigned_abs()
    }

    /// Returns true if it is a result of the operation that no handle leads out of: other threads may be changing its users.
    fn is_used_outside_of_top(self) -> bool {
        let definition = self.defining_op();
        definition.is_some_and(|op| self.state.is_top(op.raw()))
    }

    /// The operations that use it, once for each use. A pass of a dialect sees no users of its own operation's results.
    pub fn users(self) -> Vec<Op<'call, 'ctx>> {
        if self.is_used_outside_of_top() {
            return Vec::new();
        }
        // SAFETY: a handle's value is live, as the handle borrows the token (`handle.rs`), and so are its
        // users, which are of its context.
        unsafe {
            tree::users(self.raw())
                .map(|user| Op::expect(user, self.state))
                .collect()
        }
    }

    /// Returns true if something uses it that [`users`](Self::users) would return.
    pub fn is_used(self) -> bool {
        if self.is_used_outside_of_top() {
            return false;
        }
        // SAFETY: a handle's value is live, as the handle borrows the token (`handle.rs`).
        unsafe { tree::users(self.raw()) }.next().is_some()
    }

    /// Lets everything that uses it use another value.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func @f(%a: i32, %b: i32) -> i32 { return %a : i32 }";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     let block = module.body(ir).first().unwrap().region(0).unwrap().first().unwrap();
    ///     let (a, b) = (block.argument(0).unwrap(), block.argument(1).unwrap());
    ///     assert_eq!((a.argument_of(), a.is_used(), b.is_used()), (Some(block), true, false));
    ///     a.replace_all_uses(b).unwrap();
    ///     assert!(b.is_used() && !a.is_used());
    ///     a.set_type(ctx.f32()).unwrap();
    ///     assert_eq!(a.type_(), ctx.f32());
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Outside` in a pass of a closure, where a user is outside of the pass's operation.
    pub fn replace_all_uses(self, other: Value<'_, 'ctx>) -> Result<()> {
        if self.is_used_outside_of_top() {
            return Err(outside());
        }
        let users = self.users();
        for user in &users {
            user.check_inside()?;
        }
        if self != other {
            for user in users {
                self.state.note_uses(user.raw());
            }
            // SAFETY: both handles borrow the token, so both values are live; the handles share one brand,
            // so they are of one context.
            unsafe { mlirValueReplaceAllUsesOfWith(self.raw(), other.raw()) };
        }
        Ok(())
    }

    /// Gives it another type.
    ///
    /// # Errors
    /// `ErrorKind::Outside` in a pass of a closure, for a value outside of the pass's operation; `ErrorKind::Form` if the
    /// type nests deeper than MLIR can follow.
    pub fn set_type(self, type_: impl Into<Type<'ctx>>) -> Result<()> {
        let owner = match self.defining_op() {
            Some(op) => Some(op),
            None => self.argument_of().and_then(Block::parent),
        };
        if let Some(owner) = owner {
            check_inside(self.state.fence(), owner.raw())?;
        }
        let type_ = type_.into();
        nesting::check("type", type_.is_too_deep())?;
        // SAFETY: the handle's value is live while the token is borrowed, and the type has the brand of the
        // same context.
        unsafe { mlirValueSetType(self.raw(), type_.raw()) };
        Ok(())
    }
}

impl fmt::Debug for Value<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({})", self.type_())
    }
}
