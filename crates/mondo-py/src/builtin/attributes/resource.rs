//! `DenseResourceElementsAttr`: elements that stay where Python has them.

use std::ffi::c_void;

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyModule, PyType};

use super::buffer::{STRIDES, View};
use crate::interop::string::string_ref;
use crate::ir::arguments::Int;
use crate::ir::attribute::{self, Attribute};
use crate::ir::derived_class::{self, attribute_kind, context_for};
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// The class as Python sees it.
static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The elements of a tensor or vector that are a resource with a name.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct DenseResourceElementsAttr;

attribute_kind!(
    DenseResourceElementsAttr,
    mlirAttributeIsADenseResourceElements,
    None,
    Some(mlirDenseResourceElementsAttrGetName)
);

/// A view as a Python object, so that dropping a reference is what releases it, now or, in a thread
/// without the interpreter, as soon as there is one with it.
#[pyclass(frozen, name = "_HeldView")]
struct HeldView {
    _view: View,
}

/// The function that MLIR calls when it needs the elements no longer.
unsafe extern "C" fn release(held: *mut c_void, _data: *const c_void, _size: usize, _align: usize) {
    // SAFETY: `held` is what `get_from_buffer` leaked, and MLIR calls this once.
    drop(unsafe { Box::from_raw(held.cast::<Py<HeldView>>()) });
}

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
        let (context, _) = context_for(py, context)?;
        let raw = r#type.get().get_in(py, &context)?;
        // SAFETY: the type is live.
        if !unsafe { mlirTypeIsAShaped(raw) } {
            return Err(PyValueError::new_err(
                "Constructing a DenseResourceElementsAttr requires a ShapedType.",
            ));
        }
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
                // The stride of a dimension of one element can be anything.
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
        let (data, length) = (view.start(), view.len());
        let held = Box::into_raw(Box::new(Py::new(py, HeldView { _view: view })?));
        // SAFETY: the type is shaped and live, MLIR copies the name, and the data stays until
        // `release` is called, whether the attribute could be made or not.
        let made = unsafe {
            mlirUnmanagedDenseResourceElementsAttrGet(
                raw,
                string_ref(name),
                data,
                length,
                alignment,
                is_mutable,
                Some(release),
                held.cast(),
            )
        };
        if made.ptr.is_null() {
            return Err(PyValueError::new_err(
                "DenseResourceElementsAttr could not be constructed from the given buffer. This may \
                 mean that the Python buffer layout does not match that MLIR expected layout and is a \
                 bug.",
            ));
        }
        // SAFETY: the attribute was made in this context.
        let made = unsafe { attribute::wrap(py, &context, made)? };
        derived_class::exactly(made.into_bound(py), &CLASS)
    }
}

pub(super) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    let class = derived_class::publish::<DenseResourceElementsAttr>(ir, parent)?;
    // The extension is initialised once; should that ever change, the first class stays.
    let _ = CLASS.set(ir.py(), class.unbind());
    Ok(())
}
