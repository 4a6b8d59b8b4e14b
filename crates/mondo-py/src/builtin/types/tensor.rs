//! `RankedTensorType` and `UnrankedTensorType`.

use mondo_sys::*;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::shaped::ShapedType;
use crate::ir::arguments::Ints;
use crate::ir::attribute::{self, Attribute};
use crate::ir::derived_class::{Site, type_in, type_kind};
use crate::ir::location::Location;
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;

/// A tensor with a shape.
#[pyclass(frozen, subclass, extends = ShapedType)]
pub(super) struct RankedTensorType;

type_kind!(
    RankedTensorType,
    mlirTypeIsARankedTensor,
    Some(mlirRankedTensorTypeGetTypeID),
    Some(mlirRankedTensorTypeGetName)
);

/// Returns whether MLIR has nothing to say against a tensor of such elements.
fn is_plain(shape: &[i64], element: MlirType) -> bool {
    // SAFETY: the functions take any size, and any live type.
    unsafe {
        shape
            .iter()
            .all(|&size| size >= 0 || mlirShapedTypeIsDynamicSize(size))
            && (mlirTypeIsAInteger(element)
                || mlirTypeIsAF32(element)
                || mlirTypeIsAIndex(element)
                || mlirTypeIsAFloat(element))
    }
}

fn make(
    py: Python<'_>,
    site: &Site,
    shape: &Ints,
    element_type: &Bound<'_, Type>,
    encoding: Option<&Bound<'_, Attribute>>,
) -> PyResult<Py<PyAny>> {
    let element = element_type.get().get_in(py, &site.context)?;
    let shape = shape.as_slice();
    let rank = shape.len() as isize;
    let encoding = match encoding {
        Some(encoding) => encoding.get().get_in(py, &site.context)?,
        // Catching errors takes longer than making the type.
        None if is_plain(shape, element) => {
            let none = MlirAttribute {
                ptr: std::ptr::null(),
            };
            // SAFETY: the element type is live, the shape has `rank` elements, and MLIR allows both.
            unsafe {
                let raw = mlirRankedTensorTypeGet(rank, shape.as_ptr(), element, none);
                return types::wrap(py, &site.context, raw);
            }
        }
        None => MlirAttribute {
            ptr: std::ptr::null(),
        },
    };
    site.make_type(py, |location| {
        // SAFETY: location, element type and encoding are live and of one context; the shape has
        // `rank` elements. MLIR checks the rest.
        unsafe { mlirRankedTensorTypeGetChecked(location, rank, shape.as_ptr(), element, encoding) }
    })
}

#[pymethods]
impl RankedTensorType {
    /// The tensor type of a shape; raises `MLIRError` if there is none.
    #[staticmethod]
    #[pyo3(signature = (shape, element_type, encoding = None, loc = None))]
    fn get(
        py: Python<'_>,
        shape: Ints,
        element_type: &Bound<'_, Type>,
        encoding: Option<&Bound<'_, Attribute>>,
        loc: Option<Bound<'_, Location>>,
    ) -> PyResult<Py<PyAny>> {
        make(py, &Site::at(py, loc)?, &shape, element_type, encoding)
    }

    /// The same, without a location for the errors.
    #[staticmethod]
    #[pyo3(signature = (shape, element_type, encoding = None, context = None))]
    fn get_unchecked(
        py: Python<'_>,
        shape: Ints,
        element_type: &Bound<'_, Type>,
        encoding: Option<&Bound<'_, Attribute>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        make(
            py,
            &Site::unknown(py, context)?,
            &shape,
            element_type,
            encoding,
        )
    }

    /// The encoding of the tensor, if it has one.
    #[getter]
    fn encoding(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live ranked tensor type.
        let encoding = unsafe { mlirRankedTensorTypeGetEncoding(raw) };
        if encoding.ptr.is_null() {
            return Ok(None);
        }
        // SAFETY: the encoding is of the type's context.
        unsafe { attribute::wrap(slf.py(), &context, encoding) }.map(Some)
    }
}

/// A tensor of any rank.
#[pyclass(frozen, subclass, extends = ShapedType)]
pub(super) struct UnrankedTensorType;

type_kind!(
    UnrankedTensorType,
    mlirTypeIsAUnrankedTensor,
    Some(mlirUnrankedTensorTypeGetTypeID),
    Some(mlirUnrankedTensorTypeGetName)
);

fn make_unranked(
    py: Python<'_>,
    site: &Site,
    element_type: &Bound<'_, Type>,
) -> PyResult<Py<PyAny>> {
    let element = element_type.get().get_in(py, &site.context)?;
    site.make_type(py, |location| {
        // SAFETY: both are live and of one context; MLIR checks the rest.
        unsafe { mlirUnrankedTensorTypeGetChecked(location, element) }
    })
}

#[pymethods]
impl UnrankedTensorType {
    /// The unranked tensor type of an element type; raises `MLIRError` if there is none.
    #[staticmethod]
    #[pyo3(signature = (element_type, loc = None))]
    fn get(
        py: Python<'_>,
        element_type: &Bound<'_, Type>,
        loc: Option<Bound<'_, Location>>,
    ) -> PyResult<Py<PyAny>> {
        make_unranked(py, &Site::at(py, loc)?, element_type)
    }

    /// The same, without a location for the errors.
    #[staticmethod]
    #[pyo3(signature = (element_type, context = None))]
    fn get_unchecked(
        py: Python<'_>,
        element_type: &Bound<'_, Type>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        make_unranked(py, &Site::unknown(py, context)?, element_type)
    }
}
