//! `ArrayAttr`, `DictAttr`, `AffineMapAttr`, `IntegerSetAttr` and `StridedLayoutAttr`.

use std::sync::atomic::{AtomicUsize, Ordering};

use mondo_ir::attributes::{self, Array, Dictionary, Strided};
use mondo_ir::declarations as c;
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyModule, PyString, PyType};

use super::array_elements::not_an_attribute;
use crate::affine::AffineMap;
use crate::affine::IntegerSet;
use crate::interop::conversion_errors::bad_cast;
use crate::interop::missing_elements::{no_attribute, out_of_range};
use crate::interop::operators::{operand, refused};
use crate::interop::submodules::add_class;
use crate::ir::arguments::{Int, Ints, attribute_objects, attributes_within};
use crate::ir::attribute::{Attribute, NamedAttribute};
use crate::ir::context_stack;
use crate::ir::derived_class::{self, attribute_kind, enter, read_attribute, with_attribute};
use crate::ownership::context::Context;

/// An array of attributes.
#[pyclass(frozen, sequence, subclass, extends = Attribute)]
pub(super) struct ArrayAttr;

attribute_kind!(ArrayAttr: Array,
    type_id: c::mlirArrayAttrGetTypeID,
    name: c::mlirArrayAttrGetName);

#[pymethods]
impl ArrayAttr {
    /// The array of some attributes.
    #[staticmethod]
    #[pyo3(signature = (attributes, context = None))]
    fn get(
        py: Python<'_>,
        attributes: &Bound<'_, PyAny>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let context = context_stack::resolve_context(py, context)?;
        let elements = attribute_objects(attributes, not_an_attribute)?;
        Context::enter(py, &context, |ctx| {
            ctx.wrap(ctx.array(&attributes_within(&elements, ctx)?))
        })
    }

    fn __getitem__(slf: &Bound<'_, Self>, index: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let index: Int<isize> = operand(slf, "__getitem__", index)?;
        with_attribute(slf, |ctx, array| {
            let index = match index.0 {
                index if index < 0 => index + array.count() as isize,
                index => index,
            };
            let element = usize::try_from(index)
                .ok()
                .and_then(|index| array.element_at(index));
            let element = element
                .ok_or_else(|| out_of_range("ArrayAttribute index out of range", array.count()))?;
            ctx.wrap(element)
        })
    }

    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        read_attribute(slf, |attribute| attribute.count())
    }

    fn __iter__(slf: &Bound<'_, Self>) -> ArrayAttributeIterator {
        ArrayAttributeIterator {
            array: slf.clone().unbind(),
            next: AtomicUsize::new(0),
        }
    }

    /// The array with more attributes behind its own.
    fn __add__(slf: &Bound<'_, Self>, extras: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let extras = attribute_objects(extras, not_an_attribute)
            .map_err(|error| refused(slf, "__add__", extras, error))?;
        with_attribute(slf, |ctx, array| {
            let mut elements = array.elements();
            elements.extend(attributes_within(&extras, ctx)?);
            ctx.wrap(ctx.array(&elements))
        })
    }
}

/// Goes through an array.
#[pyclass(frozen, subclass)]
pub(super) struct ArrayAttributeIterator {
    array: Py<ArrayAttr>,
    next: AtomicUsize,
}

#[pymethods]
impl ArrayAttributeIterator {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.array)
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let at = self.next.load(Ordering::Relaxed);
        with_attribute(self.array.bind(py), |ctx, array| {
            let Some(element) = array.element_at(at) else {
                return Ok(None);
            };
            self.next.store(at + 1, Ordering::Relaxed);
            ctx.wrap(element).map(Some)
        })
    }
}

/// Attributes by name.
#[pyclass(frozen, sequence, subclass, extends = Attribute)]
pub(super) struct DictAttr;

attribute_kind!(DictAttr: Dictionary,
    type_id: c::mlirDictionaryAttrGetTypeID,
    name: c::mlirDictionaryAttrGetName);

#[pymethods]
impl DictAttr {
    /// The attribute of a `dict` from names to attributes.
    #[staticmethod]
    #[pyo3(signature = (value = None, context = None), text_signature = "(value={}, context=None)")]
    fn get(
        py: Python<'_>,
        value: Option<&Bound<'_, PyDict>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let context = context_stack::resolve_context(py, context)?;
        let mut named = Vec::new();
        for (name, element) in value.into_iter().flatten() {
            let name = name.extract::<String>().map_err(|_| {
                bad_cast(
                    py,
                    &format!("the name of an attribute is a str, not {name}"),
                )
            })?;
            let element = element.cast_into::<Attribute>().map_err(|error| {
                let class = error.into_inner().get_type();
                bad_cast(
                    py,
                    &format!("the attribute {name:?} is {class}, not an Attribute"),
                )
            })?;
            element.get().require_in(py, &context)?;
            named.push((name, element));
        }
        Context::enter(py, &context, |ctx| {
            let mut entries = Vec::with_capacity(named.len());
            for (name, element) in &named {
                entries.push((name.as_str(), element.get().within(ctx)?));
            }
            let dictionary = ctx.dictionary(&entries);
            ctx.wrap(dictionary.map_err(|error| PyValueError::new_err(error.to_string()))?)
        })
    }

