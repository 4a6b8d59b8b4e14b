//! The sources of dense elements: buffers, and lists of attributes.

use std::borrow::Cow;

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use super::array_elements::not_an_attribute;
use super::buffer::{FORMAT, STRIDES, View};
use crate::ir::arguments::{Ints, attributes_in};
use crate::ir::attribute;
use crate::ir::derived_class::Site;
use crate::ir::types::{self, Type};

/// The number of elements of a type, or the reason why it cannot have dense ones. `raw` is live.
pub(super) fn element_count(raw: MlirType) -> Result<usize, &'static str> {
    // SAFETY: each function is called on a live type of the kind that it wants.
    unsafe {
        if !mlirTypeIsAShaped(raw) || !mlirShapedTypeHasStaticShape(raw) {
            return Err("it has no static shape");
        }
        let element = mlirShapedTypeGetElementType(raw);
        let is_number = if mlirTypeIsAInteger(element) {
            mlirIntegerTypeGetWidth(element) > 0
        } else {
            mlirTypeIsAIndex(element) || mlirTypeIsAFloat(element) || mlirTypeIsAComplex(element)
        };
        if !is_number {
            return Err("its elements are not numbers");
        }
        (0..mlirShapedTypeGetRank(raw))
            .map(|dim| usize::try_from(mlirShapedTypeGetDimSize(raw, dim as isize)).ok())
            .try_fold(1usize, |count, size| {
                size.and_then(|size| count.checked_mul(size))
            })
            .ok_or("it has more elements than there is memory")
    }
}

/// The exception for a type that cannot have dense elements.
pub(super) fn no_elements(site: &Site, raw: MlirType, why: &str, py: Python<'_>) -> PyErr {
    // SAFETY: the type is live in this context.
    let text = unsafe { types::wrap(py, &site.context, raw) }
        .and_then(|wrapped| wrapped.bind(py).str().map(|text| text.to_string()))
        .unwrap_or_default();
    PyValueError::new_err(format!(
        "a DenseElementsAttr cannot be of type {text}: {why}"
    ))
}

/// The type of a tensor, where the caller gave no shaped type.
fn tensor(py: Python<'_>, site: &Site, shape: &[i64], element: MlirType) -> PyResult<MlirType> {
    let none = MlirAttribute {
        ptr: std::ptr::null(),
    };
    let made = site.make_type(py, |location| {
        // SAFETY: location and element type are live and of one context, and the shape has as many
        // elements as is said. MLIR checks the rest.
        unsafe {
            mlirRankedTensorTypeGetChecked(
                location,
                shape.len() as isize,
                shape.as_ptr(),
                element,
                none,
            )
        }
    })?;
    made.bind(py).cast::<Type>()?.get().get(py)
}

/// The element type for the elements of a buffer.
fn inferred(context: MlirContext, view: &View, signless: bool) -> PyResult<MlirType> {
    let format = view.format();
    // Native sizes and the byte order of this machine are what everything else is measured in.
    let code = format.strip_prefix([
        '@',
        '=',
        if cfg!(target_endian = "little") {
            '<'
        } else {
            '>'
        },
    ]);
    let width = view.itemsize() as u32 * 8;
    // SAFETY: the context is live, and MLIR has integers of these widths.
    unsafe {
        match (code.unwrap_or(format), width) {
            ("e", 16) => Ok(mlirF16TypeGet(context)),
            ("f", 32) => Ok(mlirF32TypeGet(context)),
            ("d", 64) => Ok(mlirF64TypeGet(context)),
            ("?", 8) => Ok(mlirIntegerTypeGet(context, 1)),
            ("b" | "h" | "i" | "l" | "q", 8 | 16 | 32 | 64) if !signless => {
                Ok(mlirIntegerTypeSignedGet(context, width))
            }
            ("B" | "H" | "I" | "L" | "Q", 8 | 16 | 32 | 64) if !signless => {
                Ok(mlirIntegerTypeUnsignedGet(context, width))
            }
            ("b" | "h" | "i" | "l" | "q" | "B" | "H" | "I" | "L" | "Q", 8 | 16 | 32 | 64) => {
                Ok(mlirIntegerTypeGet(context, width))
            }
            _ => Err(PyValueError::new_err(format!(
                "unimplemented array format conversion from format: {format}"
            ))),
        }
    }
}

/// One bit for each of the truth values, the first one lowest, as MLIR has them.
fn pack(values: &[u8]) -> Vec<u8> {
    values
        .chunks(8)
        .map(|eight| {
            eight
                .iter()
                .rev()
                .fold(0, |byte, &value| byte << 1 | u8::from(value != 0))
        })
        .collect()
}

