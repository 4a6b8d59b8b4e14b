//! The class `Location`, a transient wrapper, and the classes for its kinds. The Python methods are in
//! `location_methods.rs` and `location_classes.rs`.

use mondo_ir::location::{CallSite, FileRange, Fused, Named};
use pyo3::prelude::*;

use crate::ownership::context::{Context, Entered, require_same};
use crate::ownership::uniqued_ref::UniquedRef;
use crate::ownership::wrapper::{self, Pool, Pooled, Transient};

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
        let memory = memory(ctx, location);
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

/// The class of a kind of locations.
pub(super) trait KindClass: Pooled<Contents = Location> {
    fn holds<'ctx>(ctx: Entered<'_, 'ctx>, of: mondo_ir::Location<'ctx>) -> bool;

    /// A location of the kind, in a context that lives as long as the call.
    fn example(ctx: mondo_ir::Uniquer<'_>) -> mondo_ir::Location<'_>;
}

/// Defines classes: the name, the test, and an example.
macro_rules! classes {
    ($(
        $(#[$doc:meta])*
        $class:ident: |$ctx:ident, $of:ident| $test:expr, |$uniquer:ident| $example:expr;
    )+) => {
        $(
            $(#[$doc])*
            #[pyclass(frozen, extends = Location, subclass)]
            pub(super) struct $class;

            impl Pooled for $class {
                type Contents = Location;

                fn memory() -> &'static Pool<Location> {
                    static POOL: Pool<Location> = Pool::new();
                    &POOL
                }
            }

            impl KindClass for $class {
                fn holds<'ctx>($ctx: Entered<'_, 'ctx>, $of: mondo_ir::Location<'ctx>) -> bool {
                    $test
                }

                fn example($uniquer: mondo_ir::Uniquer<'_>) -> mondo_ir::Location<'_> {
                    $example
                }
            }
        )+

        /// The memory of the class for this location. That of `Location` itself is for kinds without a class.
        #[inline]
        fn memory<'ctx>(
            ctx: Entered<'_, 'ctx>,
            location: mondo_ir::Location<'ctx>,
        ) -> &'static Pool<Location> {
            $(
                if $class::holds(ctx, location) {
                    return $class::memory();
                }
            )+
            Location::pool()
        }
    };
}

classes! {
    /// A place or a range in a file.
    FileLineColLoc: |_ctx, of| of.is::<FileRange>(), |ctx| ctx.file("", 1, 1);
    /// A name, and where what it names is.
    NameLoc: |_ctx, of| of.is::<Named>(), |ctx| ctx.named("", None);
    /// A call: where the callee is, and where it is called.
    CallSiteLoc: |_ctx, of| of.is::<CallSite>(), |ctx| ctx.call_site(ctx.unknown(), ctx.unknown());
    /// Several locations as one.
    FusedLoc: |_ctx, of| of.is::<Fused>(), |ctx| ctx.fused(&[ctx.unknown()], Some(ctx.unit().any()));
    /// A location that says nothing.
    UnknownLoc: |ctx, of| of == ctx.unknown(), |ctx| ctx.unknown();
}