    fn __contains__(slf: &Bound<'_, Self>, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        let name: &str = operand(slf, "__contains__", name)?;
        read_attribute(slf, |attribute| attribute.get(name).is_some())
    }

    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        read_attribute(slf, |attribute| {
            c::mlirDictionaryAttrGetNumElements(attribute).unsigned_abs()
        })
    }

    /// The attribute of a name, or the `NamedAttribute` at a place.
    fn __getitem__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        if let Ok(name) = key.cast::<PyString>() {
            let name = name.to_str()?;
            return with_attribute(slf, |ctx, dictionary| {
                ctx.wrap(dictionary.get(name).ok_or_else(|| {
                    let all = (0..).map_while(|index| dictionary.entry(index));
                    let names: Vec<String> = all.map(|(name, _)| name.text()).collect();
                    no_attribute("access", name, "the dictionary", &names)
                })?)
            });
        }
        let Int(index) = operand::<Int<isize>, _>(slf, "__getitem__", key)?;
        let (name, element) = with_attribute(slf, |ctx, dictionary| {
            let entry = usize::try_from(index)
                .ok()
                .and_then(|index| dictionary.entry(index));
            let (name, element) = entry.ok_or_else(|| {
                let count = c::mlirDictionaryAttrGetNumElements(dictionary).unsigned_abs();
                out_of_range("attempt to access out of bounds attribute", count)
            })?;
            Ok((name.text(), ctx.wrap(element)?))
        })?;
        let element = element.into_bound(py).cast_into::<Attribute>()?.unbind();
        Ok(Py::new(py, NamedAttribute::new(name, element))?.into_any())
    }
}

/// An affine map, as an attribute.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct AffineMapAttr;

attribute_kind!(
    AffineMapAttr: attributes::MapValue,
    type_id: c::mlirAffineMapAttrGetTypeID,
    name: c::mlirAffineMapAttrGetName
);

#[pymethods]
impl AffineMapAttr {
    /// The attribute of a map.
    #[staticmethod]
    fn get(affine_map: &Bound<'_, AffineMap>) -> PyResult<Py<PyAny>> {
        let py = affine_map.py();
        let map = affine_map.get();
        Context::enter(py, &map.context_of(py), |ctx| {
            ctx.wrap(map.within(ctx)?.attribute())
        })
    }

    /// The affine map that the attribute holds.
    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<AffineMap> {
        with_attribute(slf, |ctx, attribute| {
            Ok(AffineMap::of(ctx, attribute.value()))
        })
    }
}

/// An integer set, as an attribute.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct IntegerSetAttr;

attribute_kind!(
    IntegerSetAttr: attributes::SetValue,
    type_id: c::mlirIntegerSetAttrGetTypeID,
    name: c::mlirIntegerSetAttrGetName
);

#[pymethods]
impl IntegerSetAttr {
    /// The attribute of a set.
    #[staticmethod]
    fn get(integer_set: &Bound<'_, IntegerSet>) -> PyResult<Py<PyAny>> {
        let py = integer_set.py();
        let set = integer_set.get();
        Context::enter(py, &set.context_of(py), |ctx| {
            ctx.wrap(set.within(ctx)?.attribute())
        })
    }

    /// The integer set that the attribute holds.
    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<IntegerSet> {
        with_attribute(slf, |ctx, attribute| {
            Ok(IntegerSet::of(ctx, attribute.value()))
        })
    }
}

/// The layout of elements in memory: an offset and strides.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct StridedLayoutAttr;

attribute_kind!(StridedLayoutAttr: Strided,
    type_id: c::mlirStridedLayoutAttrGetTypeID,
    name: c::mlirStridedLayoutAttrGetName);

fn make_layout(
    py: Python<'_>,
    offset: i64,
    strides: &[i64],
    context: Option<Bound<'_, Context>>,
) -> PyResult<Py<PyAny>> {
    enter(py, context, |ctx| {
        ctx.wrap(ctx.strided_layout(offset, strides))
    })
}

#[pymethods]
impl StridedLayoutAttr {
    /// The layout of an offset and strides.
    #[staticmethod]
    #[pyo3(signature = (offset, strides, context = None))]
    fn get(
        py: Python<'_>,
        offset: Int<i64>,
        strides: Ints,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        make_layout(py, offset.0, strides.as_slice(), context)
    }

    /// The layout of a rank of which nothing is known.
    #[staticmethod]
    #[pyo3(signature = (rank, context = None))]
    fn get_fully_dynamic(
        py: Python<'_>,
        rank: Int<i64>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let rank = u16::try_from(rank.0).map_err(|_| {
            PyValueError::new_err(format!(
                "the rank must be from 0 to {}, not {}",
                u16::MAX,
                rank.0
            ))
        })?;
        let dynamic = c::mlirShapedTypeGetDynamicStrideOrOffset();
        make_layout(py, dynamic, &vec![dynamic; rank.into()], context)
    }

    /// The distance of the first element, in elements; a dynamic one is
    /// `ShapedType.get_dynamic_stride_or_offset()`.
    #[getter]
    fn offset(slf: &Bound<'_, Self>) -> PyResult<i64> {
        read_attribute(slf, |attribute| {
            c::mlirStridedLayoutAttrGetOffset(attribute)
        })
    }

    /// The distance of neighbours in each dimension, in elements.
    #[getter]
    fn strides(slf: &Bound<'_, Self>) -> PyResult<Vec<i64>> {
        read_attribute(slf, |attribute| attribute.strides())
    }
}

pub(super) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    derived_class::publish::<ArrayAttr>(ir, parent)?;
    add_class(ir, ir.py().get_type::<ArrayAttributeIterator>())?;
    derived_class::publish::<DictAttr>(ir, parent)?;
    derived_class::publish::<AffineMapAttr>(ir, parent)?;
    derived_class::publish::<IntegerSetAttr>(ir, parent)?;
    derived_class::publish::<StridedLayoutAttr>(ir, parent)?;
    Ok(())
}
