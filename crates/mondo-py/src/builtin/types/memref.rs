//! `MemRefType` and `UnrankedMemRefType`.

use mondo_ir::declarations as c;
use mondo_ir::types::{self, MemRef, UnrankedMemRef};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::shaped::ShapedType;
use crate::affine::AffineMap;
use crate::ir::arguments::{Ints, maybe_within};
use crate::ir::attribute::Attribute;
use crate::ir::derived_class::{Site, checked, read_type, type_kind, with_type};
use crate::ir::location::Location;
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// A reference to memory of a shape.
#[pyclass(frozen, subclass, extends = ShapedType)]
pub(super) struct MemRefType;

type_kind!(
    MemRefType: MemRef,
    type_id: c::mlirMemRefTypeGetTypeID,
    name: c::mlirMemRefTypeGetName
);

/// The textual form of a memref type whose layout is an attribute of a dialect.
fn assembly(
    shape: &[i64],
    element: mondo_ir::Type<'_>,
    layout: mondo_ir::Attribute<'_>,
    space: Option<mondo_ir::Attribute<'_>>,
) -> String {
    let mut text = String::from("memref<");
    for &size in shape {
        if c::mlirShapedTypeIsDynamicSize(size) {
            text.push_str("?x");
        } else {
            text.push_str(&format!("{size}x"));
        }
    }
    text.push_str(&format!("{element}, {layout}"));
    if let Some(space) = space {
        text.push_str(&format!(", {space}"));
    }
    text.push('>');
    text
}

fn make(
    py: Python<'_>,
    site: &Site,
    shape: &Ints,
    element_type: &Bound<'_, Type>,
    layout: Option<&Bound<'_, Attribute>>,
    memory_space: Option<&Bound<'_, Attribute>>,
) -> PyResult<Py<PyAny>> {
    site.enter(py, |ctx, location| {
        let element = element_type.get().within(ctx)?;
        let layout = maybe_within(layout, ctx)?;
        let space = maybe_within(memory_space, ctx)?;
        let shape = shape.as_slice();
        let ty = match layout
            .map(|attribute| attribute.downcast().ok_or(attribute))
            .transpose()
        {
            Ok(layout) => checked(ctx, "Invalid type", || {
                types::MemRefType::checked(location, element, shape, layout, space)
            })?,
            // The C API does not check that an attribute is a layout, and the parser does.
            Err(other) => checked(ctx, "Invalid type", || {
                let text = assembly(shape, element, other, space);
                let parsed = ctx.parsed_type(&text)?.downcast::<MemRef>()?;
                // The parser may have read an attribute that is no layout as the memory space.
                (c::mlirMemRefTypeGetLayout(parsed) == other).then_some(parsed)
            })?,
        };
        ctx.wrap(ty)
    })
}

#[pymethods]
impl MemRefType {
    /// The memref type of a shape; raises `MLIRError` if there is none.
    #[staticmethod]
    #[pyo3(signature = (shape, element_type, layout = None, memory_space = None, loc = None))]
    fn get(
        py: Python<'_>,
        shape: Ints,
        element_type: &Bound<'_, Type>,
        layout: Option<&Bound<'_, Attribute>>,
        memory_space: Option<&Bound<'_, Attribute>>,
        loc: Option<Bound<'_, Location>>,
    ) -> PyResult<Py<PyAny>> {
        let site = Site::at(py, loc)?;
        make(py, &site, &shape, element_type, layout, memory_space)
    }

    /// As `get`, without a location for the errors.
    #[staticmethod]
    #[pyo3(signature = (shape, element_type, layout = None, memory_space = None, context = None))]
    fn get_unchecked(
        py: Python<'_>,
        shape: Ints,
        element_type: &Bound<'_, Type>,
        layout: Option<&Bound<'_, Attribute>>,
        memory_space: Option<&Bound<'_, Attribute>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let site = Site::unknown(py, context)?;
        make(py, &site, &shape, element_type, layout, memory_space)
    }

    /// The layout of the elements in memory.
    #[getter]
    fn layout(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        with_type(slf, |ctx, ty| ctx.wrap(c::mlirMemRefTypeGetLayout(ty)))
    }

    /// The strides and the offset, where the layout is made of such.
    fn get_strides_and_offset(slf: &Bound<'_, Self>) -> PyResult<(Vec<i64>, i64)> {
        read_type(slf, |ty| ty.strides_and_offset())?.ok_or_else(|| {
            PyRuntimeError::new_err("Failed to extract strides and offset from memref.")
        })
    }

    /// The layout as a map.
    #[getter]
    fn affine_map(slf: &Bound<'_, Self>) -> PyResult<AffineMap> {
        with_type(slf, |ctx, ty| {
            Ok(AffineMap::of(ctx, c::mlirMemRefTypeGetAffineMap(ty)))
        })
    }

    /// The memory space, if the type has one.
    #[getter]
    fn memory_space(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        with_type(slf, |ctx, ty| {
            let space = c::mlirMemRefTypeGetMemorySpace(ty);
            space.map(|space| ctx.wrap(space)).transpose()
        })
    }
}

/// A reference to memory of any rank.
#[pyclass(frozen, subclass, extends = ShapedType)]
pub(super) struct UnrankedMemRefType;

type_kind!(
    UnrankedMemRefType: UnrankedMemRef,
    type_id: c::mlirUnrankedMemRefTypeGetTypeID,
    name: c::mlirUnrankedMemRefTypeGetName
);

fn make_unranked(
    py: Python<'_>,
    site: &Site,
    element_type: &Bound<'_, Type>,
    memory_space: Option<&Bound<'_, Attribute>>,
) -> PyResult<Py<PyAny>> {
    site.enter(py, |ctx, location| {
        let element = element_type.get().within(ctx)?;
        let space = maybe_within(memory_space, ctx)?;
        let ty = checked(ctx, "Invalid type", || {
            c::mlirUnrankedMemRefTypeGetChecked(location, element, space)
        })?;
        ctx.wrap(ty)
    })
}

#[pymethods]
impl UnrankedMemRefType {
    /// The unranked memref type of an element type; raises `MLIRError` if there is none.
    #[staticmethod]
    #[pyo3(signature = (element_type, memory_space, loc = None))]
    fn get(
        py: Python<'_>,
        element_type: &Bound<'_, Type>,
        memory_space: Option<&Bound<'_, Attribute>>,
        loc: Option<Bound<'_, Location>>,
    ) -> PyResult<Py<PyAny>> {
        make_unranked(py, &Site::at(py, loc)?, element_type, memory_space)
    }

    /// As `get`, without a location for the errors.
    #[staticmethod]
    #[pyo3(signature = (element_type, memory_space, context = None))]
    fn get_unchecked(
        py: Python<'_>,
        element_type: &Bound<'_, Type>,
        memory_space: Option<&Bound<'_, Attribute>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        make_unranked(py, &Site::unknown(py, context)?, element_type, memory_space)
    }

    /// The memory space, if the type has one.
    #[getter]
    fn memory_space(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        with_type(slf, |ctx, ty| {
            let space = c::mlirUnrankedMemrefGetMemorySpace(ty);
            space.map(|space| ctx.wrap(space)).transpose()
        })
    }
}
