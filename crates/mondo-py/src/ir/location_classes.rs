//! The classes for kinds of locations (`FileLineColLoc`, `NameLoc` and others), derived from `Location`, which has the
//! properties of all kinds. Upstream's package has them since LLVM 23.

use std::sync::LazyLock;

use mondo_ir::TypeKey;
use mondo_ir::location::Fused;
use pyo3::PyClass;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule, PyTuple};

use crate::ir::attribute::Attribute;
use crate::ir::location::{
    CallSiteLoc, FileLineColLoc, FusedLoc, KindClass, Location, NameLoc, UnknownLoc,
};
use crate::ir::types::TypeID;
use crate::ownership::context::Context;
use crate::ownership::uniqued_ref::UniquedRef;
use crate::ownership::wrapper;

/// Publishes the classes.
pub(crate) fn install(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    publish::<FileLineColLoc>(ir)?;
    publish::<NameLoc>(ir)?;
    publish::<CallSiteLoc>(ir)?;
    publish::<FusedLoc>(ir)?;
    publish::<UnknownLoc>(ir)
}

fn publish<K: KindClass>(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    let class = wrapper::publish_derived::<K>(ir, "(cast_from_loc)")?;
    let key: fn() -> TypeKey =
        || mondo_ir::Context::new().enter(|ctx, _| K::example(*ctx).attribute().type_id().key());
    let key = LazyLock::new(key);
    class.setattr("static_typeid", KindTypeId { key })
}

/// The `static_typeid` of a class, which is found when it is first asked for: that takes a context.
#[pyclass(frozen, name = "_KindTypeId")]
struct KindTypeId {
    key: LazyLock<TypeKey>,
}

#[pymethods]
impl KindTypeId {
    fn __get__(&self, instance: &Bound<'_, PyAny>, owner: &Bound<'_, PyAny>) -> TypeID {
        let _ = (instance, owner);
        TypeID::of(*self.key)
    }
}

/// A new object of the class `K` for the same location.
fn cast<K>(from: &Bound<'_, Location>, class: K) -> PyResult<PyClassInitializer<K>>
where
    K: KindClass + PyClass<BaseType = Location>,
{
    let contents = from.get().with(from.py(), |ctx, of| {
        if K::holds(ctx, of) {
            let uniqued = UniquedRef::of(ctx, of);
            return Ok(Location { uniqued });
        }
        let kind = K::NAME;
        Err(PyValueError::new_err(format!(
            "Cannot cast location to {kind} (from {of})"
        )))
    })?;
    Ok(PyClassInitializer::from(contents).add_subclass(class))
}

#[pymethods]
impl UnknownLoc {
    #[new]
    fn new(cast_from_loc: &Bound<'_, Location>) -> PyResult<PyClassInitializer<Self>> {
        cast(cast_from_loc, Self)
    }

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
    #[new]
    fn new(cast_from_loc: &Bound<'_, Location>) -> PyResult<PyClassInitializer<Self>> {
        cast(cast_from_loc, Self)
    }

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
    #[new]
    fn new(cast_from_loc: &Bound<'_, Location>) -> PyResult<PyClassInitializer<Self>> {
        cast(cast_from_loc, Self)
    }

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
    #[new]
    fn new(cast_from_loc: &Bound<'_, Location>) -> PyResult<PyClassInitializer<Self>> {
        cast(cast_from_loc, Self)
    }

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
    #[new]
    fn new(cast_from_loc: &Bound<'_, Location>) -> PyResult<PyClassInitializer<Self>> {
        cast(cast_from_loc, Self)
    }

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
