//! Values and their uses.

use mondo_sys::{
    mlirOpOperandGetNextUse, mlirValueGetFirstUse, mlirValuePrint, mlirValueReplaceAllUsesExcept,
    mlirValueReplaceAllUsesOfWith,
};

use super::{Block, Op, Use, Value, ValueKind};
use crate::callback::text;
use crate::declarations as c;
use crate::uniqued_handles::Location;

/// The definition of a value.
#[derive(Debug, Clone, Copy)]
pub enum Owner<'ctx> {
    /// The operation that has it as a result.
    Op(Op<'ctx>),
    /// The block that has it as an argument.
    Block(Block<'ctx>),
}

impl<'ctx> Value<'ctx> {
    /// The definition.
    #[inline]
    pub fn owner(self) -> Owner<'ctx> {
        match self.kind() {
            ValueKind::Argument(it) => Owner::Block(c::mlirBlockArgumentGetOwner(it)),
            ValueKind::Result(it) => Owner::Op(c::mlirOpResultGetOwner(it)),
        }
    }

    /// The block that has the value as an argument; none for a result.
    #[inline]
    pub fn block(self) -> Option<Block<'ctx>> {
        match self.owner() {
            Owner::Block(block) => Some(block),
            Owner::Op(_) => None,
        }
    }

    /// The operation that has the value as a result; none for an argument.
    #[inline]
    pub fn op(self) -> Option<Op<'ctx>> {
        match self.owner() {
            Owner::Op(op) => Some(op),
            Owner::Block(_) => None,
        }
    }

    /// The number among the results of its operation; none for an argument.
    pub fn result_number(self) -> Option<usize> {
        match self.kind() {
            ValueKind::Result(it) => Some(c::mlirOpResultGetResultNumber(it).unsigned_abs()),
            ValueKind::Argument(_) => None,
        }
    }

    /// The number among the arguments of its block; none for a result.
    pub fn argument_number(self) -> Option<usize> {
        let argument = self.as_argument()?;
        Some(c::mlirBlockArgumentGetArgNumber(argument).unsigned_abs())
    }

    /// Returns true if MLIR can name it, for which there has to be an operation around it.
    pub fn can_be_named(self) -> bool {
        match self.owner() {
            Owner::Op(_) => true,
            Owner::Block(block) => c::mlirBlockGetParentOperation(block).is_some(),
        }
    }

    /// Sets the location of an argument; false for a result.
    pub fn set_location(self, location: Location<'ctx>) -> bool {
        let argument = self.as_argument();
        if let Some(argument) = argument {
            c::mlirBlockArgumentSetLocation(argument, location);
        }
        argument.is_some()
    }

    /// The uses. A use that is changed meanwhile may be left out.
    #[inline]
    pub fn uses(self) -> impl Iterator<Item = Use<'ctx>> {
        std::iter::successors(self.first_use(), |operand| operand.next())
    }

    /// The first use.
    #[inline]
    pub fn first_use(self) -> Option<Use<'ctx>> {
        // SAFETY: a node's value is live while its brand can be used (`Value::from_raw`), and so are its
        // uses.
        unsafe { Use::from_raw(mlirValueGetFirstUse(self.raw())) }
    }

    /// Makes everything that uses this value use another one, except some operations.
    pub fn replace_uses(self, with: Self, except: &[Op<'ctx>]) {
        if self == with {
            // MLIR would never end: each use that it replaces is a use of the same value again.
            return;
        }
        // SAFETY: all are live, and the array is as long as said; MLIR only reads it.
        unsafe {
            if except.is_empty() {
                mlirValueReplaceAllUsesOfWith(self.raw(), with.raw());
            } else {
                let exceptions = except.as_ptr().cast_mut().cast();
                let number = except.len() as isize;
                mlirValueReplaceAllUsesExcept(self.raw(), with.raw(), number, exceptions);
            }
        }
    }

    /// The text; where it is not UTF-8, the replacement character stands.
    pub fn to_text(self) -> String {
        // SAFETY: a node's value is live while its brand can be used (`Value::from_raw`).
        text(|sink, data| unsafe { mlirValuePrint(self.raw(), sink, data) }).0
    }
}

impl Use<'_> {
    /// The next use of the same value.
    #[inline]
    pub fn next(self) -> Option<Self> {
        // SAFETY: the use is live, and so is the one after it.
        unsafe { Self::from_raw(mlirOpOperandGetNextUse(self.raw())) }
    }
}
