//! `_mlirDialectsGPU`: types and attributes of the `gpu` dialect; and `_mlirGPUPasses`.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyModule};

use super::making::{attribute_written, cast_like, context_with};
use crate::interop::string::{bytes, string_ref};
use crate::ir::arguments::Int;
use crate::ir::attribute::{self, Attribute};
use crate::ir::derived_class::{self, attribute_in, attribute_kind, attribute_of, type_kind};
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;
use crate::ownership::wrapper::Wrapper;

/// The token that a program waits with for an asynchronous operation.
#[pyclass(frozen, subclass, extends = Type)]
struct AsyncTokenType;

type_kind!(
    AsyncTokenType,
    mlirTypeIsAGPUAsyncTokenType,
    None,
    Some(mlirGPUAsyncTokenTypeGetName)
);

#[pymethods]
impl AsyncTokenType {
    /// The type.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
        let (context, raw) = context_with(py, context, mlirGetDialectHandle__gpu__)?;
        // SAFETY: the context is live, and the dialect is loaded.
        unsafe { types::wrap(py, &context, mlirGPUAsyncTokenTypeGet(raw)) }
    }
}

/// A compiled module, for one target.
#[pyclass(frozen, subclass, extends = Attribute)]
struct ObjectAttr;

attribute_kind!(
    ObjectAttr,
    mlirAttributeIsAGPUObjectAttr,
    None,
    Some(mlirGPUObjectAttrGetName)
);

/// The formats that objects have: the last is the one for fat binaries.
const LAST_FORMAT: u32 = 4;

const NO_ATTRIBUTE: MlirAttribute = MlirAttribute {
    ptr: std::ptr::null(),
};

/// The attribute that was given, if one was.
fn optional(
    py: Python<'_>,
    given: Option<&Bound<'_, Attribute>>,
    context: &Py<Context>,
) -> PyResult<MlirAttribute> {
    given.map_or(Ok(NO_ATTRIBUTE), |given| given.get().get_in(py, context))
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
        let of = target.get().context_of(py)?;
        let given = context.unwrap_or_else(|| of.bind(py).clone());
        let (context, raw) = context_with(py, Some(given), mlirGetDialectHandle__gpu__)?;
        let raw_target = target.get().get_in(py, &context)?;
        if !(1..=LAST_FORMAT).contains(&format.0) {
            return Err(PyValueError::new_err(format!(
                "format must be one of CompilationTarget, not {}",
                format.0
            )));
        }
        let raw_properties = optional(py, properties, &context)?;
        // SAFETY: the attribute is live, if there is one.
        if properties.is_some() && !unsafe { mlirAttributeIsADictionary(raw_properties) } {
            return Err(PyValueError::new_err("properties must be a DictAttr"));
        }
        let raw_kernels = optional(py, kernels, &context)?;
        // The C API takes whatever it is given: MLIR looks only at what is parsed.
        let target = target.get().__str__(py)?;
        let kernels = match kernels {
            Some(kernels) => {
                let text = kernels.get().__str__(py)?;
                let Some(table) = text.strip_prefix("#gpu.kernel_table") else {
                    return Err(PyValueError::new_err(format!(
                        "kernels must be a #gpu.kernel_table, not {text}"
                    )));
                };
                format!(", kernels = {table}")
            }
            None => String::new(),
        };
        attribute_written(
            py,
            &context,
            &format!("#gpu.object<{target}{kernels}, \"\">"),
        )?;
        // SAFETY: all attributes are of this context and of the kinds that MLIR takes them for; it
        // copies the bytes.
        unsafe {
            let raw = mlirGPUObjectAttrGetWithKernels(
                raw,
                raw_target,
                format.0,
                string_ref(object.as_bytes()),
                raw_properties,
                raw_kernels,
            );
            attribute::wrap(py, &context, raw)
        }
    }

    /// The target that the object was compiled for.
    #[getter]
    fn target(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let (raw, context) = attribute_in(slf)?;
        // SAFETY: the attribute is a live object attribute.
        unsafe { attribute::wrap(slf.py(), &context, mlirGPUObjectAttrGetTarget(raw)) }
    }

    /// The format of the bytes: a number of `CompilationTarget`.
    #[getter]
    fn format(slf: &Bound<'_, Self>) -> PyResult<u32> {
        // SAFETY: the attribute is a live object attribute.
        Ok(unsafe { mlirGPUObjectAttrGetFormat(attribute_of(slf)?) })
    }

    /// The object itself.
    #[getter]
    fn object<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        let raw = attribute_of(slf)?;
        // SAFETY: the attribute is a live object attribute, which owns the bytes.
        let object = unsafe { bytes(mlirGPUObjectAttrGetObject(raw)) };
        Ok(PyBytes::new(slf.py(), object))
    }

    /// The properties that go with the binary, as a dictionary attribute; None if it has none.
    #[getter]
    fn properties(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        let (raw, context) = attribute_in(slf)?;
        // SAFETY: the attribute is a live object attribute, and has properties if it says so.
        unsafe {
            mlirGPUObjectAttrHasProperties(raw)
                .then(|| {
                    let properties = mlirGPUObjectAttrGetProperties(raw);
                    attribute::wrap(slf.py(), &context, properties)
                })
                .transpose()
        }
    }

    /// The metadata of the kernels in it.
    #[getter]
    fn kernels(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        let (raw, context) = attribute_in(slf)?;
        // SAFETY: the attribute is a live object attribute, and has kernels if it says so.
        unsafe {
            mlirGPUObjectAttrHasKernels(raw)
                .then(|| {
                    let kernels = mlirGPUObjectAttrGetKernels(raw);
                    attribute::wrap(slf.py(), &context, kernels)
                })
                .transpose()
        }
    }
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let class = derived_class::publish::<AsyncTokenType>(module, Type::layout().class(py)?)?;
    cast_like(&class, mlirGetDialectHandle__gpu__, |context| {
        // SAFETY: the context is live and has the dialect.
        unsafe { mlirTypeGetTypeID(mlirGPUAsyncTokenTypeGet(context)) }
    })?;
    let class = derived_class::publish::<ObjectAttr>(module, Attribute::layout().class(py)?)?;
    cast_like(&class, mlirGetDialectHandle__gpu__, |context| {
        // SAFETY: the context is live and has the dialect; nobody looks at the target.
        unsafe {
            let target = mlirUnitAttrGet(context);
            let object = string_ref("");
            mlirAttributeGetTypeID(mlirGPUObjectAttrGet(
                context,
                target,
                LAST_FORMAT,
                object,
                NO_ATTRIBUTE,
            ))
        }
    })
}
