//! The class `ThreadPool`: a pool of threads that a context can be given in place of the one that all
//! contexts share.

use std::ffi::c_void;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Threads that contexts can be given. They do not survive a fork, which those that contexts share
/// do.
#[pyclass(frozen, subclass)]
pub(crate) struct ThreadPool {
    /// The wrappers of contexts that use the pool have a reference to this object.
    threads: mondo_ir::ThreadPool,
}

impl ThreadPool {
    pub(crate) fn threads(&self) -> &mondo_ir::ThreadPool {
        &self.threads
    }
}

/// An address, as C++ prints it.
pub(crate) fn shown(address: *const c_void) -> String {
    format!("{address:p}")
}

#[pymethods]
impl ThreadPool {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "()")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self {
            threads: mondo_ir::ThreadPool::new(),
        }
    }

    fn __init__(&self) {}

    /// The greatest number of its threads.
    fn get_max_concurrency(&self) -> u32 {
        self.threads.max_concurrency()
    }

    /// Its address.
    fn _mlir_thread_pool_ptr(&self) -> String {
        shown(self.threads.address())
    }
}
