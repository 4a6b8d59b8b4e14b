//! An execution engine, with the table of the C API's functions for engines, which not every bundle
//! has.

use mondo_sys::MlirExecutionEngine;
use mondo_sys::optional::ExecutionEngineApi;

use crate::c_object::Destroy;

/// An engine, and the functions that take it: a bundle may be without them.
#[derive(Clone, Copy)]
pub(crate) struct Compiled {
    pub(crate) raw: MlirExecutionEngine,
    pub(crate) api: &'static ExecutionEngineApi,
}

impl Destroy for Compiled {
    unsafe fn destroy(self) {
        // SAFETY: the C function has the contract of `Destroy::destroy`, which the caller upholds.
        unsafe { (self.api.destroy)(self.raw) };
    }
}
