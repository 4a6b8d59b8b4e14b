//! The class `Location`, a transient wrapper. Its Python methods are in `location_methods.rs`, and the classes for its
//! kinds in `location_classes.rs`.

use pyo3::prelude::*;

use crate::ir::location_classes;
use crate::ownership::context::{Context, Entered, require_same};
use crate::ownership::uniqued_ref::UniquedRef;
use crate::ownership::wrapper::{self, Pool, Transient};

/// A source location. Locations are unique in their context and live as long as it.
#[pyclass(frozen, subclass)]
pub(crate) struct Location {
    pub(super) uniqued: UniquedRef<mondo_ir::Location<'static>>,
}

impl Transient for Location {
    fn pool() -> &'static Pool<Self> {
        static POOL: Pool<Location> = Pool::new();
        &POOL
    }

    fn sample(py: Python<'_>) -> PyResult<Py<Self>> {
        let uniqued = UniquedRef::sample(py);
        Py::new(py, Self { uniqued })
    }

    fn release(self, py: Python<'_>) {
        self.uniqued.release(py);
    }
}

impl Location {
    /// The wrapper of a location, of the class for its kind.
    #[inline]
    pub(crate) fn new<'py, 'ctx>(
        py: Python<'py>,
        ctx: Entered<'_, 'ctx>,
        location: mondo_ir::Location<'ctx>,
    ) -> PyResult<Bound<'py, Self>> {
        let uniqued = UniquedRef::of(ctx, location);
        let memory = location_classes::memory(ctx, location);
        wrapper::make(py, memory, Self { uniqued })
    }

    pub(crate) fn context_ref(&self) -> &Py<Context> {
        self.uniqued.context()
    }

    /// The handle, in the context that was entered; fails for a location of another context.
    #[inline]
    pub(crate) fn within<'ctx>(
        &self,
        ctx: Entered<'_, 'ctx>,
    ) -> PyResult<mondo_ir::Location<'ctx>> {
        self.uniqued.within(ctx, "location")
    }

    /// Fails unless the location is of `context`.
    pub(crate) fn require_in(&self, py: Python<'_>, context: &Py<Context>) -> PyResult<()> {
        require_same(context, self.uniqued.context(), "location")?;
        context.get().check_access(py)
    }

    /// Runs `look` with the handle, in its context.
    #[inline]
    pub(crate) fn with<R>(
        &self,
        py: Python<'_>,
        look: impl for<'ctx> FnOnce(Entered<'_, 'ctx>, mondo_ir::Location<'ctx>) -> PyResult<R>,
    ) -> PyResult<R> {
        self.uniqued.with(py, look)
    }
}
