//! The buffer protocol of `DenseElementsAttr`: `memoryview(attr)`, `numpy.array(attr)`.

use std::ffi::{CStr, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use mondo_sys::*;
use pyo3::exceptions::{PyBufferError, PySystemError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyModule, PyType};

use super::buffer::{
    ANY_ORDER, C_ORDER, F_ORDER, FORMAT, GET_BUFFER, ND, RELEASE_BUFFER, RawView, STRIDES, WRITABLE,
};
use super::elements::DenseElementsAttr;
use crate::ir::attribute::Attribute;
use crate::ir::derived_class::attribute_of;
use crate::ownership::wrapper;

/// The memory that a view points to, besides the elements.
struct Shown {
    shape: Vec<isize>,
    strides: Vec<isize>,
    /// The elements, where MLIR does not have them as the caller wants them.
    copy: Vec<u8>,
}

/// The format of an element in Python, and its size.
fn format_of(element: MlirType) -> Option<(&'static CStr, usize)> {
    // SAFETY: each function is called on a live type of the kind that it wants.
    unsafe {
        if mlirTypeIsAF32(element) {
            return Some((c"f", 4));
        }
        if mlirTypeIsAF64(element) {
            return Some((c"d", 8));
        }
        if mlirTypeIsAF16(element) {
            return Some((c"e", 2));
        }
        if mlirTypeIsAIndex(element) {
            return Some((c"q", 8));
        }
        if !mlirTypeIsAInteger(element) {
            return None;
        }
        match (
            mlirIntegerTypeGetWidth(element),
            mlirIntegerTypeIsUnsigned(element),
        ) {
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
}

/// The truth values of bits, of which the lowest comes first.
fn unpack(bits: &[u8], count: usize) -> Vec<u8> {
    bits.iter()
        .flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1))
        .take(count)
        .collect()
}

/// The strides of elements that lie one after the other.
fn dense_strides(shape: &[isize], itemsize: isize) -> Vec<isize> {
    let mut strides = vec![itemsize; shape.len()];
    for at in (1..shape.len()).rev() {
        strides[at - 1] = strides[at] * shape[at].max(1);
    }
    strides
}

/// Fills `view` for a caller that asks with `flags`.
fn fill(object: &Bound<'_, DenseElementsAttr>, view: &mut RawView, flags: c_int) -> PyResult<()> {
    let raw = attribute_of(object)?;
    if flags & WRITABLE != 0 {
        return Err(PyBufferError::new_err(
            "Error converting attribute to buffer: attributes cannot be written to",
        ));
    }
    // SAFETY: the attribute is a live dense elements attribute, whose type has a static shape.
    let (format, itemsize, is_splat, shape, data) = unsafe {
        let r#type = mlirAttributeGetType(raw);
        let (format, itemsize) =
            format_of(mlirShapedTypeGetElementType(r#type)).ok_or_else(|| {
                PyBufferError::new_err(
                    "Error converting attribute to buffer: unsupported data type for conversion to \
                     Python buffer",
                )
            })?;
        let shape: Vec<isize> = (0..mlirShapedTypeGetRank(r#type) as isize)
            .map(|dim| mlirShapedTypeGetDimSize(r#type, dim) as isize)
            .collect();
        (
            format,
            itemsize,
            mlirDenseElementsAttrIsSplat(raw),
            shape,
            mlirDenseElementsAttrGetRawData(raw).cast::<u8>(),
        )
    };
    let count = shape.iter().product::<isize>().unsigned_abs();
    let wants_order = flags & (C_ORDER | F_ORDER | ANY_ORDER) != 0;
    let shows_strides = flags & STRIDES == STRIDES;
    let in_a_row = !shows_strides || wants_order;
    let several = shape.iter().filter(|&&size| size > 1).count() > 1;
    if flags & F_ORDER != 0 && several {
        return Err(PyBufferError::new_err(
            "Error converting attribute to buffer: the elements are not in Fortran's order",
        ));
    }
    let mut strides = dense_strides(&shape, itemsize as isize);
    let mut copy = Vec::new();
    if count > 0 {
        // SAFETY: a splat has one element, anything else all of them; truth values are packed.
        let stored = |bytes: usize| unsafe { std::slice::from_raw_parts(data, bytes) };
        if format == c"?" {
            copy = if is_splat {
                // Bits of which one stands for all: either none or all are set, and a single element
                // is in the lowest.
                vec![stored(1)[0] & 1; count]
            } else {
                unpack(stored(count.div_ceil(8)), count)
            };
        } else if is_splat && count > 1 && in_a_row {
            copy = stored(itemsize).repeat(count);
        } else if is_splat && count > 1 {
            strides.fill(0);
        }
    }
    let mut shown = Box::new(Shown {
        shape,
        strides,
        copy,
    });
    view.buf = if shown.copy.is_empty() {
        data.cast_mut().cast()
    } else {
        shown.copy.as_mut_ptr().cast()
    };
    view.len = (count * itemsize) as isize;
    view.itemsize = itemsize as isize;
    view.readonly = 1;
    view.format = if flags & FORMAT != 0 {
        format.as_ptr().cast_mut()
    } else {
        ptr::null_mut()
    };
    view.ndim = shown.shape.len() as c_int;
    view.shape = if flags & ND != 0 {
        shown.shape.as_mut_ptr()
    } else {
        view.ndim = 1;
        ptr::null_mut()
    };
    view.strides = if shows_strides {
        shown.strides.as_mut_ptr()
    } else {
        ptr::null_mut()
    };
    view.suboffsets = ptr::null_mut();
    view.internal = Box::into_raw(shown).cast();
    // The attribute keeps its context alive, which has the elements.
    view.obj = object.clone().into_ptr();
    Ok(())
}

/// `bf_getbuffer`.
unsafe extern "C" fn get_buffer(
    object: *mut ffi::PyObject,
    view: *mut RawView,
    flags: c_int,
) -> c_int {
    if view.is_null() {
        return -1;
    }
    Python::attach(|py| {
        // SAFETY: the interpreter passes an object of the class, and a view that nobody else uses.
        // Its fields need no values yet.
        let (object, view) = unsafe {
            (&raw mut (*view).obj).write(ptr::null_mut());
            (Bound::from_borrowed_ptr(py, object), &mut *view)
        };
        let filled = catch_unwind(AssertUnwindSafe(|| {
            fill(object.cast::<DenseElementsAttr>()?, view, flags)
        }));
        let error = match filled {
            Ok(Ok(())) => return 0,
            Ok(Err(error)) => error,
            Err(_) => PySystemError::new_err("showing an attribute's elements panicked"),
        };
        error.restore(py);
        -1
    })
}

/// `bf_releasebuffer`.
unsafe extern "C" fn release_buffer(_object: *mut ffi::PyObject, view: *mut RawView) {
    // SAFETY: `get_buffer` filled the view, and the interpreter releases it once.
    unsafe { drop(Box::from_raw((*view).internal.cast::<Shown>())) };
}

/// Publishes `DenseElementsAttr`, a class that shows its objects' memory.
pub(super) fn publish<'py>(
    ir: &Bound<'py, PyModule>,
    parent: &Bound<'py, PyType>,
) -> PyResult<Bound<'py, PyType>> {
    let slots = [
        ffi::PyType_Slot {
            slot: GET_BUFFER,
            pfunc: get_buffer as *mut c_void,
        },
        ffi::PyType_Slot {
            slot: RELEASE_BUFFER,
            pfunc: release_buffer as *mut c_void,
        },
    ];
    wrapper::leaf_with::<Attribute, DenseElementsAttr>(ir, parent, &slots)
}
