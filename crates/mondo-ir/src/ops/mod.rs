//! Typed builders and views of operations, made from ODS: a feature of this crate for each dialect.
//!
//! A function makes an operation, and takes what the operation must have. Operand segments, and the types of results that MLIR
//! infers, need no words. [`Op::cast`] gives a view, whose methods are named as in ODS. It checks the operation's
//! shape, and keeps its values, so that they stay what they were if the operation is erased.
//!
//! ```
//! # #[cfg(all(feature = "arith", feature = "cf", feature = "func"))] {
//! use mondo_ir::ops::{arith, cf, func};
//! # use mondo_ir::{Context, Module};
//! # Context::new().enter(|ctx, ir| {
//! # ctx.load_all();
//! # let text = "func.func @f(%a: i32, %b: i32) { llvm.unreachable }";
//! # let module = Module::parse(ctx, text)?;
//! # let body = module.body(ir).first().unwrap().region(0).unwrap();
//! # let entry = body.first().unwrap();
//! # entry.first().unwrap().erase()?;
//! # let (a, b) = (entry.argument(0).unwrap(), entry.argument(1).unwrap());
//! let end = body.append_block(&[])?;
//! let sum = arith::addi(ir, a, b)
//!     .overflow_flags(arith::IntegerOverflowFlags::NSW)
//!     .at_end(entry)?;
//! let is_less = arith::cmpi(ir, arith::CmpIPredicate::Slt, sum.result(), b).at_end(entry)?;
//! let jump = cf::cond_br(ir, is_less.result(), &[], &[], end, end).at_end(entry)?;
//! func::return_(ir, &[]).at_end(end)?;
//!
//! let jump = jump.op().cast::<cf::CondBr>()?;
//! assert_eq!(jump.condition(), is_less.result());
//! assert_eq!(is_less.predicate(), Some(arith::CmpIPredicate::Slt));
//! # module.op(ir).verify()?;
//! # Ok::<_, mondo_ir::Error>(())
//! # }).unwrap();
//! # }
//! ```
//!
//! The tables are those of LLVM 22. A library of another LLVM refuses, when an operation is made or cast, what it does
//! not have.

#[cfg(feature = "arith")]
#[rustfmt::skip]
pub mod arith;
#[cfg(feature = "cf")]
#[rustfmt::skip]
pub mod cf;
#[cfg(feature = "func")]
#[rustfmt::skip]
pub mod func;
#[cfg(feature = "index")]
#[rustfmt::skip]
pub mod index;
#[cfg(feature = "math")]
#[rustfmt::skip]
pub mod math;
#[cfg(feature = "memref")]
#[rustfmt::skip]
pub mod memref;
#[cfg(feature = "scf")]
#[rustfmt::skip]
pub mod scf;
#[cfg(feature = "tensor")]
#[rustfmt::skip]
pub mod tensor;
#[cfg(feature = "vector")]
#[rustfmt::skip]
pub mod vector;

#[allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "each dialect uses some of it"
)]
mod attribute;
#[allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "each dialect uses some of it"
)]
mod layout;
#[allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "each dialect uses some of it"
)]
mod rows;

use std::marker::PhantomData;

pub use attribute::AttributeValue;

use crate::builder::OpBuilder;
use crate::context::Ctx;
use crate::error::Result;
use crate::handle::{Block, Op, OwnedOp};
use crate::scope::Ir;
use crate::uniqued_handles::{Attribute, Location};

/// An operation of which the name and the shape are known.
///
/// ```
/// # #[cfg(feature = "func")] {
/// use mondo_ir::ops::{View, func};
/// # use mondo_ir::{Context, Module};
/// # Context::new().enter(|ctx, ir| {
/// let module = Module::parse(ctx, "func.func private @f()").unwrap();
/// let op = module.body(ir).first().unwrap();
/// let function = func::Func::of(op).unwrap();
/// assert_eq!((func::Func::NAME, function.op()), ("func.func", op));
/// assert!(func::Return::of(op).is_err());
/// # });
/// # }
/// ```
pub trait View<'call, 'ctx>: Sized {
    /// The name, as `arith.addi`.
    const NAME: &'static str;

    /// The view of an operation.
    ///
    /// # Errors
    /// `ErrorKind::Cast` if the operation is another one, or has not the operands, results, regions and successors that
    /// ODS declares.
    fn of(op: Op<'call, 'ctx>) -> Result<Self>;

    /// The operation.
    fn op(&self) -> Op<'call, 'ctx>;
}

impl<'call, 'ctx> Op<'call, 'ctx> {
    /// The view of this operation as one that ODS declares.
    ///
    /// # Errors
    /// Those of [`View::of`].
    pub fn cast<V: View<'call, 'ctx>>(self) -> Result<V> {
        V::of(self)
    }

