//! `_mlirDialectsAMDGPU`: the types of the `amdgpu` dialect.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use super::making::{context_with, type_written};
use crate::ir::derived_class::{self, type_kind};
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;
use crate::ownership::wrapper::Wrapper;

/// The base addresses of a tensor for the unit that moves tensors: in the device's memory and in a
/// workgroup's.
#[pyclass(frozen, subclass, extends = Type)]
struct TDMBaseType;

type_kind!(
    TDMBaseType,
    mlirTypeIsAAMDGPUTDMBaseType,
    Some(mlirAMDGPUTDMBaseTypeGetTypeID),
    Some(mlirAMDGPUTDMBaseTypeGetName)
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
        let py = element_type.py();
        let (context, raw) = context_with(py, context, mlirGetDialectHandle__amdgpu__)?;
        let element = element_type.get().get_in(py, &context)?;
        // SAFETY: the type is of this context, where the dialect is loaded.
        unsafe { types::wrap(py, &context, mlirAMDGPUTDMBaseTypeGet(raw, element)) }
    }
}

/// The descriptor that the unit which moves tensors reads.
#[pyclass(frozen, subclass, extends = Type)]
struct TDMDescriptorType;

type_kind!(
    TDMDescriptorType,
    mlirTypeIsAAMDGPUTDMDescriptorType,
    Some(mlirAMDGPUTDMDescriptorTypeGetTypeID),
    Some(mlirAMDGPUTDMDescriptorTypeGetName)
);

#[pymethods]
impl TDMDescriptorType {
    /// The type.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
        let (context, raw) = context_with(py, context, mlirGetDialectHandle__amdgpu__)?;
        // SAFETY: the context is live, and the dialect is loaded.
        unsafe { types::wrap(py, &context, mlirAMDGPUTDMDescriptorTypeGet(raw)) }
    }
}

/// The same as a base, for rows that are gathered by their indices.
#[pyclass(frozen, subclass, extends = Type)]
struct TDMGatherBaseType;

type_kind!(
    TDMGatherBaseType,
    mlirTypeIsAAMDGPUTDMGatherBaseType,
    Some(mlirAMDGPUTDMGatherBaseTypeGetTypeID),
    Some(mlirAMDGPUTDMGatherBaseTypeGetName)
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
        let py = element_type.py();
        let (context, _) = context_with(py, context, mlirGetDialectHandle__amdgpu__)?;
        let element = element_type.get().get_in(py, &context)?;
        index_type.get().get_in(py, &context)?;
        let element_text = element_type.get().__str__(py)?;
        // SAFETY: the type is live.
        if !unsafe { mlirTypeIsAInteger(element) || mlirTypeIsAFloat(element) } {
            // MLIR asks other types for their width without looking.
            return Err(PyValueError::new_err(format!(
                "element_type must be an integer or floating point type, not {element_text}"
            )));
        }
        let index_text = index_type.get().__str__(py)?;
        let text = format!("!amdgpu.tdm_gather_base<{element_text}, {index_text}>");
        let raw = type_written(py, &context, &text)?;
        // SAFETY: the type was made in this context.
        unsafe { types::wrap(py, &context, raw) }
    }
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let parent = Type::layout().class(module.py())?;
    derived_class::publish::<TDMBaseType>(module, parent)?;
    derived_class::publish::<TDMDescriptorType>(module, parent)?;
    derived_class::publish::<TDMGatherBaseType>(module, parent)?;
    Ok(())
}
