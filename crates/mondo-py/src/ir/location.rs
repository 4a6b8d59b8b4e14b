//! `Location`: a place in a source.

use mondo_sys::*;
use pyo3::prelude::*;

use crate::interop::late::uninitialised;
use crate::ownership::context::{Context, Entered, require_same};
use crate::ownership::wrapper::{self, impl_transient};

/// A source location. Locations are unique in their context and live as long as it.
#[pyclass(frozen, subclass)]
pub(crate) struct Location {
    pub(super) raw: MlirLocation,
    pub(super) context: Py<Context>,
}

// SAFETY: a location is immutable, and its context outlives it.
unsafe impl Send for Location {}
// SAFETY: as above.
unsafe impl Sync for Location {}

impl_transient!(Location { context } { raw: MlirLocation { ptr: std::ptr::null() } });

impl Location {
    /// # Safety
    ///
    /// `raw` is a location of `context`.
    pub(crate) unsafe fn new(
        py: Python<'_>,
        context: Py<Context>,
        raw: MlirLocation,
    ) -> PyResult<Bound<'_, Self>> {
        wrapper::new(py, Self { raw, context })
    }

    pub(crate) fn context_ref(&self) -> &Py<Context> {
        &self.context
    }

    /// The location, for a call into the C API.
    #[inline]
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<MlirLocation> {
        self.context.get().check_access(py)?;
        Ok(self.raw)
    }

    /// The location, in its context.
    pub(crate) fn within<'ctx>(
        &self,
        ctx: Entered<'_, 'ctx>,
    ) -> PyResult<mondo_ir::Location<'ctx>> {
        let raw = self.get_in(ctx.py(), ctx.object())?;
        // SAFETY: the location is of the context of the object, which is the brand's.
        unsafe { mondo_ir::Location::from_raw(raw) }.ok_or_else(uninitialised)
    }

    /// The location, for something that is to be of `context`.
    pub(crate) fn get_in(&self, py: Python<'_>, context: &Py<Context>) -> PyResult<MlirLocation> {
        require_same(context, &self.context, "location")?;
        self.get(py)
    }
}
