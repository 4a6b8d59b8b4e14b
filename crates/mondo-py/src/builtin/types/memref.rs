//! `MemRefType` and `UnrankedMemRefType`.

use std::ptr;

use mondo_sys::*;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::shaped::ShapedType;
use crate::affine::AffineMap;
use crate::interop::string::Terminated;
use crate::ir::arguments::Ints;
use crate::ir::attribute::{self, Attribute};
use crate::ir::derived_class::{Site, type_in, type_kind, type_of};
use crate::ir::error::succeeded;
use crate::ir::location::Location;
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// A reference to memory of a shape.
#[pyclass(frozen, subclass, extends = ShapedType)]
pub(super) struct MemRefType;

type_kind!(
    MemRefType,
    mlirTypeIsAMemRef,
    Some(mlirMemRefTypeGetTypeID),
    Some(mlirMemRefTypeGetName)
);

/// The attribute for the C API, null for none.
fn or_null(
    py: Python<'_>,
    context: &Py<Context>,
    attribute: Option<&Bound<'_, Attribute>>,
) -> PyResult<MlirAttribute> {
    attribute.map_or(Ok(MlirAttribute { ptr: ptr::null() }), |attribute| {
        attribute.get().get_in(py, context)
    })
}

/// The assembly form of a memref type with a layout of some dialect's.
fn assembly(
    py: Python<'_>,
    shape: &[i64],
    element_type: &Bound<'_, Type>,
    layout: &Bound<'_, Attribute>,
    memory_space: Option<&Bound<'_, Attribute>>,
) -> PyResult<String> {
    let mut text = String::from("memref<");
    for &size in shape {
        // SAFETY: the function has no precondition.
        if unsafe { mlirShapedTypeIsDynamicSize(size) } {
            text.push_str("?x");
        } else {
            text.push_str(&format!("{size}x"));
        }
    }
    text.push_str(&element_type.get().__str__(py)?);
    text.push_str(", ");
    text.push_str(&layout.get().__str__(py)?);
    if let Some(memory_space) = memory_space {
        text.push_str(", ");
        text.push_str(&memory_space.get().__str__(py)?);
    }
    text.push('>');
    Ok(text)
}

fn make(
    py: Python<'_>,
    site: &Site,
    shape: &Ints,
    element_type: &Bound<'_, Type>,
    layout: Option<&Bound<'_, Attribute>>,
    memory_space: Option<&Bound<'_, Attribute>>,
) -> PyResult<Py<PyAny>> {
    let element = element_type.get().get_in(py, &site.context)?;
    let raw_layout = or_null(py, &site.context, layout)?;
    let raw_space = or_null(py, &site.context, memory_space)?;
    let shape = shape.as_slice();
    if let Some(layout) = layout {
        // SAFETY: the attribute is live.
        let known = unsafe {
            mlirAttributeIsAAffineMap(raw_layout) || mlirAttributeIsAStridedLayout(raw_layout)
        };
        if !known {
            // The C API takes an attribute for a layout without asking. The parser asks.
            let text = Terminated::new(&assembly(py, shape, element_type, layout, memory_space)?);
            let raw_context = site.context.get().get(py)?;
            return site.make_type(py, |_| {
                // SAFETY: the context is live, the text is only read, and what it says is a memref.
                unsafe {
                    let parsed = mlirTypeParseGet(raw_context, text.get());
                    // An attribute that is no layout may have been read as a memory space.
                    if parsed.ptr.is_null() || mlirMemRefTypeGetLayout(parsed).ptr == raw_layout.ptr
                    {
                        parsed
                    } else {
                        MlirType { ptr: ptr::null() }
                    }
                }
            });
        }
    }
    site.make_type(py, |location| {
        // SAFETY: all are live and of one context, the shape has as many elements as is said, and the
        // layout is one. MLIR checks the rest.
        unsafe {
            mlirMemRefTypeGetChecked(
                location,
                element,
                shape.len() as isize,
                shape.as_ptr(),
                raw_layout,
                raw_space,
            )
        }
    })
}

/// The object for a memory space, if there is one.
fn space(
    py: Python<'_>,
    context: &Py<Context>,
    space: MlirAttribute,
) -> PyResult<Option<Py<PyAny>>> {
    if space.ptr.is_null() {
        return Ok(None);
    }
    // SAFETY: the attribute is a part of a type of this context.
    unsafe { attribute::wrap(py, context, space) }.map(Some)
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

    /// The same, without a location for the errors.
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
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live memref type, which has a layout in any case.
        unsafe { attribute::wrap(slf.py(), &context, mlirMemRefTypeGetLayout(raw)) }
    }

    /// The strides and the offset, where the layout is made of such.
    fn get_strides_and_offset(slf: &Bound<'_, Self>) -> PyResult<(Vec<i64>, i64)> {
        let raw = type_of(slf)?;
        // SAFETY: the type is a live memref type, and has a rank.
        let rank = unsafe { mlirShapedTypeGetRank(raw) };
        let mut strides = vec![0; usize::try_from(rank)?];
        let mut offset = 0;
        // SAFETY: as above, and there is room for as many strides as the type has.
        let result = unsafe {
            mlirMemRefTypeGetStridesAndOffset(raw, strides.as_mut_ptr(), &raw mut offset)
        };
        if !succeeded(result) {
            return Err(PyRuntimeError::new_err(
                "Failed to extract strides and offset from memref.",
            ));
        }
        Ok((strides, offset))
    }

    /// The layout as a map.
    #[getter]
    fn affine_map(slf: &Bound<'_, Self>) -> PyResult<AffineMap> {
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live memref type, and the map of its context.
        Ok(unsafe { AffineMap::new(context, mlirMemRefTypeGetAffineMap(raw)) })
    }

    /// The memory space, if the type has one.
    #[getter]
    fn memory_space(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live memref type.
        space(slf.py(), &context, unsafe {
            mlirMemRefTypeGetMemorySpace(raw)
        })
    }
}

/// A reference to memory of any rank.
#[pyclass(frozen, subclass, extends = ShapedType)]
pub(super) struct UnrankedMemRefType;

type_kind!(
    UnrankedMemRefType,
    mlirTypeIsAUnrankedMemRef,
    Some(mlirUnrankedMemRefTypeGetTypeID),
    Some(mlirUnrankedMemRefTypeGetName)
);

fn make_unranked(
    py: Python<'_>,
    site: &Site,
    element_type: &Bound<'_, Type>,
    memory_space: Option<&Bound<'_, Attribute>>,
) -> PyResult<Py<PyAny>> {
    let element = element_type.get().get_in(py, &site.context)?;
    let space = or_null(py, &site.context, memory_space)?;
    site.make_type(py, |location| {
        // SAFETY: all are live and of one context; MLIR checks the rest.
        unsafe { mlirUnrankedMemRefTypeGetChecked(location, element, space) }
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

    /// The same, without a location for the errors.
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
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live unranked memref type.
        space(slf.py(), &context, unsafe {
            mlirUnrankedMemrefGetMemorySpace(raw)
        })
    }
}
