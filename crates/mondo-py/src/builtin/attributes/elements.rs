//! `DenseElementsAttr`, `DenseIntElementsAttr` and `DenseFPElementsAttr`. The sources of the elements are in
//! `elements_source.rs`, the buffer protocol in `export.rs`.

use mondo_ir::Scalar;
use mondo_ir::attributes::{DenseElements, DenseFloats, DenseIntegers};
use mondo_ir::declarations as c;
use mondo_ir::types::Shaped;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use super::elements_source::{dense_shape, from_buffer, from_list};
use crate::interop::operators::operand;
use crate::ir::arguments::{Int, Ints};
use crate::ir::attribute::Attribute;
use crate::ir::derived_class::{
    AttributeKind, Site, attribute_kind, read_attribute, with_attribute,
};
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// The elements of a tensor or vector.
#[pyclass(frozen, sequence, subclass, extends = Attribute)]
pub(super) struct DenseElementsAttr;

attribute_kind!(DenseElementsAttr: DenseElements);

#[pymethods]
impl DenseElementsAttr {
    /// The attribute of a buffer (an array, bytes), or of a list of attributes.
    ///
    /// From a buffer: `get(array, signless=True, type=None, shape=None, context=None)`. Without
    /// `type` the elements are integers, truth values, or numbers in half, single or double
    /// precision, as the buffer says; with it, they have the bits that the buffer has. A buffer of
    /// one element fills any shape. From a list: `get(attrs, type=None, context=None)`, where `type`
    /// is the whole type.
    #[staticmethod]
    #[pyo3(
        signature = (
            array = None, signless = None, r#type = None, shape = None, context = None, *, attrs = None
        ),
        text_signature = "(array=..., signless=True, type=None, shape=None, context=None, *, attrs=...)"
    )]
    fn get(
        py: Python<'_>,
        array: Option<Bound<'_, PyAny>>,
        signless: Option<Bound<'_, PyAny>>,
        r#type: Option<Bound<'_, PyAny>>,
        shape: Option<Bound<'_, PyAny>>,
        context: Option<Bound<'_, Context>>,
        attrs: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let ((Some(what), None) | (None, Some(what))) = (array, attrs) else {
            return Err(PyTypeError::new_err(
                "incompatible function arguments: get() takes either an array or a list of attributes",
            ));
        };
        let Ok(list) = what.cast::<PyList>() else {
            let signless = signless.map_or(Ok(true), |signless| signless.extract())?;
            let r#type = r#type
                .as_ref()
                .map(|given| given.cast::<Type>())
                .transpose()?;
            let shape: Option<Ints> = shape.map(|shape| shape.extract()).transpose()?;
            let site = Site::unknown(py, context)?;
            return from_buffer(py, &what, signless, r#type, shape.as_ref(), &site);
        };
        // For a list of attributes, the positional arguments are the type and the context, which have the
        // names of other arguments here.
        let mut context = context;
        let mut whole = None;
        for given in [signless, r#type].into_iter().flatten() {
            match given.cast_into::<Type>() {
                Ok(given) => whole = Some(given),
                Err(error) => context = Some(error.into_inner().cast_into::<Context>()?),
            }
        }
        if shape.is_some() {
            return Err(PyTypeError::new_err(
                "incompatible function arguments: a list of attributes takes a `type`, not a `shape`",
            ));
        }
        from_list(py, list, whole.as_ref(), &Site::unknown(py, context)?)
    }

    /// The attribute whose elements are all the same.
    #[staticmethod]
    fn get_splat(
        shaped_type: &Bound<'_, Type>,
        element_attr: &Bound<'_, Attribute>,
    ) -> PyResult<Py<PyAny>> {
        let py = shaped_type.py();
        let context = shaped_type.get().context_of(py)?;
        Context::enter(py, &context, |ctx| {
            let of = shaped_type.get().within(ctx)?;
            let element = element_attr.get().within(ctx)?;
            if !(c::mlirAttributeIsAInteger(element) || c::mlirAttributeIsAFloat(element)) {
                return Err(PyValueError::new_err(format!(
                    "Illegal element type for DenseElementsAttr: Attribute({element})"
                )));
            }
            let shaped = of.downcast::<Shaped>();
            let Some(shaped) = shaped.filter(|shaped| c::mlirShapedTypeHasStaticShape(*shaped))
            else {
                return Err(PyValueError::new_err(format!(
                    "Expected a static ShapedType for the shaped_type parameter: Type({of})"
                )));
            };
            let unequal = || {
                PyValueError::new_err(format!(
                    "Shaped element type and attribute type must be equal: shaped=Type({of}), \
                     element=Attribute({element})"
                ))
            };
            if shaped.element() != c::mlirAttributeGetType(element) {
                return Err(unequal());
            }
            let splat = dense_shape(ctx, of)?.splat(element);
            ctx.wrap(splat.ok_or_else(unequal)?)
        })
    }

    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(usize::try_from(read_attribute(slf, |attribute| {
            attribute.len()
        })?)?)
    }

    /// True if all elements are one that is stored once.
    #[getter]
    fn is_splat(slf: &Bound<'_, Self>) -> PyResult<bool> {
        read_attribute(slf, |attribute| attribute.is_splat())
    }

    /// The element of a splat.
    fn get_splat_value(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        with_attribute(slf, |ctx, attribute| {
            ctx.wrap(attribute.splat_value().ok_or_else(|| {
                PyValueError::new_err("get_splat_value called on a non-splat attribute")
            })?)
        })
    }
}

