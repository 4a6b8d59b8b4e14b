//! `QuantizedType`, the base of all types of the `quant` dialect.

use mondo_ir::dialects::quant as c;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::ir::arguments::Int;
use crate::ir::derived_class::{read_type, type_kind, with_type};
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// Any type of this dialect: numbers of one type that stand for numbers of another.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct QuantizedType;

type_kind!(QuantizedType: c::Quantized);

/// The minimum and the maximum of integers of a width.
fn bounds(is_signed: bool, width: u32) -> PyResult<(i64, i64)> {
    c::bounds(is_signed, width).ok_or_else(|| {
        PyValueError::new_err(format!(
            "integral_width must be from {} to {}, not {width}",
            c::WIDTHS.start(),
            c::WIDTHS.end()
        ))
    })
}

/// The exception for a cast that is not defined.
fn invalid_cast() -> PyErr {
    PyTypeError::new_err("Invalid cast.")
}

/// Casts a candidate type by a quantized type.
fn cast_by(
    slf: &Bound<'_, QuantizedType>,
    candidate: &Bound<'_, Type>,
    cast: impl for<'ctx> FnOnce(
        c::QuantizedType<'ctx>,
        mondo_ir::Type<'ctx>,
    ) -> Option<mondo_ir::Type<'ctx>>,
) -> PyResult<Py<PyAny>> {
    with_type(slf, |ctx, by| {
        let candidate = candidate.get().within(ctx)?;
        ctx.wrap(cast(by, candidate).ok_or_else(invalid_cast)?)
    })
}

/// Casts a quantized type, or a shaped type with quantized elements.
fn cast_to(
    of: &Bound<'_, Type>,
    cast: impl for<'ctx> FnOnce(mondo_ir::Type<'ctx>) -> Option<mondo_ir::Type<'ctx>>,
) -> PyResult<Py<PyAny>> {
    let context = of.get().context_of(of.py())?;
    Context::enter(of.py(), &context, |ctx| {
        let of = of.get().within(ctx)?;
        ctx.wrap(cast(of).ok_or_else(invalid_cast)?)
    })
}

/// The wrapper of an optional type that a quantized type has as a parameter.
fn part(
    slf: &Bound<'_, QuantizedType>,
    get: impl for<'ctx> FnOnce(c::QuantizedType<'ctx>) -> Option<mondo_ir::Type<'ctx>>,
) -> PyResult<Option<Py<PyAny>>> {
    with_type(slf, |ctx, of| {
        get(of).map(|part| ctx.wrap(part)).transpose()
    })
}

#[pymethods]
impl QuantizedType {
    /// The least integer of this width.
    #[staticmethod]
    fn default_minimum_for_integer(is_signed: bool, integral_width: Int<u32>) -> PyResult<i64> {
        Ok(bounds(is_signed, integral_width.0)?.0)
    }

    /// The greatest integer of this width.
    #[staticmethod]
    fn default_maximum_for_integer(is_signed: bool, integral_width: Int<u32>) -> PyResult<i64> {
        Ok(bounds(is_signed, integral_width.0)?.1)
    }

    /// The type of the numbers that are represented; None where it is not known.
    #[getter]
    fn expressed_type(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        part(slf, |ty| c::mlirQuantizedTypeGetExpressedType(ty))
    }

    /// The flags as a number; bit 0 says that the stored integers are signed.
    #[getter]
    fn flags(slf: &Bound<'_, Self>) -> PyResult<u32> {
        read_type(slf, |ty| c::mlirQuantizedTypeGetFlags(ty))
    }

    /// True if the stored integers have signs.
    #[getter]
    fn is_signed(slf: &Bound<'_, Self>) -> PyResult<bool> {
        read_type(slf, |ty| c::mlirQuantizedTypeIsSigned(ty))
    }

    /// The type of the numbers that are stored; None for a calibrated type.
    #[getter]
    fn storage_type(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        part(slf, |ty| c::mlirQuantizedTypeGetStorageType(ty))
    }

    /// The least number that is stored.
    #[getter]
    fn storage_type_min(slf: &Bound<'_, Self>) -> PyResult<i64> {
        read_type(slf, |ty| c::mlirQuantizedTypeGetStorageTypeMin(ty))
    }

    /// The greatest number that is stored.
    #[getter]
    fn storage_type_max(slf: &Bound<'_, Self>) -> PyResult<i64> {
        read_type(slf, |ty| c::mlirQuantizedTypeGetStorageTypeMax(ty))
    }

    /// The number of bits of a stored number.
    #[getter]
    fn storage_type_integral_width(slf: &Bound<'_, Self>) -> PyResult<u32> {
        read_type(slf, |ty| ty.storage_width())?
            .ok_or_else(|| PyValueError::new_err("a calibrated type has no storage type"))
    }

    /// Returns whether numbers of a type, or a shape's elements, are representable.
    fn is_compatible_expressed_type(
        slf: &Bound<'_, Self>,
        candidate: &Bound<'_, Type>,
    ) -> PyResult<bool> {
        with_type(slf, |ctx, ty| {
            // A type of another context is never compatible, and must not be passed to MLIR.
            if !candidate.get().context_of(ctx.py())?.is(ctx.object()) {
                return Ok(false);
            }
            let candidate = candidate.get().within(ctx)?;
            Ok(c::mlirQuantizedTypeIsCompatibleExpressedType(ty, candidate))
        })
    }

    /// The type itself, as that of an element.
    #[getter]
    fn quantized_element_type(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        part(slf, |ty| c::mlirQuantizedTypeGetQuantizedElementType(ty))
    }

    /// This type in the place of the storage type, whose shapes are passed on; raises `TypeError` for
    /// anything else.
    fn cast_from_storage_type(
        slf: &Bound<'_, Self>,
        candidate: &Bound<'_, Type>,
    ) -> PyResult<Py<PyAny>> {
        cast_by(slf, candidate, |by, candidate_type| {
            c::mlirQuantizedTypeCastFromStorageType(by, candidate_type)
        })
    }

    /// The storage type, or its shape, in the place of a quantized type; raises `TypeError` if there
    /// is none.
    #[staticmethod]
    fn cast_to_storage_type(r#type: &Bound<'_, Type>) -> PyResult<Py<PyAny>> {
        cast_to(r#type, c::cast_to_storage_type)
    }

    /// This type, or its shape, in the place of the expressed type; raises `TypeError` if there is
    /// none.
    fn cast_from_expressed_type(
        slf: &Bound<'_, Self>,
        candidate: &Bound<'_, Type>,
    ) -> PyResult<Py<PyAny>> {
        cast_by(slf, candidate, |by, candidate_type| {
            c::mlirQuantizedTypeCastFromExpressedType(by, candidate_type)
        })
    }

    /// The expressed type, or its shape, in the place of a quantized type; raises `TypeError` if
    /// there is none.
    #[staticmethod]
    fn cast_to_expressed_type(r#type: &Bound<'_, Type>) -> PyResult<Py<PyAny>> {
        cast_to(r#type, c::cast_to_expressed_type)
    }

    /// The storage type, or its shape, in the place of the expressed type; raises `TypeError` if
    /// there is none.
    fn cast_expressed_to_storage_type(
        slf: &Bound<'_, Self>,
        candidate: &Bound<'_, Type>,
    ) -> PyResult<Py<PyAny>> {
        cast_by(slf, candidate, |by, candidate_type| {
            by.cast_expressed_to_storage_type(candidate_type)
        })
    }
}
