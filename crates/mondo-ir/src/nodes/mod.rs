//! Handles of operations, blocks, regions and values in trees that something else keeps alive.
//!
//! For programs with a guard of their own, as the Python layer has with the operation hooks. `'ctx` is the
//! brand of a [`Uniquer`](crate::Uniquer). A handle is made by an `unsafe` constructor, whose caller vouches
//! that no node is destroyed as long as the brand can be used. Reading, linking and unlinking need no further
//! promise; what destroys a node is an `unsafe fn`, after which no handle of it is used.
//!
//! [`Op`](crate::Op) and its like do without that promise, as their token makes the compiler check it.

mod block;
mod context;
mod creation;
mod deaths;
mod destruction;
mod interfaces;
mod observers;
mod op;
mod parsing;
mod region;
mod symbols;
mod text;
mod translation;
mod unchecked;
mod value;
mod value_kinds;

pub use creation::{Attached, NewRegions, NotMade, Parts, refusal};
pub use deaths::{Observation, deaths};
pub use destruction::Nowhere;
pub use interfaces::{Components, Inference, Inferred};
pub use observers::{Observable, hooks_work, on_death};
pub use symbols::{Symbols, symbol_key, visibility_key};
pub(crate) use text::lacks_attribute;
pub use text::{AsmState, TextFlags};
pub use value::Owner;
pub use value_kinds::{BlockArgument, OpResult, ValueKind};

/// Declares the handle of a node: Copy, compared by identity, and as the C API passes it.
macro_rules! node {
    ($(#[$doc:meta])* $name:ident, $raw:ident) => {
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name<'ctx> {
            pointer: std::ptr::NonNull<std::ffi::c_void>,
            brand: $crate::brand::Brand<'ctx>,
        }

        impl $name<'_> {
            /// # Safety
            ///
            /// The node is null, or live and of the brand's context, and nothing destroys it as long as the
            /// brand can be used.
            #[inline]
            pub unsafe fn from_raw(raw: mondo_sys::$raw) -> Option<Self> {
                Some(Self {
                    pointer: std::ptr::NonNull::new(raw.ptr as *mut std::ffi::c_void)?,
                    brand: std::marker::PhantomData,
                })
            }

            /// For what is never null.
            ///
            /// # Safety
            ///
            /// As for `from_raw`; and the node is not null.
            #[inline]
            pub unsafe fn at(pointer: std::ptr::NonNull<std::ffi::c_void>) -> Self {
                Self {
                    pointer,
                    brand: std::marker::PhantomData,
                }
            }

            /// The node as the C API's structure, as mondo-sys declares it.
            #[inline]
            pub fn raw(self) -> mondo_sys::$raw {
                mondo_sys::$raw {
                    ptr: self.pointer.as_ptr().cast(),
                }
            }

            /// The address by which the node is known.
            #[inline]
            pub fn address(self) -> std::ptr::NonNull<std::ffi::c_void> {
                self.pointer
            }
        }

        impl $crate::c_type::CType for $name<'_> {
            type Raw = mondo_sys::$raw;

            fn name() -> String {
                stringify!($raw).to_owned()
            }

            #[inline]
            fn to_raw(self) -> Self::Raw {
                self.raw()
            }

            #[inline]
            unsafe fn of_raw(raw: Self::Raw) -> Self {
                // SAFETY: `CType::of_raw` asks for a live node of the brand's context, which `from_raw`
                // needs.
                unsafe { Self::from_raw(raw) }.expect("MLIR returned no null here")
            }
        }

        impl $crate::c_type::CType for Option<$name<'_>> {
            type Raw = mondo_sys::$raw;

            fn name() -> String {
                stringify!($raw).to_owned()
            }

            #[inline]
            fn to_raw(self) -> Self::Raw {
                mondo_sys::$raw {
                    ptr: self
                        .map_or(std::ptr::null_mut(), |node| node.pointer.as_ptr())
                        .cast(),
                }
            }

            #[inline]
            unsafe fn of_raw(raw: Self::Raw) -> Self {
                // SAFETY: `CType::of_raw` asks for a live node of the brand's context, or null, which
                // `from_raw` needs.
                unsafe { $name::from_raw(raw) }
            }
        }
    };
}

node! {
    /// An operation.
    Op, MlirOperation
}

node! {
    /// A block.
    Block, MlirBlock
}

node! {
    /// A region.
    Region, MlirRegion
}

node! {
    /// A result of an operation, or an argument of a block.
    Value, MlirValue
}

node! {
    /// A use of a value: an operand of an operation.
    Use, MlirOpOperand
}

/// A node without a parent, owned by the holder of this. It is destroyed by what takes it over, and by
/// nothing if it is dropped.
#[repr(transparent)]
#[derive(Debug)]
#[must_use]
pub struct Loose<T>(T);

impl<T: Copy> Loose<T> {
    /// # Safety
    ///
    /// The node has no parent, and nothing but the caller destroys it.
    #[inline]
    pub unsafe fn new(node: T) -> Self {
        Self(node)
    }

    /// The node.
    #[inline]
    pub fn node(&self) -> T {
        self.0
    }
}
