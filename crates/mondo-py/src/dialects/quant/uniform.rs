//! `UniformQuantizedType` and `UniformQuantizedPerAxisType`.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::quantized::QuantizedType;
use super::storage::{Storage, scale_and_zero};
use crate::ir::arguments::{Int, Ints};
use crate::ir::derived_class::{type_kind, type_of};
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;

/// Numbers that are stored as multiples of a scale, counted from an integer that stands for zero.
#[pyclass(frozen, subclass, extends = QuantizedType)]
pub(super) struct UniformQuantizedType;

type_kind!(
    UniformQuantizedType,
    mlirTypeIsAUniformQuantizedType,
    Some(mlirUniformQuantizedTypeGetTypeID),
    Some(mlirUniformQuantizedTypeGetName)
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
        let storage = Storage {
            flags: flags.0,
            storage: storage_type,
            expressed: expressed_type,
            min: storage_type_min.0,
            max: storage_type_max.0,
        };
        let mut rest = String::from(", ");
        scale_and_zero(&mut rest, scale, zero_point.0)?;
        let it = storage.check(context, "uniform", &rest)?;
        // SAFETY: MLIR has such a type, in this context.
        unsafe {
            let raw = mlirUniformQuantizedTypeGet(
                flags.0,
                it.storage,
                it.expressed,
                scale,
                zero_point.0,
                storage_type_min.0,
                storage_type_max.0,
            );
            types::wrap(storage_type.py(), &it.context, raw)
        }
    }

    /// The distance between two numbers that are stored as neighbours.
    #[getter]
    fn scale(slf: &Bound<'_, Self>) -> PyResult<f64> {
        // SAFETY: the type is a live uniform type.
        Ok(unsafe { mlirUniformQuantizedTypeGetScale(type_of(slf)?) })
    }

    /// The integer that stands for zero.
    #[getter]
    fn zero_point(slf: &Bound<'_, Self>) -> PyResult<i64> {
        // SAFETY: the type is a live uniform type.
        Ok(unsafe { mlirUniformQuantizedTypeGetZeroPoint(type_of(slf)?) })
    }

    /// True if zero is stored as zero, and numbers have signs.
    #[getter]
    fn is_fixed_point(slf: &Bound<'_, Self>) -> PyResult<bool> {
        // SAFETY: the type is a live uniform type.
        Ok(unsafe { mlirUniformQuantizedTypeIsFixedPoint(type_of(slf)?) })
    }
}

/// The same, with a scale and a zero for each slice along one dimension.
#[pyclass(frozen, subclass, extends = QuantizedType)]
pub(super) struct UniformQuantizedPerAxisType;

type_kind!(
    UniformQuantizedPerAxisType,
    mlirTypeIsAUniformQuantizedPerAxisType,
    Some(mlirUniformQuantizedPerAxisTypeGetTypeID),
    Some(mlirUniformQuantizedPerAxisTypeGetName)
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
        mut scales: Vec<f64>,
        zero_points: Ints,
        quantized_dimension: Int<i32>,
        storage_type_min: Int<i64>,
        storage_type_max: Int<i64>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let mut zero_points = zero_points.as_slice().to_vec();
        if scales.len() != zero_points.len() {
            return Err(PyValueError::new_err(
                "Mismatching number of scales and zero points.",
            ));
        }
        let storage = Storage {
            flags: flags.0,
            storage: storage_type,
            expressed: expressed_type,
            min: storage_type_min.0,
            max: storage_type_max.0,
        };
        let mut rest = format!(":{}, {{", quantized_dimension.0);
        for (at, (&scale, &zero)) in scales.iter().zip(&zero_points).enumerate() {
            rest.push_str(if at == 0 { "" } else { ", " });
            scale_and_zero(&mut rest, scale, zero)?;
        }
        rest.push('}');
        let it = storage.check(context, "uniform", &rest)?;
        // SAFETY: MLIR has such a type, in this context; there are as many scales and zeros as is
        // said, which are only read.
        unsafe {
            let raw = mlirUniformQuantizedPerAxisTypeGet(
                flags.0,
                it.storage,
                it.expressed,
                scales.len() as isize,
                scales.as_mut_ptr(),
                zero_points.as_mut_ptr(),
                quantized_dimension.0,
                storage_type_min.0,
                storage_type_max.0,
            );
            types::wrap(storage_type.py(), &it.context, raw)
        }
    }

    /// The scales of the slices.
    #[getter]
    fn scales(slf: &Bound<'_, Self>) -> PyResult<Vec<f64>> {
        let raw = type_of(slf)?;
        // SAFETY: the type is a live type per axis, which has these scales.
        unsafe {
            Ok((0..mlirUniformQuantizedPerAxisTypeGetNumDims(raw))
                .map(|at| mlirUniformQuantizedPerAxisTypeGetScale(raw, at))
                .collect())
        }
    }

    /// The integers that stand for zero in the slices.
    #[getter]
    fn zero_points(slf: &Bound<'_, Self>) -> PyResult<Vec<i64>> {
        let raw = type_of(slf)?;
        // SAFETY: the type is a live type per axis, which has these zeros.
        unsafe {
            Ok((0..mlirUniformQuantizedPerAxisTypeGetNumDims(raw))
                .map(|at| mlirUniformQuantizedPerAxisTypeGetZeroPoint(raw, at))
                .collect())
        }
    }

    /// The dimension that the slices are along.
    #[getter]
    fn quantized_dimension(slf: &Bound<'_, Self>) -> PyResult<i32> {
        // SAFETY: the type is a live type per axis.
        Ok(unsafe { mlirUniformQuantizedPerAxisTypeGetQuantizedDimension(type_of(slf)?) })
    }

    /// True if zero is stored as zero, and numbers have signs.
    #[getter]
    fn is_fixed_point(slf: &Bound<'_, Self>) -> PyResult<bool> {
        // SAFETY: the type is a live type per axis.
        Ok(unsafe { mlirUniformQuantizedPerAxisTypeIsFixedPoint(type_of(slf)?) })
    }
}
