//! The types and attributes of dialects: a file for each dialect, with its kinds and its functions.
//!
//! A bundle need not have them: a program that uses one of them is linked with a library that has its
//! dialect.

#[cfg(not(llvm_before = "22"))]
pub mod amdgpu;
#[cfg(feature = "dynamic-dialects")]
#[doc(hidden)]
pub mod extensible;
pub mod gpu;
#[doc(hidden)]
pub mod irdl;
#[cfg(not(llvm_before = "22"))]
pub mod linalg;
#[doc(hidden)]
pub mod linalg_bodies;
#[cfg(not(llvm_before = "22"))]
#[doc(hidden)]
pub mod linalg_queries;
pub mod llvm;
pub mod nvgpu;
pub mod pdl;
pub mod quant;
#[cfg(not(llvm_before = "22"))]
pub mod smt;
pub mod sparse_tensor;
pub mod transform;

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

use mondo_sys::{MlirContext, MlirDialectHandle, mlirDialectHandleLoadDialect};

use crate::c_type::CType;
use crate::uniquer::Uniquer;

/// A dialect with a function of its own in the C API.
///
/// ```
/// # use mondo_ir::{Context, Uniquer, dialects::{Dialect, transform::Transform}};
/// fn loads<D: Dialect>(into: Uniquer<'_>) -> bool {
///     let loaded = into.with_dialect::<D>();
///     loaded.parsed_type("!transform.any_op").is_some()
/// }
/// Context::new().enter(|ctx, _| assert!(loads::<Transform>(*ctx)));
/// ```
pub trait Dialect {
    /// The handle that the C API knows it by.
    fn handle() -> DialectHandle;
}

/// A dialect that no context has loaded yet.
///
/// ```
/// # use mondo_ir::dialects::{Dialect, DialectHandle, pdl::Pdl};
/// fn a_handle_of_its_own<D: Dialect>() -> DialectHandle {
///     D::handle()
/// }
/// assert!(format!("{:?}", a_handle_of_its_own::<Pdl>()).contains("0x"));
/// ```
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct DialectHandle {
    pointer: NonNull<c_void>,
}

impl CType for DialectHandle {
    type Raw = MlirDialectHandle;

    fn name() -> String {
        "MlirDialectHandle".to_owned()
    }

    #[inline]
    fn to_raw(self) -> MlirDialectHandle {
        MlirDialectHandle {
            ptr: self.pointer.as_ptr(),
        }
    }

    #[inline]
    unsafe fn of_raw(raw: MlirDialectHandle) -> Self {
        Self {
            pointer: NonNull::new(raw.ptr.cast_mut()).expect("a dialect's handle is not null"),
        }
    }
}

/// A context that has loaded the dialect `D`: MLIR makes types and attributes of one that is not loaded
/// by way of a table that has no entry for them.
///
/// ```
/// # use mondo_ir::{Context, dialects::pdl};
/// Context::new().enter(|ctx, _| {
///     // Types of a dialect are made by what its context has loaded.
///     let pdl = ctx.with_dialect::<pdl::Pdl>();
///     assert_eq!(pdl::mlirPDLValueTypeGet(pdl).to_string(), "!pdl.value");
///     // It dereferences to the context's `Uniquer`.
///     assert_eq!(pdl.i8(), ctx.i8());
/// });
/// ```
#[repr(transparent)]
#[derive(Debug)]
pub struct Loaded<'ctx, D> {
    uniquer: Uniquer<'ctx>,
    dialect: PhantomData<D>,
}

impl<D> Clone for Loaded<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Loaded<'_, D> {}

impl<'ctx, D> Deref for Loaded<'ctx, D> {
    type Target = Uniquer<'ctx>;

    fn deref(&self) -> &Uniquer<'ctx> {
        &self.uniquer
    }
}

impl<D> CType for Loaded<'_, D> {
    type Raw = MlirContext;

    fn name() -> String {
        "MlirContext".to_owned()
    }

    #[inline]
    fn to_raw(self) -> MlirContext {
        self.uniquer.raw()
    }

    #[inline]
    unsafe fn of_raw(raw: MlirContext) -> Self {
        Self {
            // SAFETY: `CType::of_raw` asks for a context that is live for the brand, which
            // `Uniquer::expect` needs.
            uniquer: unsafe { Uniquer::expect(raw) },
            dialect: PhantomData,
        }
    }
}

impl<'ctx> Uniquer<'ctx> {
    /// Loads a dialect, so that its types and attributes can be made.
    pub fn with_dialect<D: Dialect>(self) -> Loaded<'ctx, D> {
        // SAFETY: the context is live, and the handle is one of the C API's.
        unsafe { mlirDialectHandleLoadDialect(D::handle().to_raw(), self.raw()) };
        Loaded {
            uniquer: self,
            dialect: PhantomData,
        }
    }
}

/// Declares a dialect with the function that gives its handle.
macro_rules! dialect {
    ($(#[$doc:meta])* $name:ident = $function:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $name {}

        impl $crate::dialects::Dialect for $name {
            #[inline]
            fn handle() -> $crate::dialects::DialectHandle {
                $function()
            }
        }
    };
}
use dialect;

/// The rows of all dialects.
#[cfg(test)]
pub(crate) fn table() -> Vec<crate::declarations::Row> {
    [
        #[cfg(not(llvm_before = "22"))]
        amdgpu::table(),
        gpu::table(),
        llvm::table(),
        nvgpu::table(),
        pdl::table(),
        quant::table(),
        #[cfg(not(llvm_before = "22"))]
        quant::sub_channel::table(),
        #[cfg(not(llvm_before = "22"))]
        smt::table(),
        sparse_tensor::table(),
        transform::table(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
