//! A context as the maker of uniqued things, without the trees of a scope.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;

use mondo_sys::{MlirContext, mlirContextGetOrLoadDialect, mlirDialectGetNamespace};

use crate::brand::Brand;
use crate::c_type::CType;
use crate::callback::string_ref;
use crate::text::Text;

/// Makes and finds the types, attributes, locations and affine things of a context, which keeps each
/// of them once.
///
/// [`Ctx`](crate::Ctx) dereferences to this one, and has in addition what trees need.
///
/// ```
/// # use mondo_ir::{Context, Uniquer, types::TupleType};
/// Context::new().enter(|ctx, _| {
///     fn pair<'ctx>(uniquer: Uniquer<'ctx>) -> TupleType<'ctx> {
///         uniquer.tuple(&[uniquer.i32().any(), uniquer.f32().any()])
///     }
///     assert_eq!(pair(*ctx).to_string(), "tuple<i32, f32>");
///     assert_eq!(ctx.dialect("func").unwrap().to_text(), "func");
///     assert!(ctx.dialect("no such").is_none());
/// });
/// ```
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uniquer<'ctx> {
    pointer: NonNull<c_void>,
    brand: Brand<'ctx>,
}

impl<'ctx> Uniquer<'ctx> {
    /// Runs `work` with a context that something else owns, at its address. `'ctx` is another lifetime in each call, so
    /// that nothing of the context leaves the closure, or is used with another context.
    ///
    /// ```
    /// # use mondo_ir::{Context, Uniquer};
    /// Context::new().enter(|ctx, _| {
    ///     // SAFETY: the context is live, and no other thread has it.
    ///     let text = unsafe { Uniquer::borrow(ctx.address(), |again| again.i8().to_string()) };
    ///     assert_eq!(text, "i8");
    /// });
    /// ```
    ///
    /// # Safety
    ///
    /// The context is live until this returns, and no other thread changes it meanwhile, unless MLIR's
    /// own locks are on.
    #[inline]
    pub unsafe fn borrow<R>(
        address: NonNull<c_void>,
        work: impl for<'own> FnOnce(Uniquer<'own>) -> R,
    ) -> R {
        // The caller vouches for the context, and the brand is the closure's own.
        work(Uniquer {
            pointer: address,
            brand: PhantomData,
        })
    }

    /// # Safety
    ///
    /// The context is live for the brand, which no other context has.
    #[inline]
    pub(crate) unsafe fn expect(raw: MlirContext) -> Self {
        Self {
            // SAFETY: the caller vouches that the context is live, and a live context is not null.
            pointer: unsafe { NonNull::new_unchecked(raw.ptr) },
            brand: PhantomData,
        }
    }

    /// The name of a dialect, which is loaded if need be, or `None` if there is no such dialect.
    pub fn dialect(self, name: &str) -> Option<Text<'ctx>> {
        // SAFETY: the context is live, and copies the name; the dialect owns its text.
        unsafe {
            let dialect = mlirContextGetOrLoadDialect(self.raw(), string_ref(name));
            let known = !dialect.ptr.is_null();
            known.then(|| Text::of_raw(mlirDialectGetNamespace(dialect)))
        }
    }

    /// The address by which the C API knows the context.
    #[inline]
    pub fn address(self) -> NonNull<c_void> {
        self.pointer
    }

    /// The context in the form of mondo-sys.
    #[inline]
    pub fn raw(self) -> MlirContext {
        MlirContext {
            ptr: self.pointer.as_ptr(),
        }
    }
}

impl CType for Uniquer<'_> {
    type Raw = MlirContext;

    fn name() -> String {
        "MlirContext".to_owned()
    }

    #[inline]
    fn to_raw(self) -> MlirContext {
        self.raw()
    }

    #[inline]
    unsafe fn of_raw(raw: MlirContext) -> Self {
        // SAFETY: `CType::of_raw` asks for a context that is live for the brand, which `expect` needs.
        unsafe { Self::expect(raw) }
    }
}
