//! Threads that contexts can be given.

use std::ffi::c_void;

use mondo_sys::{
    MlirLlvmThreadPool, mlirContextCreateWithThreading, mlirContextGetNumThreads,
    mlirContextGetThreadPool, mlirContextSetThreadPool, mlirLlvmThreadPoolCreate,
    mlirLlvmThreadPoolDestroy, mondoContextUseSharedThreadPool,
};

use crate::c_object::{Destroy, Owned};
use crate::declarations as c;
use crate::uniquer::Uniquer;

/// Threads for contexts in place of those that all contexts share. They do not survive a fork.
///
/// ```
/// # use mondo_ir::{Context, ThreadPool};
/// let pool = ThreadPool::new();
/// assert!(pool.max_concurrency() >= 1);
/// Context::new().enter(|ctx, _| {
///     // SAFETY: no pipeline runs on the context, which is gone before the threads.
///     unsafe { ctx.give_threads(&pool) };
///     // A machine with one processor has no threads to give.
///     let used = ctx.threads_address();
///     assert!(used.is_none() || used == Some(pool.address()));
///     // SAFETY: as above.
///     unsafe { ctx.share_threads() };
/// });
/// ```
#[derive(Debug)]
pub struct ThreadPool(Owned<Pool>);

/// A pool of the C API.
#[derive(Debug, Clone, Copy)]
struct Pool {
    raw: MlirLlvmThreadPool,
    /// The process that its threads are in.
    process: u32,
}

impl Destroy for Pool {
    unsafe fn destroy(self) {
        if self.process != std::process::id() {
            // A forked child would wait for threads that it does not have.
            return;
        }
        // SAFETY: the caller owns the pool, and contexts that use it outlive it by nobody's fault but that of who
        // called `give_threads`. Its threads have nothing to do, so that they end at once.
        unsafe { mlirLlvmThreadPoolDestroy(self.raw) };
    }
}

// SAFETY: LLVM's thread pools lock what their threads share.
unsafe impl Send for ThreadPool {}
// SAFETY: LLVM's thread pools lock what their threads share.
unsafe impl Sync for ThreadPool {}

impl Default for ThreadPool {
    fn default() -> Self {
        Self::new()
    }
}

impl ThreadPool {
    /// As many threads as LLVM thinks fit.
    pub fn new() -> Self {
        // SAFETY: `mlirLlvmThreadPoolCreate` has no precondition, and nothing else owns the new pool.
        Self(unsafe {
            Owned::new(Pool {
                raw: mlirLlvmThreadPoolCreate(),
                process: std::process::id(),
            })
        })
    }

    /// The greatest number of its threads. The C API says it only of a context.
    pub fn max_concurrency(&self) -> u32 {
        // SAFETY: the pool is live, and outlives the new context, which is ours alone.
        unsafe {
            let context = Owned::new(mlirContextCreateWithThreading(false));
            mlirContextSetThreadPool(context.get(), self.0.get().raw);
            mlirContextGetNumThreads(context.get())
        }
    }

    /// The address by which C++ knows it.
    pub fn address(&self) -> *const c_void {
        self.0.get().raw.ptr.cast_const().cast()
    }
}

impl Uniquer<'_> {
    /// Gives the context threads of its own.
    ///
    /// # Safety
    ///
    /// No pipeline runs on the context, which does not outlive the threads.
    pub unsafe fn give_threads(self, pool: &ThreadPool) {
        // SAFETY: no pipeline runs on the context, by this function's contract, and its threads are off
        // when others are set.
        unsafe {
            c::mlirContextEnableMultithreading(self, false);
            mlirContextSetThreadPool(self.raw(), pool.0.get().raw);
        }
    }

    /// Gives the context those threads that all contexts of the process share.
    ///
    /// # Safety
    ///
    /// No pipeline runs on the context.
    pub unsafe fn share_threads(self) {
        // SAFETY: no pipeline runs on the context, by this function's contract, and its threads are off
        // when others are set.
        unsafe {
            c::mlirContextEnableMultithreading(self, false);
            mondoContextUseSharedThreadPool(self.raw());
        }
    }

    /// The address of the threads that it uses, or `None` if they are switched off.
    pub fn threads_address(self) -> Option<*const c_void> {
        if c::mlirContextGetNumThreads(self) <= 1 {
            return None;
        }
        // SAFETY: the context is live and has threads.
        Some(
            unsafe { mlirContextGetThreadPool(self.raw()) }
                .ptr
                .cast_const()
                .cast(),
        )
    }
}
