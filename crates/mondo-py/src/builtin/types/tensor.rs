//! `RankedTensorType` and `UnrankedTensorType`.

use mondo_ir::declarations as c;
use mondo_ir::types::{self, RankedTensor, UnrankedTensor};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::shaped::ShapedType;
use crate::ir::arguments::{Ints, maybe_within};
use crate::ir::attribute::Attribute;
use crate::ir::derived_class::{Site, checked, type_kind, with_type};
use crate::ir::location::Location;
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// A tensor with a shape.
#[pyclass(frozen, subclass, extends = ShapedType)]
pub(super) struct RankedTensorType;

type_kind!(
    RankedTensorType: RankedTensor,
    type_id: c::mlirRankedTensorTypeGetTypeID,
    name: c::mlirRankedTensorTypeGetName
);

fn make(
    py: Python<'_>,
    site: &Site,
    shape: &Ints,
    element_type: &Bound<'_, Type>,
    encoding: Option<&Bound<'_, Attribute>>,
) -> PyResult<Py<PyAny>> {
    site.enter(py, |ctx, location| {
        let element = element_type.get().within(ctx)?;
        let (shape, encoding) = (shape.as_slice(), maybe_within(encoding, ctx)?);
        // A type that is known to be valid is made without capturing diagnostics, because capturing takes
        // longer than making the type.
        if encoding.is_none()
            && let Some(plain) = types::RankedTensorType::plain(shape, element)
        {
            return ctx.wrap(plain);
        }
        let ty = checked(ctx, "Invalid type", || {
            types::RankedTensorType::checked(location, shape, element, encoding)
        })?;
        ctx.wrap(ty)
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

    /// As `get`, without a location for the errors.
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
        with_type(slf, |ctx, ty| {
            let encoding = c::mlirRankedTensorTypeGetEncoding(ty);
            encoding.map(|encoding| ctx.wrap(encoding)).transpose()
        })
    }
}

/// A tensor of any rank.
#[pyclass(frozen, subclass, extends = ShapedType)]
pub(super) struct UnrankedTensorType;

type_kind!(
    UnrankedTensorType: UnrankedTensor,
    type_id: c::mlirUnrankedTensorTypeGetTypeID,
    name: c::mlirUnrankedTensorTypeGetName
);

fn make_unranked(
    py: Python<'_>,
    site: &Site,
    element_type: &Bound<'_, Type>,
) -> PyResult<Py<PyAny>> {
    site.enter(py, |ctx, location| {
        let element = element_type.get().within(ctx)?;
        let ty = checked(ctx, "Invalid type", || {
            c::mlirUnrankedTensorTypeGetChecked(location, element)
        })?;
        ctx.wrap(ty)
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

    /// As `get`, without a location for the errors.
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
