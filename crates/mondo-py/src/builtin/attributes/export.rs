//! The buffer protocol of `DenseElementsAttr`: `memoryview(attr)`, `numpy.array(attr)`.

use std::ffi::CStr;

use mondo_ir::declarations as c;
use mondo_ir::types::{Index, Integer};
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::types::{PyModule, PyType};

use super::elements::DenseElementsAttr;
use crate::interop::buffer::room_for;
use crate::interop::buffer_export::{self, Exporter, Memory, Request, Shown};
use crate::ir::attribute::Attribute;
use crate::ir::derived_class::with_attribute;
use crate::ownership::uniqued_ref::ContextBytes;
use crate::ownership::wrapper;

/// The format of an element type in the notation of `struct`, and the size of an element.
fn format_of(element: mondo_ir::Type<'_>) -> Option<(&'static CStr, usize)> {
    if c::mlirTypeIsAF32(element) {
        return Some((c"f", 4));
    }
    if c::mlirTypeIsAF64(element) {
        return Some((c"d", 8));
    }
    if c::mlirTypeIsAF16(element) {
        return Some((c"e", 2));
    }
    if element.is::<Index>() {
        return Some((c"q", 8));
    }
    let integer = element.downcast::<Integer>()?;
    match (integer.width(), c::mlirIntegerTypeIsUnsigned(integer)) {
        (1, _) => Some((c"?", 1)),
        (8, false) => Some((c"b", 1)),
        (8, true) => Some((c"B", 1)),
        (16, false) => Some((c"h", 2)),
        (16, true) => Some((c"H", 2)),
        (32, false) => Some((c"i", 4)),
        (32, true) => Some((c"I", 4)),
        (64, false) => Some((c"q", 8)),
        (64, true) => Some((c"Q", 8)),
        _ => None,
    }
}

/// The truth values that MLIR stores in bytes, and before LLVM 23 in bits, the lowest one first.
fn unpack(stored: &[u8], count: usize) -> Vec<u8> {
    if cfg!(not(llvm_before = "23")) {
        return stored.iter().take(count).map(|byte| byte & 1).collect();
    }
    stored
        .iter()
        .flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1))
        .take(count)
        .collect()
}

/// The strides of elements in row-major order. If a dimension is 0, there are no elements, and the product of
/// the others may overflow; the strides are not used then.
fn dense_strides(shape: &[isize], itemsize: isize) -> Vec<isize> {
    let mut strides = vec![itemsize; shape.len()];
    for at in (1..shape.len()).rev() {
        strides[at - 1] = strides[at].saturating_mul(shape[at].max(1));
    }
    strides
}

/// The number of elements in a shape; None if their size in bytes overflows.
fn count_of(shape: &[isize], itemsize: usize) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    let mut sizes = shape.iter().map(|size| size.unsigned_abs());
    let count = sizes.try_fold(1_usize, usize::checked_mul)?;
    isize::try_from(count.checked_mul(itemsize)?).ok()?;
    Some(count)
}

/// `count` copies of `bytes`; fails if there is not enough memory.
fn repeated(bytes: &[u8], count: usize) -> PyResult<Vec<u8>> {
    let mut all = room_for(bytes.len() * count)?;
    all.extend(bytes.iter().cycle().take(bytes.len() * count));
    Ok(all)
}

impl Exporter for DenseElementsAttr {
    fn show(object: &Bound<'_, Self>, request: Request) -> PyResult<Shown> {
        with_attribute(object, |ctx, dense| {
            if request.writes() {
                return Err(PyBufferError::new_err(
                    "Error converting attribute to buffer: attributes cannot be written to",
                ));
            }
            let Some((format, itemsize)) = dense.element().and_then(format_of) else {
                return Err(PyBufferError::new_err(
                    "Error converting attribute to buffer: unsupported data type for conversion to \
                     Python buffer",
                ));
            };
            let sizes = dense.sizes();
            let shape: Vec<isize> = sizes.into_iter().map(|size| size as isize).collect();
            let (Some(count), Some(stored)) = (count_of(&shape, itemsize), dense.stored()) else {
                return Err(PyBufferError::new_err(format!(
                    "Error converting attribute to buffer: the shape {shape:?} with elements of \
                     {itemsize} bytes does not fit into memory"
                )));
            };
            if request.wants_fortran_order() && shape.iter().filter(|&&size| size > 1).count() > 1 {
                return Err(PyBufferError::new_err(
                    "Error converting attribute to buffer: the elements are not in Fortran's order",
                ));
            }
            let mut strides = dense_strides(&shape, itemsize as isize);
            // A splat stores one element. A consumer that accepts strides gets this element with strides of
            // 0; any other gets copies of it.
            let repeats = if !dense.is_splat() || count < 2 {
                1
            } else if request.wants_no_gaps() {
                count
            } else {
                strides.fill(0);
                1
            };
            let memory: Box<dyn Memory> = if count == 0 || (format != c"?" && repeats == 1) {
                Box::new(ContextBytes::of(ctx, stored))
            } else if format != c"?" {
                Box::new(repeated(stored, repeats)?)
            } else if dense.is_splat() {
                // A splat of `i1` stores one byte, whose lowest bit is the element.
                Box::new(repeated(&[stored[0] & 1], repeats)?)
            } else {
                Box::new(unpack(stored, count))
            };
            Ok(Shown {
                format,
                itemsize,
                shape,
                strides,
                memory,
            })
        })
    }
}

/// Publishes `DenseElementsAttr`, with the slots of the buffer protocol.
pub(super) fn publish<'py>(
    ir: &Bound<'py, PyModule>,
    parent: &Bound<'py, PyType>,
) -> PyResult<Bound<'py, PyType>> {
    let slots = buffer_export::slots::<DenseElementsAttr>();
    wrapper::leaf_with::<Attribute, DenseElementsAttr>(ir, parent, &slots)
}
