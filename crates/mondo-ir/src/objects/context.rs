//! Contexts for a program that keeps a context alive by reference counts, and not by a scope.

use std::ffi::c_void;
use std::ptr::NonNull;

use mondo_sys::{MlirContext, mlirContextCreateWithThreading, mlirContextGetNumThreads};

use crate::c_object::Owned;

/// A context that lives at least as long as this. [`Uniquer::borrow`](crate::Uniquer::borrow) uses it.
#[derive(Debug)]
pub struct KeptContext {
    raw: MlirContext,
    /// The context again, if it is destroyed with this: whoever borrowed it vouched that nothing of it is used
    /// afterwards.
    _owned: Option<Owned<MlirContext>>,
}

impl KeptContext {
    /// A new context without threads.
    pub fn create() -> Self {
        // SAFETY: the constructor has no precondition, and nothing else owns the new context.
        unsafe { Self::keep(mlirContextCreateWithThreading(false), true) }
    }

    /// # Safety
    ///
    /// As for [`of`](Self::of).
    unsafe fn keep(raw: MlirContext, owned: bool) -> Self {
        Self {
            raw,
            // SAFETY: the context is live, and nothing else destroys it if it is `owned`, by this
            // function's contract.
            _owned: owned.then(|| unsafe { Owned::new(raw) }),
        }
    }

    /// A context of other code's, at its address.
    ///
    /// # Safety
    ///
    /// The context is live as long as this; if it is to be `owned`, nothing else destroys it.
    pub unsafe fn of(address: NonNull<c_void>, owned: bool) -> Self {
        let raw = MlirContext {
            ptr: address.as_ptr(),
        };
        // SAFETY: the context is live, and nothing else destroys it if it is `owned`, by this function's
        // contract.
        unsafe { Self::keep(raw, owned) }
    }

    /// The address by which the C API knows it.
    #[inline]
    pub fn address(&self) -> NonNull<c_void> {
        // SAFETY: `of` and `create` keep a live context, which is not null.
        unsafe { NonNull::new_unchecked(self.raw.ptr) }
    }

    /// The number of threads that a pipeline may use.
    pub fn threads(&self) -> usize {
        // SAFETY: the context is live.
        unsafe { mlirContextGetNumThreads(self.raw) as usize }
    }
}
