//! `ShapedType`: the base of vectors, tensors and memrefs.

use mondo_sys::*;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::ir::arguments::Int;
use crate::ir::derived_class::{type_in, type_kind, type_of};
use crate::ir::types::{self, Type};

/// A type with elements and, unless it is unranked, a shape.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct ShapedType;

type_kind!(ShapedType, mlirTypeIsAShaped, None, None);

/// The type and its rank; raises where it has none.
fn ranked(object: &Bound<'_, ShapedType>) -> PyResult<(MlirType, i64)> {
    let raw = type_of(object)?;
    // SAFETY: the type is a live shaped type, and its rank is asked for only if it has one.
    unsafe {
        if mlirShapedTypeHasRank(raw) {
            return Ok((raw, mlirShapedTypeGetRank(raw)));
        }
    }
    Err(PyValueError::new_err(
        "calling this method requires that the type has a rank.",
    ))
}

/// The type, if it has a dimension `dim`.
fn with_dimension(object: &Bound<'_, ShapedType>, dim: isize) -> PyResult<MlirType> {
    let (raw, rank) = ranked(object)?;
    if (0..rank).contains(&(dim as i64)) {
        Ok(raw)
    } else {
        Err(PyIndexError::new_err(format!(
            "dimension {dim} is out of range: the type has a rank of {rank}"
        )))
    }
}

#[pymethods]
impl ShapedType {
    /// The type of the elements.
    #[getter]
    fn element_type(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live shaped type.
        unsafe { types::wrap(slf.py(), &context, mlirShapedTypeGetElementType(raw)) }
    }

    /// True if the number of dimensions is known.
    #[getter]
    fn has_rank(slf: &Bound<'_, Self>) -> PyResult<bool> {
        // SAFETY: the type is a live shaped type.
        Ok(unsafe { mlirShapedTypeHasRank(type_of(slf)?) })
    }

    /// The number of dimensions.
    #[getter]
    fn rank(slf: &Bound<'_, Self>) -> PyResult<i64> {
        ranked(slf).map(|(_, rank)| rank)
    }

    /// True if the type has a rank and all its sizes are known.
    #[getter]
    fn has_static_shape(slf: &Bound<'_, Self>) -> PyResult<bool> {
        // SAFETY: the type is a live shaped type.
        Ok(unsafe { mlirShapedTypeHasStaticShape(type_of(slf)?) })
    }

    /// Returns whether the size of a dimension is not known.
    fn is_dynamic_dim(slf: &Bound<'_, Self>, dim: Int<isize>) -> PyResult<bool> {
        let raw = with_dimension(slf, dim.0)?;
        // SAFETY: the type is a live shaped type that has this dimension.
        Ok(unsafe { mlirShapedTypeIsDynamicDim(raw, dim.0) })
    }

    /// Returns whether the size of a dimension is known.
    fn is_static_dim(slf: &Bound<'_, Self>, dim: Int<isize>) -> PyResult<bool> {
        let raw = with_dimension(slf, dim.0)?;
        // SAFETY: the type is a live shaped type that has this dimension.
        Ok(unsafe { mlirShapedTypeIsStaticDim(raw, dim.0) })
    }

    /// The size of a dimension, or `get_dynamic_size()`.
    fn get_dim_size(slf: &Bound<'_, Self>, dim: Int<isize>) -> PyResult<i64> {
        let raw = with_dimension(slf, dim.0)?;
        // SAFETY: the type is a live shaped type that has this dimension.
        Ok(unsafe { mlirShapedTypeGetDimSize(raw, dim.0) })
    }

    /// Returns whether a size stands for one that is not known.
    #[staticmethod]
    fn is_dynamic_size(dim_size: Int<i64>) -> bool {
        // SAFETY: the function has no precondition.
        unsafe { mlirShapedTypeIsDynamicSize(dim_size.0) }
    }

    /// Returns whether a size is known.
    #[staticmethod]
    fn is_static_size(dim_size: Int<i64>) -> bool {
        // SAFETY: the function has no precondition.
        unsafe { mlirShapedTypeIsStaticSize(dim_size.0) }
    }

    /// Returns whether a stride or an offset stands for one that is not known.
    fn is_dynamic_stride_or_offset(slf: &Bound<'_, Self>, dim_size: Int<i64>) -> PyResult<bool> {
        ranked(slf)?;
        // SAFETY: the function has no precondition.
        Ok(unsafe { mlirShapedTypeIsDynamicStrideOrOffset(dim_size.0) })
    }

    /// Returns whether a stride or an offset is known.
    fn is_static_stride_or_offset(slf: &Bound<'_, Self>, dim_size: Int<i64>) -> PyResult<bool> {
        ranked(slf)?;
        // SAFETY: the function has no precondition.
        Ok(unsafe { mlirShapedTypeIsStaticStrideOrOffset(dim_size.0) })
    }

    /// The sizes.
    #[getter]
    fn shape(slf: &Bound<'_, Self>) -> PyResult<Vec<i64>> {
        let (raw, rank) = ranked(slf)?;
        Ok((0..rank)
            // SAFETY: the type is a live shaped type that has this dimension.
            .map(|dim| unsafe { mlirShapedTypeGetDimSize(raw, dim as isize) })
            .collect())
    }

    /// The number that stands for a size which is not known.
    #[staticmethod]
    fn get_dynamic_size() -> i64 {
        // SAFETY: the function has no precondition.
        unsafe { mlirShapedTypeGetDynamicSize() }
    }

    /// The number that stands for a stride or an offset which is not known.
    #[staticmethod]
    fn get_dynamic_stride_or_offset() -> i64 {
        // SAFETY: the function has no precondition.
        unsafe { mlirShapedTypeGetDynamicStrideOrOffset() }
    }
}