/// The attribute of the elements of a buffer.
pub(super) fn from_buffer(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    signless: bool,
    r#type: Option<&Bound<'_, Type>>,
    shape: Option<&Ints>,
    site: &Site,
) -> PyResult<Py<PyAny>> {
    let flags = match r#type {
        // A caller that gives the type may pass elements for which there is no format.
        Some(_) => STRIDES,
        None => STRIDES | FORMAT,
    };
    let view = View::of(array, flags)?;
    let mut data = view.contiguous();
    let given = r#type
        .map(|r#type| r#type.get().get_in(py, &site.context))
        .transpose()?;
    let element = match given {
        Some(given) => given,
        None => inferred(site.context.get().get(py)?, &view, signless)?,
    };
    // SAFETY: the type is live.
    let raw = if unsafe { mlirTypeIsAShaped(element) } {
        if shape.is_some() {
            return Err(PyValueError::new_err(
                "Shape can only be specified explicitly when the type is not a shaped type.",
            ));
        }
        element
    } else if let Some(shape) = shape {
        tensor(py, site, shape.as_slice(), element)?
    } else {
        let shape: Vec<i64> = view.shape().iter().map(|&size| size as i64).collect();
        tensor(py, site, &shape, element)?
    };
    let count = element_count(raw).map_err(|why| no_elements(site, raw, why, py))?;
    let truth_values = given.is_none() && view.format().ends_with('?');
    let mut fits = true;
    if truth_values {
        let one_for_all = data.len() == 1 && count > 1;
        fits = data.len() == count || one_for_all;
        data = Cow::Owned(if one_for_all {
            vec![if data[0] == 0 { 0 } else { 0xff }]
        } else {
            pack(&data)
        });
    } else if count == 0 {
        // One element would make a splat, of nothing.
        fits = data.is_empty();
    }
    let made = if fits {
        // SAFETY: the type is one that can have dense elements; MLIR checks the number of bytes, and
        // copies them.
        unsafe { mlirDenseElementsAttrRawBufferGet(raw, data.len(), data.as_ptr().cast()) }
    } else {
        MlirAttribute {
            ptr: std::ptr::null(),
        }
    };
    if made.ptr.is_null() {
        return Err(PyValueError::new_err(
            "DenseElementsAttr could not be constructed from the given buffer. This may mean that the \
             Python buffer layout does not match that MLIR expected layout and is a bug.",
        ));
    }
    // SAFETY: the attribute was made in this context.
    unsafe { attribute::wrap(py, &site.context, made) }
}

/// The attribute of the elements in a list of attributes.
pub(super) fn from_list(
    py: Python<'_>,
    attributes: &Bound<'_, PyList>,
    r#type: Option<&Bound<'_, Type>>,
    site: &Site,
) -> PyResult<Py<PyAny>> {
    let elements = attributes_in(attributes, &site.context, not_an_attribute)?;
    let Some(&first) = elements.first() else {
        return Err(PyValueError::new_err("Attributes list must be non-empty."));
    };
    let raw = match r#type {
        Some(given) => {
            let raw = given.get().get_in(py, &site.context)?;
            // SAFETY: the type is live, and its shape is asked for only if it is shaped.
            if !unsafe { mlirTypeIsAShaped(raw) && mlirShapedTypeHasStaticShape(raw) } {
                return Err(PyValueError::new_err(format!(
                    "Expected a static ShapedType for the shaped_type parameter: {}",
                    given.repr()?
                )));
            }
            raw
        }
        // SAFETY: the attribute is live.
        None => tensor(py, site, &[elements.len() as i64], unsafe {
            mlirAttributeGetType(first)
        })?,
    };
    let count = element_count(raw).map_err(|why| no_elements(site, raw, why, py))?;
    // SAFETY: the type is live and shaped.
    let element_type = unsafe { mlirShapedTypeGetElementType(raw) };
    for &element in &elements {
        // SAFETY: the attribute is live.
        let (own, is_number) = unsafe {
            (
                mlirAttributeGetType(element),
                mlirAttributeIsAInteger(element) || mlirAttributeIsAFloat(element),
            )
        };
        if own.ptr != element_type.ptr || !is_number {
            // SAFETY: both types are live in this context.
            let (expected, got) = unsafe {
                (
                    types::wrap(py, &site.context, raw)?,
                    types::wrap(py, &site.context, own)?,
                )
            };
            return Err(PyValueError::new_err(format!(
                "All attributes must be of the same type and match the type parameter: expected={}, \
                 but got={}",
                expected.bind(py).repr()?,
                got.bind(py).repr()?
            )));
        }
    }
    if elements.len() != count && elements.len() != 1 {
        return Err(PyValueError::new_err(format!(
            "there are {} attributes for a type with {count} elements",
            elements.len()
        )));
    }
    // SAFETY: there is an attribute of the right type for each element, or one for all.
    unsafe {
        let made = mlirDenseElementsAttrGet(raw, elements.len() as isize, elements.as_ptr());
        attribute::wrap(py, &site.context, made)
    }
}
