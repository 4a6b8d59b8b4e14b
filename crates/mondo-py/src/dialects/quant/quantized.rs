//! `QuantizedType`, the base of all types of the `quant` dialect.

use mondo_sys::*;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::ir::arguments::Int;
use crate::ir::derived_class::{type_in, type_kind, type_of};
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;

/// Any type of this dialect: numbers of one type that stand for numbers of another.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct QuantizedType;

type_kind!(QuantizedType, mlirTypeIsAQuantizedType, None, None);

/// Widths that the bounds of an integer type can be asked for.
const WIDTHS: std::ops::RangeInclusive<u32> = 1..=64;

fn width(given: u32) -> PyResult<u32> {
    if WIDTHS.contains(&given) {
        return Ok(given);
    }
    Err(PyValueError::new_err(format!(
        "integral_width must be from {} to {}, not {given}",
        WIDTHS.start(),
        WIDTHS.end()
    )))
}

/// The object for a type that the C API made, or a `TypeError` where it made none.
fn cast(py: Python<'_>, context: &Py<Context>, raw: MlirType) -> PyResult<Py<PyAny>> {
    if raw.ptr.is_null() {
        return Err(invalid_cast());
    }
    // SAFETY: the type is of this context.
    unsafe { types::wrap(py, context, raw) }
}

fn invalid_cast() -> PyErr {
    PyTypeError::new_err("Invalid cast.")
}

/// The quantized type that a type is or has as elements, if it does.
fn quantized(raw: MlirType) -> Option<MlirType> {
    // SAFETY: the caller passes a live type.
    unsafe {
        let element = if mlirTypeIsAShaped(raw) {
            mlirShapedTypeGetElementType(raw)
        } else {
            raw
        };
        mlirTypeIsAQuantizedType(element).then_some(element)
    }
}

/// The same, for a type that is to become one of `part` instead: without one, MLIR would make a
/// tensor of nothing.
fn with_part(
    given: &Bound<'_, Type>,
    part: unsafe extern "C" fn(MlirType) -> MlirType,
) -> PyResult<MlirType> {
    let raw = given.get().get(given.py())?;
    // SAFETY: the type that the function is called with is a live quantized type.
    let has = quantized(raw).is_some_and(|it| unsafe { !part(it).ptr.is_null() });
    has.then_some(raw).ok_or_else(invalid_cast)
}

#[pymethods]
impl QuantizedType {
    /// The least integer of this width.
    #[staticmethod]
    fn default_minimum_for_integer(is_signed: bool, integral_width: Int<u32>) -> PyResult<i64> {
        let width = width(integral_width.0)?;
        // SAFETY: there are integers of this width.
        Ok(unsafe { mlirQuantizedTypeGetDefaultMinimumForInteger(is_signed, width) })
    }

    /// The greatest integer of this width.
    #[staticmethod]
    fn default_maximum_for_integer(is_signed: bool, integral_width: Int<u32>) -> PyResult<i64> {
        let width = width(integral_width.0)?;
        // SAFETY: there are integers of this width.
        Ok(unsafe { mlirQuantizedTypeGetDefaultMaximumForInteger(is_signed, width) })
    }

    /// The type of the numbers that are stood for; None where it is not known.
    #[getter]
    fn expressed_type(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        part(slf, mlirQuantizedTypeGetExpressedType)
    }

    /// The flags as a number; bit 0 says that the stored integers are signed.
    #[getter]
    fn flags(slf: &Bound<'_, Self>) -> PyResult<u32> {
        // SAFETY: the type is a live quantized type.
        Ok(unsafe { mlirQuantizedTypeGetFlags(type_of(slf)?) })
    }

    /// True if the stored integers have signs.
    #[getter]
    fn is_signed(slf: &Bound<'_, Self>) -> PyResult<bool> {
        // SAFETY: the type is a live quantized type.
        Ok(unsafe { mlirQuantizedTypeIsSigned(type_of(slf)?) })
    }

    /// The type of the numbers that are stored; None for a calibrated type.
    #[getter]
    fn storage_type(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        part(slf, mlirQuantizedTypeGetStorageType)
    }

    /// The least number that is stored.
    #[getter]
    fn storage_type_min(slf: &Bound<'_, Self>) -> PyResult<i64> {
        // SAFETY: the type is a live quantized type.
        Ok(unsafe { mlirQuantizedTypeGetStorageTypeMin(type_of(slf)?) })
    }

    /// The greatest number that is stored.
    #[getter]
    fn storage_type_max(slf: &Bound<'_, Self>) -> PyResult<i64> {
        // SAFETY: the type is a live quantized type.
        Ok(unsafe { mlirQuantizedTypeGetStorageTypeMax(type_of(slf)?) })
    }

