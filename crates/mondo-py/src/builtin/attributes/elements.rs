//! `DenseElementsAttr` and its two kinds with numbers.

use mondo_sys::*;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use super::elements_source::{element_count, from_buffer, from_list, no_elements};
use crate::ir::arguments::{Int, Ints};
use crate::ir::attribute::{self, Attribute};
use crate::ir::derived_class::{Kind, Site, attribute_in, attribute_kind, attribute_of};
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// The elements of a tensor or vector.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct DenseElementsAttr;

attribute_kind!(DenseElementsAttr, mlirAttributeIsADenseElements, None, None);

/// The text of a type, as `repr` shows one of the class `Type`.
fn plain(r#type: &Bound<'_, Type>) -> PyResult<String> {
    let text = r#type.get().__str__(r#type.py())?;
    Ok(format!("Type({text})"))
}

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
                "get() takes either an array or a list of attributes",
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
        // By position, a list is followed by the type and the context.
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
                "a list of attributes takes a `type`, not a `shape`",
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
        let site = Site::unknown(py, Some(shaped_type.get().context_of(py)?.into_bound(py)))?;
        let raw = shaped_type.get().get(py)?;
        let element = element_attr.get().get_in(py, &site.context)?;
        let shown = || -> PyResult<String> {
            let text = element_attr.get().__str__(py)?;
            Ok(format!("Attribute({text})"))
        };
        // SAFETY: the attribute is live.
        if !unsafe { mlirAttributeIsAInteger(element) || mlirAttributeIsAFloat(element) } {
            return Err(PyValueError::new_err(format!(
                "Illegal element type for DenseElementsAttr: {}",
                shown()?
            )));
        }
        // SAFETY: the type is live, and its shape is asked for only if it is shaped.
        if !unsafe { mlirTypeIsAShaped(raw) && mlirShapedTypeHasStaticShape(raw) } {
            return Err(PyValueError::new_err(format!(
                "Expected a static ShapedType for the shaped_type parameter: {}",
                plain(shaped_type)?
            )));
        }
        // SAFETY: the type is a live shaped type, and the attribute is live.
        if unsafe { mlirShapedTypeGetElementType(raw).ptr != mlirAttributeGetType(element).ptr } {
            return Err(PyValueError::new_err(format!(
                "Shaped element type and attribute type must be equal: shaped={}, element={}",
                plain(shaped_type)?,
                shown()?
            )));
        }
        element_count(raw).map_err(|why| no_elements(&site, raw, why, py))?;
        // SAFETY: the type can have dense elements, and the attribute is one of its element type.
        unsafe {
            let made = mlirDenseElementsAttrSplatGet(raw, element);
            attribute::wrap(py, &site.context, made)
        }
    }

    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        // SAFETY: the attribute is a live elements attribute.
        let length = unsafe { mlirElementsAttrGetNumElements(attribute_of(slf)?) };
        Ok(usize::try_from(length)?)
    }

    /// True if all elements are one that is stored once.
    #[getter]
    fn is_splat(slf: &Bound<'_, Self>) -> PyResult<bool> {
        // SAFETY: the attribute is a live dense elements attribute.
        Ok(unsafe { mlirDenseElementsAttrIsSplat(attribute_of(slf)?) })
    }

    /// The element of a splat.
    fn get_splat_value(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let (raw, context) = attribute_in(slf)?;
        // SAFETY: the attribute is a live dense elements attribute.
        if !unsafe { mlirDenseElementsAttrIsSplat(raw) } {
            return Err(PyValueError::new_err(
                "get_splat_value called on a non-splat attribute",
            ));
        }
        // SAFETY: as above, and it is a splat.
        unsafe { attribute::wrap(slf.py(), &context, mlirDenseElementsAttrGetSplatValue(raw)) }
    }
}

/// The attribute and its element type, if it has an element at `index`.
fn element_at<K: Kind<Base = Attribute>>(
    object: &Bound<'_, K>,
    index: isize,
) -> PyResult<(MlirAttribute, MlirType)> {
    let raw = attribute_of(object)?;
    // SAFETY: the attribute is a live elements attribute, whose type is shaped.
    unsafe {
        if (0..mlirElementsAttrGetNumElements(raw)).contains(&(index as i64)) {
            return Ok((raw, mlirShapedTypeGetElementType(mlirAttributeGetType(raw))));
        }
    }
    Err(PyIndexError::new_err(
        "attempt to access out of bounds element",
    ))
}

/// Dense elements that are integers.
#[pyclass(frozen, subclass, extends = DenseElementsAttr)]
pub(super) struct DenseIntElementsAttr;

attribute_kind!(
    DenseIntElementsAttr,
    mlirAttributeIsADenseIntElements,
    None,
    None
);

#[pymethods]
impl DenseIntElementsAttr {
    fn __getitem__<'py>(slf: &Bound<'py, Self>, index: Int<isize>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let (raw, element) = element_at(slf, index.0)?;
        let at = index.0;
        // SAFETY: the attribute has an element at `at`, of the type that each function is for.
        let number = unsafe {
            if mlirTypeIsAIndex(element) {
                mlirDenseElementsAttrGetIndexValue(raw, at).into_pyobject(py)?
            } else {
                let unsigned = mlirIntegerTypeIsUnsigned(element);
                match (mlirIntegerTypeGetWidth(element), unsigned) {
                    (1, _) => {
                        u8::from(mlirDenseElementsAttrGetBoolValue(raw, at)).into_pyobject(py)?
                    }
                    (8, true) => mlirDenseElementsAttrGetUInt8Value(raw, at).into_pyobject(py)?,
                    (16, true) => mlirDenseElementsAttrGetUInt16Value(raw, at).into_pyobject(py)?,
                    (32, true) => mlirDenseElementsAttrGetUInt32Value(raw, at).into_pyobject(py)?,
                    (64, true) => mlirDenseElementsAttrGetUInt64Value(raw, at).into_pyobject(py)?,
                    (8, false) => mlirDenseElementsAttrGetInt8Value(raw, at).into_pyobject(py)?,
                    (16, false) => mlirDenseElementsAttrGetInt16Value(raw, at).into_pyobject(py)?,
                    (32, false) => mlirDenseElementsAttrGetInt32Value(raw, at).into_pyobject(py)?,
                    (64, false) => mlirDenseElementsAttrGetInt64Value(raw, at).into_pyobject(py)?,
                    _ => return Err(PyTypeError::new_err("Unsupported integer type")),
                }
            }
        };
        Ok(number.into_any())
    }
}

/// Dense elements that are floating point numbers.
#[pyclass(frozen, subclass, extends = DenseElementsAttr)]
pub(super) struct DenseFPElementsAttr;

attribute_kind!(
    DenseFPElementsAttr,
    mlirAttributeIsADenseFPElements,
    None,
    None
);

#[pymethods]
impl DenseFPElementsAttr {
    fn __getitem__(slf: &Bound<'_, Self>, index: Int<isize>) -> PyResult<f64> {
        let (raw, element) = element_at(slf, index.0)?;
        // SAFETY: the attribute has an element at the index, of the type that each function is for.
        unsafe {
            if mlirTypeIsAF32(element) {
                Ok(mlirDenseElementsAttrGetFloatValue(raw, index.0).into())
            } else if mlirTypeIsAF64(element) {
                Ok(mlirDenseElementsAttrGetDoubleValue(raw, index.0))
            } else {
                Err(PyTypeError::new_err("Unsupported floating-point type"))
            }
        }
    }
}
