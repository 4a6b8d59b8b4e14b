//! Making dense elements from a buffer, or from a list of attributes.

use std::borrow::Cow;

use mondo_ir::declarations as c;
use mondo_ir::types::{RankedTensorType, Shaped, Signedness};
use mondo_ir::{DenseShape, Location, Uniquer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use super::array_elements::not_an_attribute;
use crate::interop::buffer::{FORMAT, STRIDES, View, room_for};
use crate::ir::arguments::{Ints, attribute_objects, attributes_within};
use crate::ir::derived_class::{Site, checked};
use crate::ir::types::Type;
use crate::ownership::context::Entered;

/// Checks that a type can be that of dense elements; fails otherwise.
pub(super) fn dense_shape<'ctx>(
    ctx: Entered<'_, 'ctx>,
    of: mondo_ir::Type<'ctx>,
) -> PyResult<DenseShape<'ctx>> {
    DenseShape::of(of).map_err(|why| {
        let object = ctx.wrap(of);
        let text = object
            .and_then(|object| object.bind(ctx.py()).str().map(|text| text.to_string()))
            .unwrap_or_default();
        PyValueError::new_err(format!(
            "a DenseElementsAttr cannot be of type {text}: {why}"
        ))
    })
}

/// The tensor type for a shape and an element type, if the caller gave no shaped type.
fn tensor<'ctx>(
    ctx: Entered<'_, 'ctx>,
    location: Location<'ctx>,
    shape: &[i64],
    element: mondo_ir::Type<'ctx>,
) -> PyResult<mondo_ir::Type<'ctx>> {
    let ty = checked(ctx, "Invalid type", || {
        RankedTensorType::checked(location, shape, element, None)
    })?;
    Ok(ty.any())
}

/// The element type that a buffer's format and item size imply.
fn inferred<'ctx>(
    ctx: Uniquer<'ctx>,
    view: &View,
    signless: bool,
) -> PyResult<mondo_ir::Type<'ctx>> {
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
    let (signed, unsigned) = if signless {
        (Signedness::Signless, Signedness::Signless)
    } else {
        (Signedness::Signed, Signedness::Unsigned)
    };
    let integer = |signedness| ctx.integer_of(width, signedness).map(|ty| ty.any());
    let found = match (code.unwrap_or(format), width) {
        ("e", 16) => Some(ctx.f16().any()),
        ("f", 32) => Some(ctx.f32().any()),
        ("d", 64) => Some(ctx.f64().any()),
        ("?", 8) => Some(ctx.i1().any()),
        ("b" | "h" | "i" | "l" | "q", 8 | 16 | 32 | 64) => integer(signed),
        ("B" | "H" | "I" | "L" | "Q", 8 | 16 | 32 | 64) => integer(unsigned),
        _ => None,
    };
    found.ok_or_else(|| {
        PyValueError::new_err(format!(
            "unimplemented array format conversion from format: {format}"
        ))
    })
}

/// Truth values as MLIR stores `i1`: each in a byte, and before LLVM 23 each in a bit, the first one in the lowest.
fn stored(values: &[u8]) -> Vec<u8> {
    if cfg!(not(llvm_before = "23")) {
        return values.iter().map(|&value| u8::from(value != 0)).collect();
    }
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

/// Makes the attribute from a buffer.
pub(super) fn from_buffer(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    signless: bool,
    r#type: Option<&Bound<'_, Type>>,
    shape: Option<&Ints>,
    site: &Site,
) -> PyResult<Py<PyAny>> {
    let flags = match r#type {
        // With a type the format is not requested, because an exporter may have elements for which there is
        // no format (`bfloat16`).
        Some(_) => STRIDES,
        None => STRIDES | FORMAT,
    };
    let view = View::of(array, flags)?;
    site.enter(py, |ctx, location| {
        let given = r#type
            .map(|given_type| given_type.get().within(ctx))
            .transpose()?;
        let element = match given {
            Some(given) => given,
            None => inferred(*ctx, &view, signless)?,
        };
        let of = if element.is::<Shaped>() {
            if shape.is_some() {
                return Err(PyValueError::new_err(
                    "Shape can only be specified explicitly when the type is not a shaped type.",
                ));
            }
            element
        } else if let Some(shape) = shape {
            tensor(ctx, location, shape.as_slice(), element)?
        } else {
            let shape: Vec<i64> = view.shape().iter().map(|&size| size as i64).collect();
            tensor(ctx, location, &shape, element)?
        };
        let dense = dense_shape(ctx, of)?;
        let is_truth = match given {
            None => view.format().ends_with('?'),
            // Other bytes than 0 and 1 are no truth values to MLIR.
            Some(_) => dense.has_truth_in_bytes(),
        };
        let data = data_of(&view, dense, is_truth)?;
        ctx.wrap(dense.stored(&data).ok_or_else(misfit)?)
    })
}

