//! `AnyQuantizedType` and `CalibratedQuantizedType`.

use mondo_ir::dialects::quant as c;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::quantized::QuantizedType;
use super::storage::{Storage, float, require_finite};
use crate::ir::arguments::Int;
use crate::ir::derived_class::{checked, read_type, type_kind};
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// Numbers that are stored in a way which is not said.
#[pyclass(frozen, subclass, extends = QuantizedType)]
pub(super) struct AnyQuantizedType;

type_kind!(
    AnyQuantizedType: c::AnyQuantized,
    type_id: c::mlirAnyQuantizedTypeGetTypeID,
    name: c::mlirAnyQuantizedTypeGetName
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
        let (min, max) = (storage_type_min, storage_type_max);
        Storage::new(flags, storage_type, expressed_type, min, max)
            .make(context, |storage, quant| storage.any(quant))
    }
}

/// Numbers within bounds that were found by trying.
#[pyclass(frozen, subclass, extends = QuantizedType)]
pub(super) struct CalibratedQuantizedType;

type_kind!(
    CalibratedQuantizedType: c::Calibrated,
    type_id: c::mlirCalibratedQuantizedTypeGetTypeID,
    name: c::mlirCalibratedQuantizedTypeGetName
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
        let type_context = expressed_type.get().context_of(py)?;
        Context::enter(py, &context.map_or(type_context, Bound::unbind), |ctx| {
            let quant = ctx.with_dialect();
            let expressed = float(expressed_type.get().within(ctx)?)?;
            require_finite(min)?;
            require_finite(max)?;
            let ty = checked(ctx, "Invalid type", || {
                c::calibrated(quant, expressed, min, max)
            })?;
            ctx.wrap(ty)
        })
    }

    /// The least number.
    #[getter]
    fn min(slf: &Bound<'_, Self>) -> PyResult<f64> {
        read_type(slf, |ty| c::mlirCalibratedQuantizedTypeGetMin(ty))
    }

    /// The greatest number.
    #[getter]
    fn max(slf: &Bound<'_, Self>) -> PyResult<f64> {
        read_type(slf, |ty| c::mlirCalibratedQuantizedTypeGetMax(ty))
    }
}
