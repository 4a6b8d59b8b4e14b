//! `_mlirDialectsAMDGPU`: the types of the `amdgpu` dialect.

use mondo_ir::dialects::amdgpu as c;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use crate::ir::derived_class::{self, checked, enter, type_kind};
use crate::ir::types::Type;
use crate::ownership::context::Context;
use crate::ownership::wrapper::Wrapper;

/// The base addresses of a tensor for the unit that moves tensors: in the device's memory and in a
/// workgroup's.
#[pyclass(frozen, subclass, extends = Type)]
struct TDMBaseType;

type_kind!(
    TDMBaseType: c::TdmBase,
    type_id: c::mlirAMDGPUTDMBaseTypeGetTypeID,
    name: c::mlirAMDGPUTDMBaseTypeGetName
);

#[pymethods]
impl TDMBaseType {
    /// The type for tensors of such elements.
    #[staticmethod]
    #[pyo3(signature = (element_type, context = None))]
    fn get(
        element_type: &Bound<'_, Type>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        enter(element_type.py(), context, |ctx| {
            let amdgpu = ctx.with_dialect();
            let element = element_type.get().within(ctx)?;
            ctx.wrap(c::mlirAMDGPUTDMBaseTypeGet(amdgpu, element))
        })
    }
}

/// The descriptor that the unit which moves tensors reads.
#[pyclass(frozen, subclass, extends = Type)]
struct TDMDescriptorType;

type_kind!(
    TDMDescriptorType: c::TdmDescriptor,
    type_id: c::mlirAMDGPUTDMDescriptorTypeGetTypeID,
    name: c::mlirAMDGPUTDMDescriptorTypeGetName
);

#[pymethods]
impl TDMDescriptorType {
    /// The type.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| {
            ctx.wrap(c::mlirAMDGPUTDMDescriptorTypeGet(ctx.with_dialect()))
        })
    }
}

/// The same as a base, for rows that are gathered by their indices.
#[pyclass(frozen, subclass, extends = Type)]
struct TDMGatherBaseType;

type_kind!(
    TDMGatherBaseType: c::TdmGatherBase,
    type_id: c::mlirAMDGPUTDMGatherBaseTypeGetTypeID,
    name: c::mlirAMDGPUTDMGatherBaseTypeGetName
);

#[pymethods]
impl TDMGatherBaseType {
    /// The type for tensors of such elements and indices.
    #[staticmethod]
    #[pyo3(signature = (element_type, index_type, context = None))]
    fn get(
        element_type: &Bound<'_, Type>,
        index_type: &Bound<'_, Type>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        enter(element_type.py(), context, |ctx| {
            let amdgpu = ctx.with_dialect::<c::AmdGpu>();
            let element = element_type.get().within(ctx)?;
            let index = index_type.get().within(ctx)?;
            let element = element.downcast().ok_or_else(|| {
                PyValueError::new_err(format!(
                    "element_type must be an integer or floating point type, not {element}"
                ))
            })?;
            ctx.wrap(checked(ctx, "Invalid type", || {
                amdgpu.gather_base(element, index)
            })?)
        })
    }
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let parent = Type::layout().class(module.py())?;
    derived_class::publish::<TDMBaseType>(module, parent)?;
    derived_class::publish::<TDMDescriptorType>(module, parent)?;
    derived_class::publish::<TDMGatherBaseType>(module, parent)?;
    Ok(())
}
