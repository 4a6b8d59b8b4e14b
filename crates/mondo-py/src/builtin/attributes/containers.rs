//! `ArrayAttr`, `DictAttr`, `AffineMapAttr`, `IntegerSetAttr` and `StridedLayoutAttr`.

use std::sync::atomic::{AtomicIsize, Ordering};

use mondo_ir::attributes;
use mondo_ir::declarations as c;
use mondo_sys::*;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyModule, PyString, PyType};

use super::array_elements::not_an_attribute;
use super::bad_cast::bad_cast;
use crate::affine::AffineMap;
use crate::affine::IntegerSet;
use crate::interop::string::{string_ref, to_string};
use crate::interop::submodules::add_class;
use crate::ir::arguments::{Int, Ints, attributes_in, integer};
use crate::ir::attribute::{self, Attribute, NamedAttribute};
use crate::ir::derived_class::{
    self, attribute_in, attribute_kind, attribute_of, context_for, with_attribute,
};
use crate::ownership::context::Context;

/// An array of attributes.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct ArrayAttr;

attribute_kind!(
    ArrayAttr,
    mlirAttributeIsAArray,
    Some(mlirArrayAttrGetTypeID),
    Some(mlirArrayAttrGetName)
);

fn make_array(
    py: Python<'_>,
    context: &Py<Context>,
    elements: &[MlirAttribute],
) -> PyResult<Py<PyAny>> {
    let raw = context.get().get(py)?;
    // SAFETY: all elements are live and of this context, and there are as many as is said.
    unsafe {
        let raw = mlirArrayAttrGet(raw, elements.len() as isize, elements.as_ptr());
        attribute::wrap(py, context, raw)
    }
}

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
        let (context, _) = context_for(py, context)?;
        let elements = attributes_in(attributes, &context, not_an_attribute)?;
        make_array(py, &context, &elements)
    }

    fn __getitem__(slf: &Bound<'_, Self>, index: Int<isize>) -> PyResult<Py<PyAny>> {
        let (raw, context) = attribute_in(slf)?;
        // SAFETY: the attribute is a live array.
        let length = unsafe { mlirArrayAttrGetNumElements(raw) };
        let index = if index.0 < 0 {
            index.0 + length
        } else {
            index.0
        };
        if !(0..length).contains(&index) {
            return Err(PyIndexError::new_err("ArrayAttribute index out of range"));
        }
        // SAFETY: as above, and it has this element.
        unsafe { attribute::wrap(slf.py(), &context, mlirArrayAttrGetElement(raw, index)) }
    }

    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        // SAFETY: the attribute is a live array.
        Ok(unsafe { mlirArrayAttrGetNumElements(attribute_of(slf)?) }.unsigned_abs())
    }

    fn __iter__(slf: &Bound<'_, Self>) -> ArrayAttributeIterator {
        ArrayAttributeIterator {
            array: slf.clone().unbind(),
            next: AtomicIsize::new(0),
        }
    }

    /// The array with more attributes behind its own.
    fn __add__(slf: &Bound<'_, Self>, extras: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let (raw, context) = attribute_in(slf)?;
        // SAFETY: the attribute is a live array, and has the elements that are asked for.
        let mut elements: Vec<_> = unsafe {
            (0..mlirArrayAttrGetNumElements(raw))
                .map(|at| mlirArrayAttrGetElement(raw, at))
                .collect()
        };
        elements.extend(attributes_in(extras, &context, not_an_attribute)?);
        make_array(slf.py(), &context, &elements)
    }
}

/// Goes through an array.
#[pyclass(frozen, subclass)]
pub(super) struct ArrayAttributeIterator {
    array: Py<ArrayAttr>,
    next: AtomicIsize,
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
        let (raw, context) = attribute_in(self.array.bind(py))?;
        let at = self.next.load(Ordering::Relaxed);
        // SAFETY: the attribute is a live array, and has the element if `at` is within its length.
        unsafe {
            if at >= mlirArrayAttrGetNumElements(raw) {
                return Ok(None);
            }
            self.next.store(at + 1, Ordering::Relaxed);
            attribute::wrap(py, &context, mlirArrayAttrGetElement(raw, at)).map(Some)
        }
    }
}

/// Attributes by name.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct DictAttr;