/// The element at `index`; None if the C API has no function for its type.
fn scalar_at<K: AttributeKind>(object: &Bound<'_, K>, index: isize) -> PyResult<Option<Scalar>> {
    // A splat has any number of elements, and Python's loops over them in C do not look for Ctrl-C.
    if index % (1 << 16) == 0 {
        object.py().check_signals()?;
    }
    read_attribute(object, |elements| {
        let dense = elements.any().downcast::<DenseElements>()?;
        let index = usize::try_from(index).ok()?;
        dense.has(index).then(|| dense.scalar(index))
    })?
    .ok_or_else(|| PyIndexError::new_err("attempt to access out of bounds element"))
}

/// Returns whether an element is equal to `value`. All elements of a splat are one.
fn contains<K: AttributeKind>(slf: &Bound<'_, K>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let count = read_attribute(slf, |elements| {
        let dense = elements.any().downcast::<DenseElements>()?;
        let most = if dense.is_splat() { 1 } else { u64::MAX };
        usize::try_from(dense.len().min(most)).ok()
    })?;
    for index in 0..count.unwrap_or(0) {
        if slf.as_any().get_item(index)?.eq(value)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Dense elements that are integers.
#[pyclass(frozen, sequence, subclass, extends = DenseElementsAttr)]
pub(super) struct DenseIntElementsAttr;

attribute_kind!(DenseIntElementsAttr: DenseIntegers);

#[pymethods]
impl DenseIntElementsAttr {
    fn __contains__(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        contains(slf, value)
    }

    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let index: Int<isize> = operand(slf, "__getitem__", index)?;
        let py = slf.py();
        match scalar_at(slf, index.0)? {
            Some(Scalar::Signed(number)) => Ok(number.into_pyobject(py)?.into_any()),
            Some(Scalar::Unsigned(number)) => Ok(number.into_pyobject(py)?.into_any()),
            _ => Err(PyTypeError::new_err("Unsupported integer type")),
        }
    }
}

/// Dense elements that are floating point numbers.
#[pyclass(frozen, sequence, subclass, extends = DenseElementsAttr)]
pub(super) struct DenseFPElementsAttr;

attribute_kind!(DenseFPElementsAttr: DenseFloats);

#[pymethods]
impl DenseFPElementsAttr {
    fn __contains__(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        contains(slf, value)
    }

    fn __getitem__(slf: &Bound<'_, Self>, index: &Bound<'_, PyAny>) -> PyResult<f64> {
        let index: Int<isize> = operand(slf, "__getitem__", index)?;
        match scalar_at(slf, index.0)? {
            Some(Scalar::Real(number)) => Ok(number),
            _ => Err(PyTypeError::new_err("Unsupported floating-point type")),
        }
    }
}
