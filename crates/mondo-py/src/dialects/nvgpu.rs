//! `_mlirDialectsNVGPU`: the types of the `nvgpu` dialect.

use mondo_ir::declarations::mlirTypeGetTypeID;
use mondo_ir::dialects::nvgpu as c;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use super::type_publication::cast_like;
use crate::ir::arguments::Int;
use crate::ir::derived_class::{self, enter, type_kind};
use crate::ir::types::Type;
use crate::ownership::context::Context;
use crate::ownership::wrapper::Wrapper;

/// The descriptor of a tensor for the unit that copies tensors.
#[pyclass(frozen, subclass, extends = Type)]
struct TensorMapDescriptorType;

type_kind!(
    TensorMapDescriptorType: c::TensorMapDescriptor,
    name: c::mlirNVGPUTensorMapDescriptorTypeGetName
);

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
        enter(py, context, |ctx| {
            let nvgpu = ctx.with_dialect::<c::NvGpu>();
            let tensor = tensor_type.get().within(ctx)?;
            let tensor = tensor.downcast().ok_or_else(|| {
                PyValueError::new_err(format!("tensor_type must be a memref type, not {tensor}"))
            })?;
            let options = c::TensorMapOptions::new(swizzle.0, l2promo.0, oob_fill.0, interleave.0);
            let options = options.map_err(|error| {
                PyValueError::new_err(format!(
                    "{} must be from 0 to {}, not {}",
                    error.what, error.last, error.value
                ))
            })?;
            ctx.wrap(nvgpu.tensor_map_descriptor(tensor, options))
        })
    }
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let parent = Type::layout().class(module.py())?;
    let class = derived_class::publish::<TensorMapDescriptorType>(module, parent)?;
    cast_like(&class, |ctx| {
        let nvgpu = ctx.with_dialect::<c::NvGpu>();
        let tensor = ctx.memref(&[Some(1)], ctx.i8(), None);
        let tensor = tensor.expect("a memref has integers as elements");
        let example = nvgpu.tensor_map_descriptor(tensor, c::TensorMapOptions::default());
        mlirTypeGetTypeID(example.any())
    })
}