attribute_kind!(
    DictAttr,
    mlirAttributeIsADictionary,
    Some(mlirDictionaryAttrGetTypeID),
    Some(mlirDictionaryAttrGetName)
);

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
        let (context, raw) = context_for(py, context)?;
        let mut named = Vec::new();
        for (name, element) in value.into_iter().flatten() {
            let name: &str = &name.extract::<String>().map_err(|_| {
                bad_cast(
                    py,
                    &format!("the name of an attribute is a str, not {name}"),
                )
            })?;
            let element = element.cast::<Attribute>().map_err(|_| {
                let class = element.get_type();
                bad_cast(
                    py,
                    &format!("the attribute {name:?} is {class}, not an Attribute"),
                )
            })?;
            let element = element.get().get_in(py, &context)?;
            // SAFETY: the context is live, MLIR copies the text, and the attribute is of the context.
            named.push(unsafe {
                mlirNamedAttributeGet(mlirIdentifierGet(raw, string_ref(name)), element)
            });
        }
        // SAFETY: all are live and of this context, and there are as many as is said.
        unsafe {
            let raw = mlirDictionaryAttrGet(raw, named.len() as isize, named.as_ptr());
            attribute::wrap(py, &context, raw)
        }
    }

    fn __contains__(slf: &Bound<'_, Self>, name: &str) -> PyResult<bool> {
        let raw = attribute_of(slf)?;
        // SAFETY: the attribute is a live dictionary, and the text is only read.
        let found = unsafe { mlirDictionaryAttrGetElementByName(raw, string_ref(name)) };
        Ok(!found.ptr.is_null())
    }

    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        // SAFETY: the attribute is a live dictionary.
        Ok(unsafe { mlirDictionaryAttrGetNumElements(attribute_of(slf)?) }.unsigned_abs())
    }

    /// The attribute of a name, or the `NamedAttribute` at a place.
    fn __getitem__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let (raw, context) = attribute_in(slf)?;
        if let Ok(name) = key.cast::<PyString>() {
            let name = name.to_str()?;
            // SAFETY: the attribute is a live dictionary, and the text is only read.
            let found = unsafe { mlirDictionaryAttrGetElementByName(raw, string_ref(name)) };
            if found.ptr.is_null() {
                return Err(PyKeyError::new_err(
                    "attempt to access a non-existent attribute",
                ));
            }
            // SAFETY: what is in a dictionary is of its context.
            return unsafe { attribute::wrap(py, &context, found) };
        }
        let index: isize = integer(key)?;
        // SAFETY: the attribute is a live dictionary.
        if !(0..unsafe { mlirDictionaryAttrGetNumElements(raw) }).contains(&index) {
            return Err(PyIndexError::new_err(
                "attempt to access out of bounds attribute",
            ));
        }
        // SAFETY: as above, and it has this element, which is of its context; names live as long.
        let (name, element) = unsafe {
            let named = mlirDictionaryAttrGetElement(raw, index);
            let name = to_string(mlirIdentifierStr(named.name));
            (name, attribute::wrap(py, &context, named.attribute)?)
        };
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

    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<AffineMap> {
        with_attribute(slf, |ctx, it| Ok(AffineMap::of(ctx, it.value())))
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

    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<IntegerSet> {
        with_attribute(slf, |ctx, it| Ok(IntegerSet::of(ctx, it.value())))
    }
}

/// The layout of elements in memory: an offset and strides.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct StridedLayoutAttr;

attribute_kind!(
    StridedLayoutAttr,
    mlirAttributeIsAStridedLayout,
    Some(mlirStridedLayoutAttrGetTypeID),
    Some(mlirStridedLayoutAttrGetName)
);

fn make_layout(
    py: Python<'_>,
    offset: i64,
    strides: &[i64],
    context: Option<Bound<'_, Context>>,
) -> PyResult<Py<PyAny>> {
    let (context, raw) = context_for(py, context)?;
    // SAFETY: the context is live, and there are as many strides as is said.
    unsafe {
        let raw = mlirStridedLayoutAttrGet(raw, offset, strides.len() as isize, strides.as_ptr());
        attribute::wrap(py, &context, raw)
    }
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
        // SAFETY: the function has no precondition.
        let dynamic = unsafe { mlirShapedTypeGetDynamicStrideOrOffset() };
        make_layout(py, dynamic, &vec![dynamic; rank.into()], context)
    }

    #[getter]
    fn offset(slf: &Bound<'_, Self>) -> PyResult<i64> {
        // SAFETY: the attribute is a live strided layout.
        Ok(unsafe { mlirStridedLayoutAttrGetOffset(attribute_of(slf)?) })
    }

    #[getter]
    fn strides(slf: &Bound<'_, Self>) -> PyResult<Vec<i64>> {
        let raw = attribute_of(slf)?;
        // SAFETY: the attribute is a live strided layout, and has the strides that are asked for.
        Ok(unsafe {
            (0..mlirStridedLayoutAttrGetNumStrides(raw))
                .map(|at| mlirStridedLayoutAttrGetStride(raw, at))
                .collect()
        })
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
