//! `_mlirDialectsNVGPU`: the types of the `nvgpu` dialect.

use std::ops::RangeInclusive;

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use super::making::{cast_like, context_with};
use crate::ir::arguments::Int;
use crate::ir::derived_class::{self, type_kind};
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;
use crate::ownership::wrapper::Wrapper;

/// The descriptor of a tensor for the unit that copies tensors.
#[pyclass(frozen, subclass, extends = Type)]
struct TensorMapDescriptorType;

type_kind!(
    TensorMapDescriptorType,
    mlirTypeIsANVGPUTensorMapDescriptorType,
    None,
    Some(mlirNVGPUTensorMapDescriptorTypeGetName)
);

/// A member of one of the dialect's enumerations; MLIR takes any number for one.
fn member(what: &str, value: i32, known: RangeInclusive<i32>) -> PyResult<i32> {
    if known.contains(&value) {
        return Ok(value);
    }
    Err(PyValueError::new_err(format!(
        "{what} must be from {} to {}, not {value}",
        known.start(),
        known.end()
    )))
}

#[pymethods]
impl TensorMapDescriptorType {
    /// The descriptor of tensors that are memrefs of `tensor_type`; the others are members of the
    /// dialect's enumerations.
    #[staticmethod]
    #[pyo3(signature = (tensor_type, swizzle, l2promo, oob_fill, interleave, context = None))]
    fn get(
        tensor_type: &Bound<'_, Type>,
        swizzle: Int<i32>,
        l2promo: Int<i32>,
        oob_fill: Int<i32>,
        interleave: Int<i32>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let py = tensor_type.py();
        let (context, raw) = context_with(py, context, mlirGetDialectHandle__nvgpu__)?;
        let tensor = tensor_type.get().get_in(py, &context)?;
        // SAFETY: the type is live.
        if !unsafe { mlirTypeIsAMemRef(tensor) } {
            return Err(PyValueError::new_err(format!(
                "tensor_type must be a memref type, not {}",
                tensor_type.get().__str__(py)?
            )));
        }
        let swizzle = member("swizzle", swizzle.0, 0..=3)?;
        let promotion = member("l2promo", l2promo.0, 0..=3)?;
        let fill = member("oob_fill", oob_fill.0, 0..=1)?;
        let interleave = member("interleave", interleave.0, 0..=2)?;
        // SAFETY: the type is a memref of this context, where the dialect is loaded.
        unsafe {
            let raw = mlirNVGPUTensorMapDescriptorTypeGet(
                raw, tensor, swizzle, promotion, fill, interleave,
            );
            types::wrap(py, &context, raw)
        }
    }
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let parent = Type::layout().class(module.py())?;
    let class = derived_class::publish::<TensorMapDescriptorType>(module, parent)?;
    cast_like(&class, mlirGetDialectHandle__nvgpu__, |context| {
        // SAFETY: the context is live and has the dialect; an integer can be in a memref.
        unsafe {
            let element = mlirIntegerTypeGet(context, 8);
            let none = MlirAttribute {
                ptr: std::ptr::null(),
            };
            let tensor = mlirMemRefTypeContiguousGet(element, 1, [1].as_ptr(), none);
            mlirTypeGetTypeID(mlirNVGPUTensorMapDescriptorTypeGet(
                context, tensor, 0, 0, 0, 0,
            ))
        }
    })
}
