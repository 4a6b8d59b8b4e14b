//! `UniformQuantizedType` and `UniformQuantizedPerAxisType`.

use mondo_ir::dialects::quant as c;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::quantized::QuantizedType;
use super::storage::{Storage, require_finite};
use crate::ir::arguments::{Int, Ints};
use crate::ir::derived_class::{read_type, type_kind};
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// Numbers that are stored as multiples of a scale, counted from an integer that stands for zero.
#[pyclass(frozen, subclass, extends = QuantizedType)]
pub(super) struct UniformQuantizedType;

type_kind!(
    UniformQuantizedType: c::Uniform,
    type_id: c::mlirUniformQuantizedTypeGetTypeID,
    name: c::mlirUniformQuantizedTypeGetName
);

#[pymethods]
impl UniformQuantizedType {
    /// The type for such numbers; raises `MLIRError` or `ValueError` if there is none.
    #[staticmethod]
    #[pyo3(signature = (
        flags, storage_type, expressed_type, scale, zero_point, storage_type_min, storage_type_max,
        context = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are what upstream's takes")]
    fn get(
        flags: Int<u32>,
        storage_type: &Bound<'_, Type>,
        expressed_type: &Bound<'_, Type>,
        scale: f64,
        zero_point: Int<i64>,
        storage_type_min: Int<i64>,
        storage_type_max: Int<i64>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        require_finite(scale)?;
        let (min, max) = (storage_type_min, storage_type_max);
        Storage::new(flags, storage_type, expressed_type, min, max)
            .make(context, |storage, quant| {
                storage.uniform(quant, scale, zero_point.0)
            })
    }

    /// The distance between two numbers that are stored as neighbours.
    #[getter]
    fn scale(slf: &Bound<'_, Self>) -> PyResult<f64> {
        read_type(slf, |ty| c::mlirUniformQuantizedTypeGetScale(ty))
    }

    /// The integer that stands for zero.
    #[getter]
    fn zero_point(slf: &Bound<'_, Self>) -> PyResult<i64> {
        read_type(slf, |ty| c::mlirUniformQuantizedTypeGetZeroPoint(ty))
    }

    /// True if zero is stored as zero, and numbers have signs.
    #[getter]
    fn is_fixed_point(slf: &Bound<'_, Self>) -> PyResult<bool> {
        read_type(slf, |ty| c::mlirUniformQuantizedTypeIsFixedPoint(ty))
    }
}

/// The same, with a scale and a zero for each slice along one dimension.
#[pyclass(frozen, subclass, extends = QuantizedType)]
pub(super) struct UniformQuantizedPerAxisType;

type_kind!(
    UniformQuantizedPerAxisType: c::PerAxis,
    type_id: c::mlirUniformQuantizedPerAxisTypeGetTypeID,
    name: c::mlirUniformQuantizedPerAxisTypeGetName
);

#[pymethods]
impl UniformQuantizedPerAxisType {
    /// The type for such numbers; raises `MLIRError` or `ValueError` if there is none.
    #[staticmethod]
    #[pyo3(signature = (
        flags, storage_type, expressed_type, scales, zero_points, quantized_dimension,
        storage_type_min, storage_type_max, context = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are what upstream's takes")]
    fn get(
        flags: Int<u32>,
        storage_type: &Bound<'_, Type>,
        expressed_type: &Bound<'_, Type>,
        scales: Vec<f64>,
        zero_points: Ints,
        quantized_dimension: Int<i32>,
        storage_type_min: Int<i64>,
        storage_type_max: Int<i64>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        if scales.len() != zero_points.as_slice().len() {
            return Err(PyValueError::new_err(
                "Mismatching number of scales and zero points.",
            ));
        }
        scales.iter().try_for_each(|scale| require_finite(*scale))?;
        let (min, max) = (storage_type_min, storage_type_max);
        Storage::new(flags, storage_type, expressed_type, min, max).make(
            context,
            |storage, quant| {
                let zeros = zero_points.as_slice();
                storage.per_axis(quant, &scales, zeros, quantized_dimension.0)
            },
        )
    }

    /// The scales of the slices.
    #[getter]
    fn scales(slf: &Bound<'_, Self>) -> PyResult<Vec<f64>> {
        read_type(slf, |ty| ty.scales())
    }

    /// The integers that stand for zero in the slices.
    #[getter]
    fn zero_points(slf: &Bound<'_, Self>) -> PyResult<Vec<i64>> {
        read_type(slf, |ty| ty.zero_points())
    }

    /// The dimension that the slices are along.
    #[getter]
    fn quantized_dimension(slf: &Bound<'_, Self>) -> PyResult<i32> {
        read_type(slf, |ty| {
            c::mlirUniformQuantizedPerAxisTypeGetQuantizedDimension(ty)
        })
    }

    /// True if zero is stored as zero, and numbers have signs.
    #[getter]
    fn is_fixed_point(slf: &Bound<'_, Self>) -> PyResult<bool> {
        read_type(slf, |ty| c::mlirUniformQuantizedPerAxisTypeIsFixedPoint(ty))
    }
}
