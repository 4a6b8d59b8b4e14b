//! The two kinds of values, distinguished once.

use std::ops::Deref;

use mondo_sys::MlirValue;

use super::Value;
use crate::c_type::CType;
use crate::declarations as c;

/// A value by its kind.
#[derive(Debug, Clone, Copy)]
pub enum ValueKind<'ctx> {
    /// A result of an operation.
    Result(OpResult<'ctx>),
    /// An argument of a block.
    Argument(BlockArgument<'ctx>),
}

/// Declares a kind of values, which only [`Value::kind`] makes.
macro_rules! kind {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name<'ctx>(Value<'ctx>);

        impl<'ctx> Deref for $name<'ctx> {
            type Target = Value<'ctx>;

            #[inline]
            fn deref(&self) -> &Value<'ctx> {
                &self.0
            }
        }

        impl CType for $name<'_> {
            type Raw = MlirValue;

            fn name() -> String {
                "MlirValue".to_owned()
            }

            #[inline]
            fn to_raw(self) -> MlirValue {
                self.0.raw()
            }

            #[inline]
            unsafe fn of_raw(raw: MlirValue) -> Self {
                // SAFETY: `CType::of_raw` asks for a live value of this kind, and a value needs no more.
                Self(unsafe { Value::of_raw(raw) })
            }
        }
    };
}

kind! {
    /// A value that is a result of an operation.
    OpResult
}

kind! {
    /// A value that is an argument of a block.
    BlockArgument
}

impl<'ctx> Value<'ctx> {
    /// The value by its kind.
    #[inline]
    pub fn kind(self) -> ValueKind<'ctx> {
        if c::mlirValueIsABlockArgument(self) {
            ValueKind::Argument(BlockArgument(self))
        } else {
            ValueKind::Result(OpResult(self))
        }
    }

    /// The value as an argument of a block; none for a result.
    #[inline]
    pub fn as_argument(self) -> Option<BlockArgument<'ctx>> {
        match self.kind() {
            ValueKind::Argument(argument) => Some(argument),
            ValueKind::Result(_) => None,
        }
    }
}
