//! The exporter's side of the buffer protocol, for native classes whose objects export their memory. `buffer`
//! has the other side.

use std::ffi::{CStr, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use pyo3::exceptions::PySystemError;
use pyo3::prelude::*;
use pyo3::{PyClass, ffi};

use super::attachment::attached;
use super::buffer::{
    ANY_ORDER, C_ORDER, F_ORDER, FORMAT, GET_BUFFER, ND, RELEASE_BUFFER, RawView, STRIDES, WRITABLE,
};

/// The owner of exported memory.
pub(crate) trait Memory {
    /// The bytes. Each call returns the same slice, at the same address.
    fn bytes(&self) -> &[u8];
}

impl Memory for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }
}

/// The `flags` of a request for a view: the form in which the consumer wants the memory.
#[derive(Clone, Copy)]
pub(crate) struct Request(c_int);

impl Request {
    /// True if the consumer wants to write to the memory.
    pub(crate) fn writes(self) -> bool {
        self.0 & WRITABLE != 0
    }

    /// True if the first dimension has to be the one that changes fastest.
    pub(crate) fn wants_fortran_order(self) -> bool {
        self.0 & F_ORDER != 0
    }

    /// True if the elements have to lie one after the other.
    pub(crate) fn wants_no_gaps(self) -> bool {
        !self.shows_strides() || self.0 & (C_ORDER | F_ORDER | ANY_ORDER) != 0
    }

    fn shows_strides(self) -> bool {
        self.0 & STRIDES == STRIDES
    }
}

/// Exported memory: the format of its elements, and their places.
pub(crate) struct Shown {
    pub(crate) format: &'static CStr,
    pub(crate) itemsize: usize,
    pub(crate) shape: Vec<isize>,
    /// In bytes.
    pub(crate) strides: Vec<isize>,
    pub(crate) memory: Box<dyn Memory>,
}

/// A class whose objects export their memory.
pub(crate) trait Exporter: PyClass {
    /// The memory, in the form that the consumer wants. Each index within the shape leads, by the strides, to
    /// an element inside of the memory, and the size of all elements in bytes fits into `isize`, if no
    /// dimension is 0.
    fn show(object: &Bound<'_, Self>, request: Request) -> PyResult<Shown>;
}

/// Fills `view` for a caller that asks with `flags`.
fn fill<T: Exporter>(
    object: &Bound<'_, T>,
    view: &mut RawView,
    Request(flags): Request,
) -> PyResult<()> {
    let mut shown = Box::new(T::show(object, Request(flags))?);
    let count = if shown.shape.contains(&0) {
        0
    } else {
        shown.shape.iter().product::<isize>()
    };
    view.buf = shown.memory.bytes().as_ptr().cast_mut().cast();
    view.itemsize = shown.itemsize as isize;
    view.len = count * view.itemsize;
    view.readonly = 1;
    view.format = if flags & FORMAT != 0 {
        shown.format.as_ptr().cast_mut()
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
    view.strides = if Request(flags).shows_strides() {
        shown.strides.as_mut_ptr()
    } else {
        ptr::null_mut()
    };
    view.suboffsets = ptr::null_mut();
    // `internal` owns the memory and the arrays that the other fields point to.
    view.internal = Box::into_raw(shown).cast();
    view.obj = object.clone().into_any().into_ptr();
    Ok(())
}

/// `bf_getbuffer`.
unsafe extern "C" fn get_buffer<T: Exporter>(
    object: *mut ffi::PyObject,
    view: *mut RawView,
    flags: c_int,
) -> c_int {
    if view.is_null() {
        return -1;
    }
    attached(|py| {
        // SAFETY: Python calls the slot with a live object of the class and a view that nobody else uses. The
        // view is C memory whose fields may be uninitialised, all of which are integers or pointers.
        let (object, view) = unsafe {
            (&raw mut (*view).obj).write(ptr::null_mut());
            (Bound::from_borrowed_ptr(py, object), &mut *view)
        };
        let filled = catch_unwind(AssertUnwindSafe(|| {
            fill(object.cast::<T>()?, view, Request(flags))
        }));
        let error = match filled {
            Ok(Ok(())) => return 0,
            Ok(Err(error)) => error,
            Err(_) => PySystemError::new_err("showing an object's memory panicked"),
        };
        error.restore(py);
        -1
    })
}

/// `bf_releasebuffer`.
unsafe extern "C" fn release_buffer(_object: *mut ffi::PyObject, view: *mut RawView) {
    // SAFETY: `fill` made `internal` from a box of this type, and by the buffer protocol a view is released
    // once.
    unsafe { drop(Box::from_raw((*view).internal.cast::<Shown>())) };
}

/// The slots of the class's type.
pub(crate) fn slots<T: Exporter>() -> [ffi::PyType_Slot; 2] {
    [
        ffi::PyType_Slot {
            slot: GET_BUFFER,
            pfunc: get_buffer::<T> as *mut c_void,
        },
        ffi::PyType_Slot {
            slot: RELEASE_BUFFER,
            pfunc: release_buffer as *mut c_void,
        },
    ]
}
