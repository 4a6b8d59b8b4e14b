//! A conversion of types, by a closure.

use std::ffi::c_void;
use std::fmt;
use std::ptr::NonNull;

use mondo_sys::*;

use crate::callback::caught;
use crate::uniqued_handles::Type;
use crate::uniquer::Uniquer;

/// The closure of a [`TypeConverter`]: the type that a type becomes, if there is one.
type Convert = dyn for<'ctx> Fn(Uniquer<'ctx>, Type<'ctx>) -> Option<Type<'ctx>> + Send + Sync;

/// A conversion of types, by a closure. It remembers what types become, so that it is for types of one context.
pub(super) struct TypeConverter {
    raw: NonNull<MondoTypeConverter>,
    /// What `raw` calls; declared after it, though C++ does not call it while it destroys the converter.
    _convert: Box<Box<Convert>>,
}

// SAFETY: a converter belongs to no thread, and its closure is `Send`.
unsafe impl Send for TypeConverter {}
// SAFETY: a shared borrow only lets the driver read it, which locks what it remembers, and its closure is `Sync`. Who calls
// `forget` vouches that nothing converts meanwhile.
unsafe impl Sync for TypeConverter {}

impl fmt::Debug for TypeConverter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TypeConverter")
    }
}

/// # Safety
///
/// `data` is the `Box<Convert>` of a converter that is live, the type is live, and `converted` can be written.
unsafe extern "C" fn convert_type(
    data: *mut c_void,
    ty: MlirType,
    converted: *mut MlirType,
) -> bool {
    // SAFETY: C++ calls this with the closure that `TypeConverter::new` gave it, which lives as long as the converter.
    let convert = unsafe { &*data.cast_const().cast::<Box<Convert>>() };
    let result = caught(|| {
        // SAFETY: the type and its context are live until the callback returns, and so is what the closure makes of it, as
        // it is of the same context. The brand is the closure's own.
        unsafe {
            let address = Uniquer::expect(mlirTypeGetContext(ty)).address();
            Uniquer::borrow(address, |ctx| {
                Type::from_raw(ty).and_then(|ty| convert(ctx, ty).map(Type::raw))
            })
        }
    });
    let Ok(Some(result)) = result else {
        return false;
    };
    // SAFETY: `converted` can be written, by this function's contract.
    unsafe { *converted = result };
    true
}

impl TypeConverter {
    /// A converter. Where the closure has no type, it is asked again the next time.
    pub(super) fn new<F>(convert: F) -> Self
    where
        F: for<'ctx> Fn(Uniquer<'ctx>, Type<'ctx>) -> Option<Type<'ctx>> + Send + Sync + 'static,
    {
        let convert: Box<Box<Convert>> = Box::new(Box::new(convert));
        let data = (&raw const *convert).cast_mut().cast();
        // SAFETY: `data` stays where it is until the converter is destroyed.
        let raw = unsafe { mondoTypeConverterCreate(Some(convert_type), data) };
        Self {
            raw: NonNull::new(raw).expect("C++ makes an object, or ends the process"),
            _convert: convert,
        }
    }

    pub(super) fn raw(&self) -> *mut MondoTypeConverter {
        self.raw.as_ptr()
    }

    /// Forgets what types became.
    ///
    /// # Safety
    ///
    /// Nothing converts types by it now.
    pub(super) unsafe fn forget(&self) {
        // SAFETY: the converter is live, and nothing uses it (this function's contract).
        unsafe { mondoTypeConverterForget(self.raw.as_ptr()) };
    }
}

impl Drop for TypeConverter {
    fn drop(&mut self) {
        // SAFETY: `new` got the only ownership, and patterns and conversions keep the converter while they use it.
        unsafe { mondoTypeConverterDestroy(self.raw.as_ptr()) };
    }
}
