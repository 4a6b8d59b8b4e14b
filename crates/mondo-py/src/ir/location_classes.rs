//! The classes for kinds of locations (`FileLineColLoc`, `NameLoc` and others), derived from `Location`, which has the
//! properties of all kinds. Upstream's package has them since LLVM 23.

use mondo_ir::TypeKey;
use mondo_ir::location::{CallSite, FileRange, Fused, LocationKind, Named};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule, PyTuple, PyType};

use crate::ir::attribute::Attribute;
use crate::ir::location::Location;
use crate::ir::types::TypeID;
use crate::ownership::context::{Context, Entered};
use crate::ownership::uniqued_ref::UniquedRef;
use crate::ownership::wrapper::{self, Derived, Pool, Pooled, Transient};

/// The class of a kind of locations.
trait KindClass: Derived<Contents = Location> {
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
            pub(crate) struct $class;

            impl Pooled for $class {
                type Contents = Location;

                fn memory() -> &'static Pool<Location> {
                    static POOL: Pool<Location> = Pool::new();
                    &POOL
                }
            }

            impl Derived for $class {
                const PARAMETER: &'static str = "cast_from_loc";

                fn cast(from: &Bound<'_, PyAny>) -> PyResult<Location> {
                    cast::<Self>(from)
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
        pub(super) fn memory<'ctx>(
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

        /// Publishes the classes.
        pub(crate) fn install(ir: &Bound<'_, PyModule>) -> PyResult<()> {
            $(publish::<$class>(ir)?;)+
            Ok(())
        }
    };
}

fn is<K: LocationKind>(of: mondo_ir::Location<'_>) -> bool {
    of.is::<K>()
}

classes! {
    /// A place or a range in a file.
    FileLineColLoc: |_ctx, of| is::<FileRange>(of), |ctx| ctx.file("", 1, 1);
    /// A name, and where what it names is.
    NameLoc: |_ctx, of| is::<Named>(of), |ctx| ctx.named("", None);
    /// A call: where the callee is, and where it is called.
    CallSiteLoc: |_ctx, of| is::<CallSite>(of), |ctx| ctx.call_site(ctx.unknown(), ctx.unknown());
    /// Several locations as one.
    FusedLoc: |_ctx, of| is::<Fused>(of), |ctx| ctx.fused(&[ctx.unknown()], Some(ctx.unit().any()));
    /// A location that says nothing.
    UnknownLoc: |ctx, of| of == ctx.unknown(), |ctx| ctx.unknown();
}

fn publish<K: KindClass>(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    let class: Bound<'_, PyType> = wrapper::publish_derived::<K>(ir)?;
    let type_id =
        || mondo_ir::Context::new().enter(|ctx, _| K::example(*ctx).attribute().type_id().key());
    class.setattr("static_typeid", KindTypeId { type_id })
}

/// The `static_typeid` of a class, which is found when it is asked for: it takes a context.
#[pyclass(frozen, name = "_KindTypeId")]
struct KindTypeId {
    type_id: fn() -> TypeKey,
}

#[pymethods]
impl KindTypeId {
    fn __get__(&self, instance: &Bound<'_, PyAny>, owner: &Bound<'_, PyAny>) -> TypeID {
        let _ = (instance, owner);
        TypeID::of((self.type_id)())
    }
}

/// The contents of an object of the kind `K` for a location.
fn cast<K: KindClass>(from: &Bound<'_, PyAny>) -> PyResult<Location> {
    let location = from.cast::<Location>()?;
    location.get().with(location.py(), |ctx, of| {
        if K::holds(ctx, of) {
            let uniqued = UniquedRef::of(ctx, of);
            return Ok(Location { uniqued });
        }
        let kind = K::NAME;
        Err(PyValueError::new_err(format!(
            "Cannot cast location to {kind} (from {of})"
        )))
    })
}

#[pymethods]
impl UnknownLoc {
    /// A location that says nothing.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn get<'py>(
        py: Python<'py>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Location>> {
        Location::unknown(py, context)
    }
}

#[pymethods]
impl FileLineColLoc {
    /// A place in a file, `get(filename, line, col)`, or a range of it,
    /// `get(filename, start_line, start_col, end_line, end_col)`.
    #[staticmethod]
    #[pyo3(signature = (filename, *args, line = None, col = None, start_line = None,
                        start_col = None, end_line = None, end_col = None, context = None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "upstream has two overloads of this name"
    )]
    fn get<'py>(
        py: Python<'py>,
        filename: &str,
        args: &Bound<'_, PyTuple>,
        line: Option<u32>,
        col: Option<u32>,
        start_line: Option<u32>,
        start_col: Option<u32>,
        end_line: Option<u32>,
        end_col: Option<u32>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Location>> {
        Location::file(
            py, filename, args, line, col, start_line, start_col, end_line, end_col, context,
        )
    }
}

#[pymethods]
impl NameLoc {
    /// A name, and where what it names is.
    #[staticmethod]
    #[pyo3(signature = (name, child_loc = None, context = None))]
    fn get<'py>(
        py: Python<'py>,
        name: &str,
        child_loc: Option<Bound<'_, Location>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Location>> {
        Location::name(py, name, child_loc, context)
    }
}

#[pymethods]
impl CallSiteLoc {
    /// A call: where the callee is, and the frames that called it, innermost first.
    #[staticmethod]
    #[pyo3(signature = (callee, frames, context = None))]
    fn get<'py>(
        py: Python<'py>,
        callee: &Bound<'_, Location>,
        frames: Vec<Bound<'_, Location>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Location>> {
        Location::callsite(py, callee, frames, context)
    }
}

#[pymethods]
impl FusedLoc {
    /// Several locations as one. Fails where MLIR would return another kind: of one location without metadata, it is that
    /// location. `Location.fused` returns what MLIR returns.
    #[staticmethod]
    #[pyo3(signature = (locations, metadata = None, context = None))]
    fn get<'py>(
        py: Python<'py>,
        locations: Vec<Bound<'_, Location>>,
        metadata: Option<Bound<'_, Attribute>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Location>> {
        let location = Location::fused(py, locations, metadata, context)?;
        let is_fused = location.get().with(py, |_, of| Ok(of.is::<Fused>()))?;
        if is_fused {
            return Ok(location);
        }
        Err(PyValueError::new_err(format!(
            "FusedLoc.get would collapse to {location}, which is no FusedLoc: call Location.fused, or pass metadata"
        )))
    }
}