    /// The number of bits of a stored number.
    #[getter]
    fn storage_type_integral_width(slf: &Bound<'_, Self>) -> PyResult<u32> {
        let raw = type_of(slf)?;
        // SAFETY: the type is a live quantized type, and its width is asked for only if it stores
        // something.
        unsafe {
            if mlirQuantizedTypeGetStorageType(raw).ptr.is_null() {
                return Err(PyValueError::new_err("a calibrated type stores nothing"));
            }
            Ok(mlirQuantizedTypeGetStorageTypeIntegralWidth(raw))
        }
    }

    /// Returns whether numbers of a type, or a shape's elements, can be stood for.
    fn is_compatible_expressed_type(
        slf: &Bound<'_, Self>,
        candidate: &Bound<'_, Type>,
    ) -> PyResult<bool> {
        let candidate = candidate.get().get(slf.py())?;
        // SAFETY: the type is a live quantized type, and the candidate is live.
        Ok(unsafe { mlirQuantizedTypeIsCompatibleExpressedType(type_of(slf)?, candidate) })
    }

    /// The type itself, as that of an element.
    #[getter]
    fn quantized_element_type(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        part(slf, mlirQuantizedTypeGetQuantizedElementType)
    }

    /// This type in the place of the storage type, whose shapes are passed on; raises `TypeError` for
    /// anything else.
    fn cast_from_storage_type(
        slf: &Bound<'_, Self>,
        candidate: &Bound<'_, Type>,
    ) -> PyResult<Py<PyAny>> {
        let (raw, context) = type_in(slf)?;
        let candidate = candidate.get().get_in(slf.py(), &context)?;
        // SAFETY: the type is a live quantized type, and the candidate is of its context.
        let made = unsafe { mlirQuantizedTypeCastFromStorageType(raw, candidate) };
        cast(slf.py(), &context, made)
    }

    /// The storage type, or its shape, in the place of a quantized type; raises `TypeError` if there
    /// is none.
    #[staticmethod]
    fn cast_to_storage_type(r#type: &Bound<'_, Type>) -> PyResult<Py<PyAny>> {
        let py = r#type.py();
        let raw = with_part(r#type, mlirQuantizedTypeGetStorageType)?;
        // SAFETY: the type is live, and has a storage type.
        let made = unsafe { mlirQuantizedTypeCastToStorageType(raw) };
        cast(py, &r#type.get().context_of(py)?, made)
    }

    /// This type, or its shape, in the place of the expressed type; raises `TypeError` if there is
    /// none.
    fn cast_from_expressed_type(
        slf: &Bound<'_, Self>,
        candidate: &Bound<'_, Type>,
    ) -> PyResult<Py<PyAny>> {
        let (raw, context) = type_in(slf)?;
        let candidate = candidate.get().get_in(slf.py(), &context)?;
        // SAFETY: the type is a live quantized type, and the candidate is of its context.
        let made = unsafe { mlirQuantizedTypeCastFromExpressedType(raw, candidate) };
        cast(slf.py(), &context, made)
    }

    /// The expressed type, or its shape, in the place of a quantized type; raises `TypeError` if
    /// there is none.
    #[staticmethod]
    fn cast_to_expressed_type(r#type: &Bound<'_, Type>) -> PyResult<Py<PyAny>> {
        let py = r#type.py();
        let raw = with_part(r#type, mlirQuantizedTypeGetExpressedType)?;
        // SAFETY: the type is live, and has an expressed type.
        let made = unsafe { mlirQuantizedTypeCastToExpressedType(raw) };
        cast(py, &r#type.get().context_of(py)?, made)
    }

    /// The storage type, or its shape, in the place of the expressed type; raises `TypeError` if
    /// there is none.
    fn cast_expressed_to_storage_type(
        slf: &Bound<'_, Self>,
        candidate: &Bound<'_, Type>,
    ) -> PyResult<Py<PyAny>> {
        let (raw, context) = type_in(slf)?;
        let candidate = candidate.get().get_in(slf.py(), &context)?;
        // SAFETY: the type is a live quantized type, and the candidate is of its context.
        let made = unsafe {
            if mlirQuantizedTypeGetStorageType(raw).ptr.is_null() {
                return Err(invalid_cast());
            }
            mlirQuantizedTypeCastExpressedToStorageType(raw, candidate)
        };
        cast(slf.py(), &context, made)
    }
}

/// A type that belongs to a quantized type, if it has it.
fn part(
    object: &Bound<'_, QuantizedType>,
    get: unsafe extern "C" fn(MlirType) -> MlirType,
) -> PyResult<Option<Py<PyAny>>> {
    let (raw, context) = type_in(object)?;
    // SAFETY: the type is a live quantized type.
    let part = unsafe { get(raw) };
    (!part.ptr.is_null())
        // SAFETY: what belongs to a type is of its context.
        .then(|| unsafe { types::wrap(object.py(), &context, part) })
        .transpose()
}
