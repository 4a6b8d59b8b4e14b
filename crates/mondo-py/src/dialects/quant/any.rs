//! `AnyQuantizedType` and `CalibratedQuantizedType`.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::quantized::QuantizedType;
use super::storage::{Storage, literal};
use crate::dialects::making::{context_with, type_written};
use crate::ir::arguments::Int;
use crate::ir::derived_class::{type_kind, type_of};
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;

/// Numbers that are stored in a way which is not said.
#[pyclass(frozen, subclass, extends = QuantizedType)]
pub(super) struct AnyQuantizedType;

type_kind!(
    AnyQuantizedType,
    mlirTypeIsAAnyQuantizedType,
    Some(mlirAnyQuantizedTypeGetTypeID),
    Some(mlirAnyQuantizedTypeGetName)
);

#[pymethods]
impl AnyQuantizedType {
    /// The type for such numbers; raises `MLIRError` or `ValueError` if there is none.
    #[staticmethod]
    #[pyo3(signature = (
        flags, storage_type, expressed_type, storage_type_min, storage_type_max, context = None
    ))]
    fn get(
        flags: Int<u32>,
        storage_type: &Bound<'_, Type>,
        expressed_type: &Bound<'_, Type>,
        storage_type_min: Int<i64>,
        storage_type_max: Int<i64>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let storage = Storage {
            flags: flags.0,
            storage: storage_type,
            expressed: expressed_type,
            min: storage_type_min.0,
            max: storage_type_max.0,
        };
        let it = storage.check(context, "any", "")?;
        // SAFETY: MLIR has such a type, in this context.
        unsafe {
            let raw = mlirAnyQuantizedTypeGet(
                flags.0,
                it.storage,
                it.expressed,
                storage_type_min.0,
                storage_type_max.0,
            );
            types::wrap(storage_type.py(), &it.context, raw)
        }
    }
}

/// Numbers within bounds that were found by trying.
#[pyclass(frozen, subclass, extends = QuantizedType)]
pub(super) struct CalibratedQuantizedType;

type_kind!(
    CalibratedQuantizedType,
    mlirTypeIsACalibratedQuantizedType,
    Some(mlirCalibratedQuantizedTypeGetTypeID),
    Some(mlirCalibratedQuantizedTypeGetName)
);

#[pymethods]
impl CalibratedQuantizedType {
    /// The type for numbers within these bounds; raises `MLIRError` or `ValueError` if there is none.
    #[staticmethod]
    #[pyo3(signature = (expressed_type, min, max, context = None))]
    fn get(
        expressed_type: &Bound<'_, Type>,
        min: f64,
        max: f64,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let py = expressed_type.py();
        let of = expressed_type.get().context_of(py)?;
        let given = context.unwrap_or_else(|| of.into_bound(py));
        let (context, _) = context_with(py, Some(given), mlirGetDialectHandle__quant__)?;
        let expressed = expressed_type.get().get_in(py, &context)?;
        let expressed_text = expressed_type.get().__str__(py)?;
        // SAFETY: the type is live.
        if !unsafe { mlirTypeIsAFloat(expressed) } {
            return Err(PyValueError::new_err(format!(
                "expressed type must be floating point, not {expressed_text}"
            )));
        }
        let (least, greatest) = (literal(min)?, literal(max)?);
        let text = format!("!quant.calibrated<{expressed_text}<{least}:{greatest}>>");
        type_written(py, &context, &text)?;
        // SAFETY: MLIR has such a type, in this context.
        unsafe {
            let raw = mlirCalibratedQuantizedTypeGet(expressed, min, max);
            types::wrap(py, &context, raw)
        }
    }

    /// The least number.
    #[getter]
    fn min(slf: &Bound<'_, Self>) -> PyResult<f64> {
        // SAFETY: the type is a live calibrated type.
        Ok(unsafe { mlirCalibratedQuantizedTypeGetMin(type_of(slf)?) })
    }

    /// The greatest number.
    #[getter]
    fn max(slf: &Bound<'_, Self>) -> PyResult<f64> {
        // SAFETY: the type is a live calibrated type.
        Ok(unsafe { mlirCalibratedQuantizedTypeGetMax(type_of(slf)?) })
    }
}