    /// The view, or `None` if this is another operation.
    ///
    /// ```
    /// # #[cfg(feature = "func")] {
    /// use mondo_ir::ops::func;
    /// # use mondo_ir::{Context, Module};
    /// # Context::new().enter(|ctx, ir| {
    /// let module = Module::parse(ctx, "func.func private @f()").unwrap();
    /// let function = module.body(ir).first().unwrap().downcast::<func::Func>().unwrap();
    /// assert_eq!(function.sym_name().unwrap().value(), b"f");
    /// assert!(module.op(ir).downcast::<func::Func>().is_none());
    /// assert!(module.op(ir).cast::<func::Func>().is_err());
    /// # });
    /// # }
    /// ```
    pub fn downcast<V: View<'call, 'ctx>>(self) -> Option<V> {
        V::of(self).ok()
    }
}

/// An operation that is to be made, of which a view comes back.
///
/// ```
/// # #[cfg(feature = "arith")] {
/// use mondo_ir::ops::{Build, arith};
/// # use mondo_ir::{Context, Module};
/// # Context::new().enter(|ctx, ir| {
/// # ctx.load("arith").unwrap();
/// let module = Module::new(ctx, ctx.unknown());
/// let body = module.body(ir);
/// let one: Build<'_, '_, arith::Constant> = arith::constant(ir, ctx.integer_attr(ctx.i32(), 1));
/// let one = one.at(ctx.file("f.toy", 1, 2)).at_end(body).unwrap();
/// let first = arith::constant(ir, ctx.bool_attr(true)).before(one.op()).unwrap();
/// let last = arith::constant(ir, ctx.bool_attr(true)).attribute("kept", ctx.unit());
/// let last = last.after(one.op()).unwrap();
/// assert_eq!(body.operations(), [first.op(), one.op(), last.op()]);
/// let loose = arith::constant(ir, ctx.bool_attr(true)).finish().unwrap();
/// assert_eq!(loose.op(ir).name(), "arith.constant");
/// # });
/// # }
/// ```
#[derive(Debug)]
#[must_use]
pub struct Build<'call, 'ctx, V> {
    builder: OpBuilder<'call, 'ctx>,
    /// The sizes of the groups, if attributes have them.
    operands: Option<Vec<i32>>,
    results: Option<Vec<i32>>,
    view: PhantomData<V>,
}

impl<'call, 'ctx, V: View<'call, 'ctx>> Build<'call, 'ctx, V> {
    #[allow(dead_code, reason = "a dialect's table calls it")]
    #[inline]
    fn new(ir: &'call Ir<'ctx>, operand_segments: bool, result_segments: bool) -> Self {
        Self {
            builder: ir.build(V::NAME, Ctx::of(ir.state).unknown()),
            operands: operand_segments.then(Vec::new),
            results: result_segments.then(Vec::new),
            view: PhantomData,
        }
    }

    /// Gives the operation a location in place of the unknown one.
    #[inline]
    pub fn at(mut self, location: Location<'ctx>) -> Self {
        self.builder = self.builder.location(location);
        self
    }

    /// Adds an attribute that ODS does not declare.
    #[inline]
    pub fn attribute(mut self, name: &str, value: impl Into<Attribute<'ctx>>) -> Self {
        self.builder = self.builder.attribute(name, value);
        self
    }

    #[allow(dead_code, reason = "a dialect's table calls it")]
    #[inline]
    fn set(self, name: &str, value: impl AttributeValue<'ctx>) -> Self {
        let value = value.attribute(*self.builder.ctx());
        self.attribute(name, value)
    }

    /// Makes the operation, in no block.
    ///
    /// # Errors
    /// Those of [`OpBuilder::finish`].
    pub fn finish(self) -> Result<OwnedOp<'ctx>> {
        self.builder.finish()
    }

    /// Makes the operation, at the end of a block.
    ///
    /// # Errors
    /// Those of [`OpBuilder::at_end`].
    #[inline]
    pub fn at_end(self, block: Block<'call, 'ctx>) -> Result<V> {
        V::of(self.builder.at_end(block)?)
    }

    /// Makes the operation, before another one.
    ///
    /// # Errors
    /// Those of [`OpBuilder::before`].
    #[inline]
    pub fn before(self, other: Op<'call, 'ctx>) -> Result<V> {
        V::of(self.builder.before(other)?)
    }

    /// Makes the operation, after another one.
    ///
    /// # Errors
    /// Those of [`OpBuilder::after`].
    #[inline]
    pub fn after(self, other: Op<'call, 'ctx>) -> Result<V> {
        V::of(self.builder.after(other)?)
    }
}

#[cfg(all(test, feature = "operations"))]
mod tests {
    use super::*;
    use crate::Context;
    use crate::nodes::Inference;

    #[test]
    fn the_rows_are_operations_of_the_bundle_and_know_which_infer() {
        let tables = [
            arith::ROWS,
            cf::ROWS,
            func::ROWS,
            index::ROWS,
            math::ROWS,
            memref::ROWS,
            scf::ROWS,
            tensor::ROWS,
            vector::ROWS,
        ];
        let mut wrong = Vec::new();
        Context::new().enter(|ctx, _| {
            ctx.load_all();
            for (name, infers, results, regions) in tables.concat() {
                let can = Inference::Types.is_of_name(*ctx, name);
                let is_asked = !results.is_empty() && regions.is_empty();
                if !ctx.knows(name) || (is_asked && can != infers) {
                    wrong.push((name, infers));
                }
            }
        });
        assert_eq!(wrong, []);
        assert!(tables.concat().len() > 200);
    }
}
