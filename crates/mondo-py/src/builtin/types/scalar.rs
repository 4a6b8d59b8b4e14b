//! `NoneType` and `ComplexType`.

use mondo_ir::declarations as c;
use mondo_ir::types::{Complex, NoneKind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule, PyType};

use crate::ir::derived_class::{self, enter, type_kind, with_type};
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// The type of what has no value.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct NoneType;

type_kind!(
    NoneType: NoneKind,
    type_id: c::mlirNoneTypeGetTypeID,
    name: c::mlirNoneTypeGetName
);

#[pymethods]
impl NoneType {
    /// The type.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| ctx.wrap(ctx.none()))
    }
}

/// Complex numbers of an integer or floating point type.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct ComplexType;

type_kind!(
    ComplexType: Complex,
    type_id: c::mlirComplexTypeGetTypeID,
    name: c::mlirComplexTypeGetName
);

#[pymethods]
impl ComplexType {
    /// The complex type over an element type.
    #[staticmethod]
    #[pyo3(signature = (element_type, /))]
    fn get(element_type: &Bound<'_, Type>) -> PyResult<Py<PyAny>> {
        let py = element_type.py();
        let context = element_type.get().context_of(py)?;
        Context::enter(py, &context, |ctx| {
            let element = element_type.get().within(ctx)?;
            let fits = c::mlirTypeIsAInteger(element)
                || c::mlirTypeIsABF16(element)
                || c::mlirTypeIsAF16(element)
                || c::mlirTypeIsAF32(element)
                || c::mlirTypeIsAF64(element);
            let number = element.downcast().filter(|_| fits).ok_or_else(|| {
                PyValueError::new_err(format!(
                    "invalid 'Type({element})' and expected floating point or integer type."
                ))
            })?;
            ctx.wrap(c::mlirComplexTypeGet(number))
        })
    }

    /// The type of the real and the imaginary part.
    #[getter]
    fn element_type(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        with_type(slf, |ctx, ty| ctx.wrap(ty.element()))
    }
}

pub(super) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    derived_class::publish::<NoneType>(ir, parent)?;
    derived_class::publish::<ComplexType>(ir, parent)?;
    Ok(())
}