fn misfit() -> PyErr {
    PyValueError::new_err(
        "DenseElementsAttr could not be constructed from the given buffer. This may mean that \
         the Python buffer layout does not match that MLIR expected layout and is a bug.",
    )
}

/// The byte that stands for a splat of `true`.
const TRUE: u8 = if cfg!(llvm_before = "23") { 0xff } else { 1 };

/// The most bytes of which MLIR's copy is made without a look for memory: it is at hand, or the process is at its end anyway.
const SMALL: usize = 1 << 20;

/// The elements of a buffer in MLIR's storage format; `is_truth` for truth values, which take a byte each there. An
/// element that stands at all places is taken once.
fn data_of<'a>(view: &'a View, dense: DenseShape<'_>, is_truth: bool) -> PyResult<Cow<'a, [u8]>> {
    let (given, count) = (view.count(), dense.count());
    let one_for_all = match view.repeated() {
        Some(one) if given == count || given == 1 => {
            (is_truth || one.len() == dense.element_size()).then_some(one)
        }
        _ => None,
    };
    match one_for_all {
        Some(one) if is_truth && count > 0 => {
            return Ok(Cow::Owned(vec![if one[0] == 0 { 0 } else { TRUE }]));
        }
        Some(one) => return Ok(Cow::Borrowed(one)),
        None if is_truth && given != count => return Err(misfit()),
        None if !is_truth && view.len() > dense.most_bytes() => return Err(misfit()),
        None => {}
    }
    let mut data = view.contiguous()?;
    if is_truth {
        data = Cow::Owned(stored(&data));
    }
    if data.len() > SMALL {
        // MLIR copies the bytes, and ends the process if there is no memory for that.
        drop(room_for(data.len())?);
    }
    Ok(data)
}

/// Makes the attribute from a list of attributes.
pub(super) fn from_list(
    py: Python<'_>,
    attributes: &Bound<'_, PyList>,
    r#type: Option<&Bound<'_, Type>>,
    site: &Site,
) -> PyResult<Py<PyAny>> {
    let elements = attribute_objects(attributes, not_an_attribute)?;
    site.enter(py, |ctx, location| {
        let elements = attributes_within(&elements, ctx)?;
        let Some(&first) = elements.first() else {
            return Err(PyValueError::new_err("Attributes list must be non-empty."));
        };
        let of = match r#type {
            Some(given) => {
                let of = given.get().within(ctx)?;
                let shaped = of.downcast::<Shaped>();
                if !shaped.is_some_and(|ty| c::mlirShapedTypeHasStaticShape(ty)) {
                    return Err(PyValueError::new_err(format!(
                        "Expected a static ShapedType for the shaped_type parameter: {}",
                        given.repr()?
                    )));
                }
                of
            }
            None => {
                let element_type = c::mlirAttributeGetType(first);
                tensor(ctx, location, &[elements.len() as i64], element_type)?
            }
        };
        let dense = dense_shape(ctx, of)?;
        if let Some(other) = elements.iter().find(|element| !dense.takes(**element)) {
            let other_type = c::mlirAttributeGetType(*other);
            let (expected, got) = (ctx.wrap(of)?, ctx.wrap(other_type)?);
            return Err(PyValueError::new_err(format!(
                "All attributes must be of the same type and match the type parameter: expected={}, \
                 but got={}",
                expected.bind(py).repr()?,
                got.bind(py).repr()?
            )));
        }
        ctx.wrap(dense.list(&elements).ok_or_else(|| {
            PyValueError::new_err(format!(
                "there are {} attributes for a type with {} elements",
                elements.len(),
                dense.count()
            ))
        })?)
    })
}
