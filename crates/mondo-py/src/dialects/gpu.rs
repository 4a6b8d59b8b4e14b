//! `_mlirDialectsGPU`: types and attributes of the `gpu` dialect; and `_mlirGPUPasses`.

use mondo_ir::declarations::mlirTypeGetTypeID;
use mondo_ir::dialects::gpu as c;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyModule};

use super::type_publication::cast_like;
use crate::ir::arguments::{Int, maybe_within};
use crate::ir::attribute::Attribute;
use crate::ir::derived_class::{
    self, attribute_kind, checked, enter, read_attribute, type_kind, with_attribute,
};
use crate::ir::types::Type;
use crate::ownership::context::Context;
use crate::ownership::wrapper::Wrapper;

/// The token that a program waits with for an asynchronous operation.
#[pyclass(frozen, subclass, extends = Type)]
struct AsyncTokenType;

type_kind!(AsyncTokenType: c::AsyncToken, name: c::mlirGPUAsyncTokenTypeGetName);

#[pymethods]
impl AsyncTokenType {
    /// The type.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| {
            ctx.wrap(c::mlirGPUAsyncTokenTypeGet(ctx.with_dialect()))
        })
    }
}

/// A compiled module, for one target.
#[pyclass(frozen, subclass, extends = Attribute)]
struct ObjectAttr;

attribute_kind!(ObjectAttr: c::Object, name: c::mlirGPUObjectAttrGetName);

/// The wrapper of an optional attribute of an object.
fn part(
    slf: &Bound<'_, ObjectAttr>,
    get: impl for<'ctx> FnOnce(c::ObjectAttr<'ctx>) -> Option<mondo_ir::Attribute<'ctx>>,
) -> PyResult<Option<Py<PyAny>>> {
    with_attribute(slf, |ctx, of| {
        get(of).map(|part| ctx.wrap(part)).transpose()
    })
}

#[pymethods]
impl ObjectAttr {
    /// The attribute for an object that was made for `target`.
    #[staticmethod]
    #[pyo3(signature = (target, format, object, properties = None, kernels = None, context = None))]
    fn get(
        target: &Bound<'_, Attribute>,
        format: Int<u32>,
        object: &Bound<'_, PyBytes>,
        properties: Option<&Bound<'_, Attribute>>,
        kernels: Option<&Bound<'_, Attribute>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let py = target.py();
        let target_context = target.get().context_of(py)?;
        Context::enter(py, &context.map_or(target_context, Bound::unbind), |ctx| {
            let gpu = ctx.with_dialect();
            let target = target.get().within(ctx)?;
            let format = c::Format::new(format.0).ok_or_else(|| {
                PyValueError::new_err(format!(
                    "format must be one of CompilationTarget, not {}",
                    format.0
                ))
            })?;
            let is_none = || PyValueError::new_err("properties must be a DictAttr");
            let properties = maybe_within(properties, ctx)?
                .map(|properties_attribute| properties_attribute.downcast().ok_or_else(is_none))
                .transpose()?;
            let is_no_table = |given| {
                PyValueError::new_err(format!("kernels must be a #gpu.kernel_table, not {given}"))
            };
            let kernels = maybe_within(kernels, ctx)?
                .map(|table| table.downcast().ok_or_else(|| is_no_table(table)))
                .transpose()?;
            let attribute = checked(ctx, "Invalid attribute", || {
                gpu.object(target, format, object.as_bytes(), properties, kernels)
            })?;
            ctx.wrap(attribute)
        })
    }

    /// The target that the object was compiled for.
    #[getter]
    fn target(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        with_attribute(slf, |ctx, attribute| {
            ctx.wrap(c::mlirGPUObjectAttrGetTarget(attribute))
        })
    }

    /// The format of the bytes: a number of `CompilationTarget`.
    #[getter]
    fn format(slf: &Bound<'_, Self>) -> PyResult<u32> {
        read_attribute(slf, |attribute| c::mlirGPUObjectAttrGetFormat(attribute))
    }

    /// The object itself.
    #[getter]
    fn object<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        let py = slf.py();
        read_attribute(slf, |attribute| {
            PyBytes::new(py, c::mlirGPUObjectAttrGetObject(attribute).bytes())
        })
    }

    /// The properties that go with the binary, as a dictionary attribute; None if it has none.
    #[getter]
    fn properties(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        part(slf, |attribute| {
            c::mlirGPUObjectAttrGetProperties(attribute)
        })
    }

    /// The metadata of the kernels in it.
    #[getter]
    fn kernels(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        part(slf, |attribute| c::mlirGPUObjectAttrGetKernels(attribute))
    }
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let class = derived_class::publish::<AsyncTokenType>(module, Type::layout().class(py)?)?;
    cast_like(&class, |ctx| {
        mlirTypeGetTypeID(c::mlirGPUAsyncTokenTypeGet(ctx.with_dialect()).any())
    })?;
    let class = derived_class::publish::<ObjectAttr>(module, Attribute::layout().class(py)?)?;
    cast_like(&class, |ctx| ctx.with_dialect::<c::Gpu>().object_type_id())
}
