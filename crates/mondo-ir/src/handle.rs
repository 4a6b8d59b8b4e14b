//! Handles of operations, blocks, regions and values: a pointer, its scope, and a borrow of the token,
//! which the handle cannot outlive. And `OwnedOp`, the owner of a tree.

use mondo_sys::MlirOperation;

use crate::brand::Brand;
use crate::scope::State;

/// Declares a handle into a tree: Copy, compared by identity.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'call, 'ctx> {
            pointer: std::ptr::NonNull<std::ffi::c_void>,
            pub(crate) state: &'ctx $crate::scope::State,
            brand: $crate::brand::Brand<'ctx>,
            call: std::marker::PhantomData<&'call ()>,
        }

        impl<'ctx> $name<'_, 'ctx> {
            /// # Safety
            ///
            /// The object is live and of the state's context, and nothing frees it while the token is
            /// borrowed for `'call`.
            pub(crate) unsafe fn from_raw(
                raw: mondo_sys::$raw,
                state: &'ctx $crate::scope::State,
            ) -> Option<Self> {
                Some(Self {
                    pointer: std::ptr::NonNull::new(raw.ptr as *mut std::ffi::c_void)?,
                    state,
                    brand: std::marker::PhantomData,
                    call: std::marker::PhantomData,
                })
            }

            /// For calls that never return null.
            ///
            /// # Safety
            ///
            /// As for `from_raw`.
            pub(crate) unsafe fn expect(
                raw: mondo_sys::$raw,
                state: &'ctx $crate::scope::State,
            ) -> Self {
                // SAFETY: this function has the contract of `from_raw`, which its caller upholds.
                unsafe { Self::from_raw(raw, state) }.expect("MLIR returned no null here")
            }

            pub(crate) fn raw(self) -> mondo_sys::$raw {
                mondo_sys::$raw { ptr: self.pointer.as_ptr() }
            }

            /// The context.
            pub fn ctx(self) -> $crate::context::Ctx<'ctx> {
                $crate::context::Ctx::of(self.state)
            }
        }

        impl PartialEq for $name<'_, '_> {
            fn eq(&self, other: &Self) -> bool {
                self.pointer == other.pointer
            }
        }

        impl Eq for $name<'_, '_> {}

        impl std::hash::Hash for $name<'_, '_> {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.pointer.hash(state);
            }
        }
    };
}

handle! {
    /// An operation, for as long as the token is borrowed.
    ///
    /// Reading and changing need a shared borrow, as nothing is freed meanwhile: an operation that is
    /// erased is cut out of its tree at once, and its memory goes with the next exclusive call.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func @f(%a: i32) -> i32 { return %a : i32 }";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     let function = module.body(ir).first().unwrap();
    ///     assert_eq!(function.name(), "func.func");
    ///     assert_eq!(function.attribute("sym_name").unwrap().to_string(), "\"f\"");
    ///     let back = function.region(0).unwrap().first().unwrap().terminator().unwrap();
    ///     assert_eq!(back.operand(0).unwrap().type_(), ctx.i32());
    ///     assert_eq!(back.parent(), Some(function));
    /// });
    /// ```
    Op, MlirOperation
}

handle! {
    /// A block, for as long as the token is borrowed.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let module = Module::new(ctx, ctx.unknown());
    ///     let inner = Module::new(ctx, ctx.unknown());
    ///     module.body(ir).append(inner.into_op()).unwrap();
    ///     assert_eq!(module.body(ir).operations().len(), 1);
    /// });
    /// ```
    Block, MlirBlock
}

handle! {
    /// A region, for as long as the token is borrowed.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, ir| {
    ///     let op = ir.build("scf.execute_region", ctx.unknown()).regions(1).finish().unwrap();
    ///     let region = op.op(ir).region(0).unwrap();
    ///     let block = region.append_block(&[(ctx.i32().any(), ctx.unknown())]).unwrap();
    ///     assert_eq!(region.blocks(), [block]);
    ///     assert_eq!(block.arguments().len(), 1);
    /// });
    /// ```
    Region, MlirRegion
}

handle! {
    /// A value, for as long as the token is borrowed.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func @f(%a: i32) -> i32 { return %a : i32 }";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     let block = module.body(ir).first().unwrap().region(0).unwrap().first().unwrap();
    ///     let argument = block.argument(0).unwrap();
    ///     assert_eq!(argument.users(), [block.terminator().unwrap()]);
    ///     assert_eq!(argument.defining_op(), None);
    /// });
    /// ```
    Value, MlirValue
}

/// Owns an operation that is in no block, with everything in it.
///
/// When this is dropped, the tree is cut out of all others, and freed with the next exclusive call.
///
/// ```
/// # use mondo_ir::{Context, OwnedOp};
/// Context::new().enter(|ctx, ir| {
///     let op = OwnedOp::parse(ctx, "module @a {}", "a.mlir").unwrap();
///     let copy = op.op(ir).duplicate().unwrap();
///     drop(op);
///     assert_eq!(copy.op(ir).attribute("sym_name").unwrap().to_string(), "\"a\"");
/// });
/// ```
#[derive(Debug)]
pub struct OwnedOp<'ctx> {
    raw: MlirOperation,
    state: &'ctx State,
    brand: Brand<'ctx>,
}

impl Drop for OwnedOp<'_> {
    fn drop(&mut self) {
        // SAFETY: `new` got the only ownership of a live root. Nothing puts a root into a block but by
        // `release`, which does not come here.
        unsafe { self.state.retire(self.raw) };
    }
}

impl<'ctx> OwnedOp<'ctx> {
    /// # Safety
    ///
    /// The operation is live, of the state's context and in no block, and nothing else owns it.
    pub(crate) unsafe fn new(raw: MlirOperation, state: &'ctx State) -> Self {
        Self {
            raw,
            state,
            brand: std::marker::PhantomData,
        }
    }

    pub(crate) fn raw(&self) -> MlirOperation {
        self.raw
    }

    pub(crate) fn state(&self) -> &'ctx State {
        self.state
    }

    /// The operation, which the caller owns now.
    pub(crate) fn release(self) -> MlirOperation {
        let raw = self.raw;
        std::mem::forget(self);
        raw
    }
}

/// Converts handles to those of `nodes`, which do not borrow the token.
macro_rules! nodes {
    ($($name:ident)+) => {
        $(impl<'ctx> $name<'_, 'ctx> {
            /// # Safety
            ///
            /// The result is used only while the token is borrowed for this handle's lifetime.
            pub(crate) unsafe fn node(self) -> crate::nodes::$name<'ctx> {
                // SAFETY: the object is live as long as the handle; the caller vouches for the rest.
                unsafe { crate::nodes::$name::at(self.pointer) }
            }
        })+
    };
}

nodes! { Op Block Value }
