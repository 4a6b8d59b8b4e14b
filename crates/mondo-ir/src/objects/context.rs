//! Contexts for a program that keeps what is in them by counting references.

use std::ffi::c_void;
use std::ptr::NonNull;

use mondo_sys::{
    MlirContext, mlirContextCreateWithThreading, mlirContextDestroy, mlirContextGetNumThreads,
};

/// A context that lives at least as long as this. [`Uniquer::borrow`](crate::Uniquer::borrow) uses it.
#[derive(Debug)]
pub struct KeptContext {
    raw: MlirContext,
    /// True if it is destroyed with this.
    owned: bool,
}

impl KeptContext {
    /// A new context without threads.
    pub fn create() -> Self {
        Self {
            // SAFETY: there is no precondition, and the context is new.
            raw: unsafe { mlirContextCreateWithThreading(false) },
            owned: true,
        }
    }

    /// A context of other code's, at its address.
    ///
    /// # Safety
    ///
    /// The context is live as long as this; if it is to be `owned`, nothing else destroys it.
    pub unsafe fn of(address: NonNull<c_void>, owned: bool) -> Self {
        Self {
            raw: MlirContext {
                ptr: address.as_ptr(),
            },
            owned,
        }
    }

    /// The address by which the C API knows it.
    #[inline]
    pub fn address(&self) -> NonNull<c_void> {
        // SAFETY: a live context is not null.
        unsafe { NonNull::new_unchecked(self.raw.ptr) }
    }

    /// The number of threads that a pipeline may use.
    pub fn threads(&self) -> usize {
        // SAFETY: the context is live.
        unsafe { mlirContextGetNumThreads(self.raw) as usize }
    }
}

impl Drop for KeptContext {
    fn drop(&mut self) {
        if self.owned {
            // SAFETY: the context is live and ours; whoever borrowed it vouched that nothing of it is used afterwards.
            unsafe { mlirContextDestroy(self.raw) };
        }
    }
}
