//! `DenseResourceElementsAttr`: elements that stay in the memory of a Python buffer.

use mondo_ir::attributes::DenseResource;
use mondo_ir::declarations as c;
use mondo_ir::types::Shaped;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyModule, PyType};

use crate::interop::buffer::{HeldView, STRIDES, View};
use crate::ir::arguments::Int;
use crate::ir::attribute::Attribute;
use crate::ir::context_stack;
use crate::ir::derived_class::{self, attribute_kind};
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// The published class.
static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The elements of a tensor or vector that are a resource with a name.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct DenseResourceElementsAttr;

attribute_kind!(DenseResourceElementsAttr: DenseResource,
    name: c::mlirDenseResourceElementsAttrGetName);

#[pymethods]
impl DenseResourceElementsAttr {
    /// The attribute of a buffer, which is kept as long as MLIR needs it.
    ///
    /// The elements are not looked at: that they are what the type says is up to the caller. MLIR may
    /// change the name if there is a resource of that name. The alignment is that of one element,
    /// unless it is given.
    #[staticmethod]
    #[pyo3(signature = (array, name, r#type, alignment = None, is_mutable = false, context = None))]
    fn get_from_buffer(
        py: Python<'_>,
        array: &Bound<'_, PyAny>,
        name: &str,
        r#type: &Bound<'_, Type>,
        alignment: Option<Int<usize>>,
        is_mutable: bool,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let context = context_stack::resolve_context(py, context)?;
        Context::enter(py, &context, |ctx| {
            r#type
                .get()
                .within(ctx)?
                .downcast::<Shaped>()
                .map(drop)
                .ok_or_else(not_shaped)
        })?;
        let view = View::of(array, STRIDES)?;
        if !view.is_without_gaps() {
            return Err(PyValueError::new_err("Contiguous buffer is required."));
        }
        if is_mutable && view.is_readonly() {
            return Err(PyValueError::new_err(
                "a resource that MLIR may write to needs a buffer that can be written to",
            ));
        }
        let alignment = alignment.map_or_else(
            || match view.strides().last() {
                // The last stride is the size of an element, unless the dimension has one element and the
                // stride is arbitrary.
                Some(stride) if stride.unsigned_abs().is_power_of_two() => stride.unsigned_abs(),
                _ => view.itemsize(),
            },
            |alignment| alignment.0,
        );
        if !alignment.is_power_of_two() {
            return Err(PyValueError::new_err(format!(
                "the alignment must be a power of two, not {alignment}; pass `alignment`"
            )));
        }
        let held = HeldView::of(py, view)?;
        let attribute = Context::enter(py, &context, |ctx| {
            let ty = r#type.get().within(ctx)?;
            let shaped = ty.downcast::<Shaped>().ok_or_else(not_shaped)?;
            let attribute = shaped.resource(name, held, alignment, is_mutable);
            ctx.wrap(attribute.ok_or_else(|| {
                PyValueError::new_err(
                    "DenseResourceElementsAttr could not be constructed from the given buffer. This \
                     may mean that the Python buffer layout does not match that MLIR expected layout \
                     and is a bug.",
                )
            })?)
        })?;
        derived_class::exactly(attribute.into_bound(py), &CLASS)
    }
}

fn not_shaped() -> PyErr {
    PyValueError::new_err("Constructing a DenseResourceElementsAttr requires a ShapedType.")
}

pub(super) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    let class = derived_class::publish::<DenseResourceElementsAttr>(ir, parent)?;
    // The extension is initialised once; should that ever change, the first class stays.
    let _ = CLASS.set(ir.py(), class.unbind());
    Ok(())
}
