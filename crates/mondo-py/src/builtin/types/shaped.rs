//! `ShapedType`: the base of vectors, tensors and memrefs.

use mondo_ir::Ranked;
use mondo_ir::declarations as c;
use mondo_ir::types::Shaped;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::ir::arguments::Int;
use crate::ir::derived_class::{read_type, type_kind, with_type};
use crate::ir::types::Type;

/// A type with elements and, unless it is unranked, a shape.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct ShapedType;

type_kind!(ShapedType: Shaped);

/// Runs `look` with the type as a ranked one; fails for an unranked type.
fn ranked<R>(
    object: &Bound<'_, ShapedType>,
    look: impl for<'ctx> FnOnce(Ranked<'ctx>) -> R,
) -> PyResult<R> {
    read_type(object, |shaped| shaped.ranked().map(look))?.ok_or_else(|| {
        PyValueError::new_err("calling this method requires that the type has a rank.")
    })
}

/// Runs `look` with the type as a ranked one and `dim`; fails if `look` returns None, because there is no
/// such dimension.
fn dimension<R>(
    object: &Bound<'_, ShapedType>,
    dim: isize,
    look: impl for<'ctx> FnOnce(Ranked<'ctx>, isize) -> Option<R>,
) -> PyResult<R> {
    let (found, rank) = ranked(object, |shaped| (look(shaped, dim), shaped.rank()))?;
    found.ok_or_else(|| {
        PyIndexError::new_err(format!(
            "dimension {dim} is out of range: the type has a rank of {rank}"
        ))
    })
}

#[pymethods]
impl ShapedType {
    /// The type of the elements.
    #[getter]
    fn element_type(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        with_type(slf, |ctx, ty| ctx.wrap(ty.element()))
    }

    /// True if the number of dimensions is known.
    #[getter]
    fn has_rank(slf: &Bound<'_, Self>) -> PyResult<bool> {
        read_type(slf, |ty| c::mlirShapedTypeHasRank(ty))
    }

    /// The number of dimensions.
    #[getter]
    fn rank(slf: &Bound<'_, Self>) -> PyResult<i64> {
        ranked(slf, |shaped| shaped.rank())
    }

    /// True if the type has a rank and all its sizes are known.
    #[getter]
    fn has_static_shape(slf: &Bound<'_, Self>) -> PyResult<bool> {
        read_type(slf, |ty| c::mlirShapedTypeHasStaticShape(ty))
    }

    /// Returns whether the size of a dimension is not known.
    fn is_dynamic_dim(slf: &Bound<'_, Self>, dim: Int<isize>) -> PyResult<bool> {
        dimension(slf, dim.0, |ty, dim| ty.is_dynamic(dim))
    }

    /// Returns whether the size of a dimension is known.
    fn is_static_dim(slf: &Bound<'_, Self>, dim: Int<isize>) -> PyResult<bool> {
        dimension(slf, dim.0, |ty, dim| ty.is_static(dim))
    }

    /// The size of a dimension, or `get_dynamic_size()`.
    fn get_dim_size(slf: &Bound<'_, Self>, dim: Int<isize>) -> PyResult<i64> {
        dimension(slf, dim.0, |ty, dim| ty.size(dim))
    }

    /// Returns whether a size stands for one that is not known.
    #[staticmethod]
    fn is_dynamic_size(dim_size: Int<i64>) -> bool {
        c::mlirShapedTypeIsDynamicSize(dim_size.0)
    }

    /// Returns whether a size is known.
    #[staticmethod]
    fn is_static_size(dim_size: Int<i64>) -> bool {
        c::mlirShapedTypeIsStaticSize(dim_size.0)
    }

    /// Returns whether a stride or an offset stands for one that is not known.
    fn is_dynamic_stride_or_offset(slf: &Bound<'_, Self>, dim_size: Int<i64>) -> PyResult<bool> {
        ranked(slf, |_| {
            c::mlirShapedTypeIsDynamicStrideOrOffset(dim_size.0)
        })
    }

    /// Returns whether a stride or an offset is known.
    fn is_static_stride_or_offset(slf: &Bound<'_, Self>, dim_size: Int<i64>) -> PyResult<bool> {
        ranked(slf, |_| c::mlirShapedTypeIsStaticStrideOrOffset(dim_size.0))
    }

    /// The sizes.
    #[getter]
    fn shape(slf: &Bound<'_, Self>) -> PyResult<Vec<i64>> {
        ranked(slf, |shaped| shaped.sizes())
    }

    /// The number that stands for a size which is not known.
    #[staticmethod]
    fn get_dynamic_size() -> i64 {
        c::mlirShapedTypeGetDynamicSize()
    }

    /// The number that stands for a stride or an offset which is not known.
    #[staticmethod]
    fn get_dynamic_stride_or_offset() -> i64 {
        c::mlirShapedTypeGetDynamicStrideOrOffset()
    }
}
