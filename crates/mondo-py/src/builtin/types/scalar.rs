//! `NoneType` and `ComplexType`.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule, PyType};

use crate::ir::derived_class::{self, context_for, type_in, type_kind};
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;

/// The type of what has no value.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct NoneType;

type_kind!(
    NoneType,
    mlirTypeIsANone,
    Some(mlirNoneTypeGetTypeID),
    Some(mlirNoneTypeGetName)
);

#[pymethods]
impl NoneType {
    /// The type.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
        let (context, raw) = context_for(py, context)?;
        // SAFETY: the context is live.
        unsafe { types::wrap(py, &context, mlirNoneTypeGet(raw)) }
    }
}

/// Complex numbers of an integer or floating point type.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct ComplexType;

type_kind!(
    ComplexType,
    mlirTypeIsAComplex,
    Some(mlirComplexTypeGetTypeID),
    Some(mlirComplexTypeGetName)
);

#[pymethods]
impl ComplexType {
    /// The complex type over an element type.
    #[staticmethod]
    #[pyo3(signature = (element_type, /))]
    fn get(element_type: &Bound<'_, Type>) -> PyResult<Py<PyAny>> {
        let py = element_type.py();
        let raw = element_type.get().get(py)?;
        // SAFETY: the type is live.
        let fits = unsafe {
            mlirTypeIsAInteger(raw)
                || mlirTypeIsABF16(raw)
                || mlirTypeIsAF16(raw)
                || mlirTypeIsAF32(raw)
                || mlirTypeIsAF64(raw)
        };
        if !fits {
            return Err(PyValueError::new_err(format!(
                "invalid 'Type({})' and expected floating point or integer type.",
                element_type.get().__str__(py)?
            )));
        }
        // SAFETY: MLIR has complex numbers of these types.
        unsafe {
            types::wrap(
                py,
                &element_type.get().context_of(py)?,
                mlirComplexTypeGet(raw),
            )
        }
    }

    /// The type of the real and the imaginary part.
    #[getter]
    fn element_type(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live complex type.
        unsafe { types::wrap(slf.py(), &context, mlirComplexTypeGetElementType(raw)) }
    }
}

pub(super) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    derived_class::publish::<NoneType>(ir, parent)?;
    derived_class::publish::<ComplexType>(ir, parent)?;
    Ok(())
}
