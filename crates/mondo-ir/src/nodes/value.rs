//! Values and their uses.

use mondo_sys::{
    mlirOpOperandIsNull, mlirValueGetFirstUse, mlirValuePrint, mlirValueReplaceAllUsesExcept,
    mlirValueReplaceAllUsesOfWith,
};

use super::{Block, Op, Use, Value};
use crate::callback::text;
use crate::declarations as c;
use crate::interned::Location;

/// What a value is: where it is defined, and its number there.
#[derive(Debug, Clone, Copy)]
pub enum Definition<'ctx> {
    /// A result of an operation.
    Result(Op<'ctx>, usize),
    /// An argument of a block.
    Argument(Block<'ctx>, usize),
}

impl<'ctx> Value<'ctx> {
    /// The block that has the value as an argument; none for a result.
    #[inline]
    pub fn block(self) -> Option<Block<'ctx>> {
        // SAFETY: the value is an argument.
        c::mlirValueIsABlockArgument(self).then(|| unsafe { c::mlirBlockArgumentGetOwner(self) })
    }

    /// The operation that has the value as a result; none for an argument.
    #[inline]
    pub fn op(self) -> Option<Op<'ctx>> {
        // SAFETY: the value is a result.
        (!c::mlirValueIsABlockArgument(self)).then(|| unsafe { c::mlirOpResultGetOwner(self) })
    }

    /// The definition.
    #[inline]
    pub fn definition(self) -> Definition<'ctx> {
        // SAFETY: a value is an argument or a result.
        unsafe {
            if c::mlirValueIsABlockArgument(self) {
                let number = c::mlirBlockArgumentGetArgNumber(self).unsigned_abs();
                return Definition::Argument(c::mlirBlockArgumentGetOwner(self), number);
            }
            let number = c::mlirOpResultGetResultNumber(self).unsigned_abs();
            Definition::Result(c::mlirOpResultGetOwner(self), number)
        }
    }

    /// Sets the location of an argument; false for a result.
    pub fn set_location(self, location: Location<'ctx>) -> bool {
        let is_argument = c::mlirValueIsABlockArgument(self);
        if is_argument {
            // SAFETY: the value is an argument.
            unsafe { c::mlirBlockArgumentSetLocation(self, location) };
        }
        is_argument
    }

    /// The uses. A use that is changed meanwhile may be left out.
    #[inline]
    pub fn uses(self) -> impl Iterator<Item = Use<'ctx>> {
        std::iter::successors(self.first_use(), |it| it.next())
    }

    /// The first use.
    #[inline]
    pub fn first_use(self) -> Option<Use<'ctx>> {
        // SAFETY: the value is live, and so are its uses.
        unsafe { Use::from_raw(mlirValueGetFirstUse(self.raw())) }
    }

    /// Makes everything that uses this value use another one, but for some operations.
    pub fn replace_uses(self, with: Self, except: &[Op<'ctx>]) {
        if self == with {
            // MLIR would go on for ever.
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
        // SAFETY: the value is live.
        text(|sink, data| unsafe { mlirValuePrint(self.raw(), sink, data) }).0
    }
}

impl Use<'_> {
    /// The next use of the same value.
    #[inline]
    pub fn next(self) -> Option<Self> {
        // SAFETY: the use is live, and so is the one after it.
        unsafe {
            let next = mondo_sys::mlirOpOperandGetNextUse(self.raw());
            if mlirOpOperandIsNull(next) {
                return None;
            }
            Self::from_raw(next)
        }
    }
}
