//! `ThreadPool`: threads of its own for a context, in place of those that all contexts share.

use mondo_sys::*;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Threads that contexts can be given. They do not survive a fork, which those that contexts share
/// do.
#[pyclass(frozen, subclass)]
pub(crate) struct ThreadPool {
    raw: MlirLlvmThreadPool,
    /// The process that its threads are in.
    process: u32,
}

// SAFETY: LLVM's thread pools lock what their threads share.
unsafe impl Send for ThreadPool {}
// SAFETY: as above.
unsafe impl Sync for ThreadPool {}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // A forked child would wait for threads that it does not have.
            return;
        }
        // SAFETY: this object owns the pool, and contexts that use it hold the object. Its threads
        // have nothing to do, so that they end at once.
        unsafe { mlirLlvmThreadPoolDestroy(self.raw) };
    }
}

impl ThreadPool {
    pub(crate) fn get(&self) -> MlirLlvmThreadPool {
        self.raw
    }
}

/// A pool's address, as C++ prints it.
pub(crate) fn address(pool: MlirLlvmThreadPool) -> String {
    format!("{:p}", pool.ptr)
}

#[pymethods]
impl ThreadPool {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "()")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        // SAFETY: there is no precondition.
        let raw = unsafe { mlirLlvmThreadPoolCreate() };
        Self {
            raw,
            process: std::process::id(),
        }
    }

    fn __init__(&self) {}

    /// The greatest number of its threads.
    fn get_max_concurrency(&self) -> u32 {
        // The C API says it only of a context.
        // SAFETY: the pool is live, and outlives the context.
        unsafe {
            let context = mlirContextCreateWithThreading(false);
            mlirContextSetThreadPool(context, self.raw);
            let count = mlirContextGetNumThreads(context);
            mlirContextDestroy(context);
            count
        }
    }

    /// Its address.
    fn _mlir_thread_pool_ptr(&self) -> String {
        address(self.raw)
    }
}
