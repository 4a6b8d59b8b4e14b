//! The consumer's side of the buffer protocol: memory that other objects export. `buffer_export` has the
//! other side.
//!
//! Python's stable ABI has `PyObject_GetBuffer` and its kin only since 3.11. The type slots that they call
//! can be reached by `PyType_GetSlot` and `PyType_FromSpec` since 3.10, and `Py_buffer` has the same layout
//! in both versions, so that this file calls the slots itself.

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use mondo_ir::Blob;
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::attachment::attached;

/// `Py_bf_getbuffer`.
pub(crate) const GET_BUFFER: c_int = 1;
/// `Py_bf_releasebuffer`.
pub(crate) const RELEASE_BUFFER: c_int = 2;

/// `PyBUF_WRITABLE`.
pub(crate) const WRITABLE: c_int = 0x0001;
/// `PyBUF_FORMAT`.
pub(crate) const FORMAT: c_int = 0x0004;
/// `PyBUF_ND`.
pub(crate) const ND: c_int = 0x0008;
/// `PyBUF_STRIDES`.
pub(crate) const STRIDES: c_int = 0x0010 | ND;
/// `PyBUF_C_CONTIGUOUS`, without the strides that it includes.
pub(crate) const C_ORDER: c_int = 0x0020;
/// `PyBUF_F_CONTIGUOUS`, without the strides that it includes.
pub(crate) const F_ORDER: c_int = 0x0040;
/// `PyBUF_ANY_CONTIGUOUS`, without the strides that it includes.
pub(crate) const ANY_ORDER: c_int = 0x0080;

/// `Py_buffer`.
#[repr(C)]
pub(crate) struct RawView {
    pub(crate) buf: *mut c_void,
    pub(crate) obj: *mut ffi::PyObject,
    pub(crate) len: isize,
    pub(crate) itemsize: isize,
    pub(crate) readonly: c_int,
    pub(crate) ndim: c_int,
    pub(crate) format: *mut c_char,
    pub(crate) shape: *mut isize,
    pub(crate) strides: *mut isize,
    pub(crate) suboffsets: *mut isize,
    pub(crate) internal: *mut c_void,
}

type GetBuffer = unsafe extern "C" fn(*mut ffi::PyObject, *mut RawView, c_int) -> c_int;
type ReleaseBuffer = unsafe extern "C" fn(*mut ffi::PyObject, *mut RawView);

/// A view of memory that another object exports, released on drop.
pub(crate) struct View {
    /// Boxed, because the exporter may store pointers into the structure, as `PyBuffer_FillInfo` does for
    /// `shape`.
    raw: Box<RawView>,
}

// SAFETY: by the buffer protocol, the exporter keeps the memory and the arrays that the view points to in
// place until the view is released. `drop` releases it in an attached thread.
unsafe impl Send for View {}
// SAFETY: shared references only read the view, and by the buffer protocol the exporter keeps the arrays that
// it points to in place until the release.
unsafe impl Sync for View {}

impl View {
    /// Asks an object for a view of its memory.
    pub(crate) fn of(object: &Bound<'_, PyAny>, flags: c_int) -> PyResult<Self> {
        let py = object.py();
        let mut raw = Box::new(RawView {
            buf: ptr::null_mut(),
            obj: ptr::null_mut(),
            len: 0,
            itemsize: 0,
            readonly: 0,
            ndim: 0,
            format: ptr::null_mut(),
            shape: ptr::null_mut(),
            strides: ptr::null_mut(),
            suboffsets: ptr::null_mut(),
            internal: ptr::null_mut(),
        });
        // SAFETY: `object` keeps the object and its type alive. By Python's definition of the slot, a
        // non-null `bf_getbuffer` has this signature, and fills the view or sets an exception.
        unsafe {
            let slot = ffi::PyType_GetSlot(ffi::Py_TYPE(object.as_ptr()), GET_BUFFER);
            if slot.is_null() {
                return Err(PyTypeError::new_err(format!(
                    "incompatible function arguments: expected an object with the buffer protocol (an \
                     array, bytes, a memoryview), not {}",
                    object.get_type()
                )));
            }
            let get: GetBuffer = std::mem::transmute(slot);
            if get(object.as_ptr(), &raw mut *raw, flags) != 0 {
                return Err(PyErr::fetch(py));
            }
        }
        Ok(Self { raw })
    }

    pub(crate) fn itemsize(&self) -> usize {
        self.raw.itemsize.unsigned_abs()
    }

    pub(crate) fn is_readonly(&self) -> bool {
        self.raw.readonly != 0
    }

    /// The number of bytes that all elements take.
    pub(crate) fn len(&self) -> usize {
        self.raw.len.unsigned_abs()
    }

    /// The number of elements.
    pub(crate) fn count(&self) -> usize {
        self.len().checked_div(self.itemsize()).unwrap_or(0)
    }

    /// The format of the elements in the notation of `struct`; `B` for a view that was requested without
    /// `FORMAT`.
    pub(crate) fn format(&self) -> &str {
        if self.raw.format.is_null() {
            return "B";
        }
        // SAFETY: by the buffer protocol, a non-null `format` is a string that ends with NUL and lives until
        // the view is released.
        unsafe { CStr::from_ptr(self.raw.format) }
            .to_str()
            .unwrap_or("?!")
    }

    pub(crate) fn shape(&self) -> &[isize] {
        self.numbers(self.raw.shape)
    }

    /// The strides in bytes; empty if there are none, and the elements lie one after the other.
    pub(crate) fn strides(&self) -> &[isize] {
        self.numbers(self.raw.strides)
    }

    fn numbers(&self, start: *const isize) -> &[isize] {
        if start.is_null() {
            return &[];
        }
        // SAFETY: by the buffer protocol, a non-null `shape` or `strides` has `ndim` numbers and lives until
        // the view is released.
        unsafe { std::slice::from_raw_parts(start, self.raw.ndim.unsigned_abs() as usize) }
    }

    /// Returns whether the elements lie one after the other, in the order of the dimensions or, if
    /// `reverse`, the opposite one.
    fn is_contiguous(&self, reverse: bool) -> bool {
        if self.strides().is_empty() || self.raw.len == 0 {
            return true;
        }
        let mut wanted = self.raw.itemsize;
        let mut fits = |(&size, &stride): (&isize, &isize)| {
            let fits = size == 1 || stride == wanted;
            wanted *= size;
            fits
        };
        let mut dimensions = self.shape().iter().zip(self.strides());
        if reverse {
            dimensions.all(&mut fits)
        } else {
            dimensions.rev().all(&mut fits)
        }
    }

    /// Returns whether the memory has no gaps, in whatever order the elements are.
    pub(crate) fn is_without_gaps(&self) -> bool {
        self.is_contiguous(false) || self.is_contiguous(true)
    }

    /// The bytes of the one element that stands at all places, if the strides say so: each is 0, or that of a dimension
    /// of one element.
    pub(crate) fn repeated(&self) -> Option<&[u8]> {
        let mut dimensions = self.shape().iter().zip(self.strides());
        let is_one = !self.strides().is_empty()
            && self.raw.len != 0
            && dimensions.all(|(&size, &stride)| size == 1 || stride == 0);
        is_one.then(|| self.bytes(self.start(), self.itemsize()))
    }

    /// The elements one after the other, copied only if they do not lie so. Fails before the copy if there is no memory
    /// for it.
    pub(crate) fn contiguous(&self) -> PyResult<Cow<'_, [u8]>> {
        if self.raw.buf.is_null() || self.raw.len == 0 {
            return Ok(Cow::Borrowed(&[]));
        }
        let start = self.start();
        if self.is_contiguous(false) {
            return Ok(Cow::Borrowed(self.bytes(start, self.len())));
        }
        let mut dimensions: Vec<_> = self
            .shape()
            .iter()
            .copied()
            .zip(self.strides().iter().copied())
            .collect();
        // The elements of the last dimensions lie one after the other more often than not, and are copied at once.
        let mut run = self.raw.itemsize;
        while let Some((size, _)) = dimensions.pop_if(|(size, stride)| *size == 1 || *stride == run)
        {
            run *= size;
        }
        let mut all = room_for(self.len())?;
        self.copy(start, &dimensions, run.unsigned_abs(), &mut all);
        Ok(Cow::Owned(all))
    }

    /// Appends the runs of bytes at all places within `dimensions`.
    fn copy(&self, start: *const u8, dimensions: &[(isize, isize)], run: usize, all: &mut Vec<u8>) {
        let Some((&(size, stride), inner)) = dimensions.split_first() else {
            all.extend_from_slice(self.bytes(start, run));
            return;
        };
        if stride != 0 {
            for at in 0..size {
                self.copy(start.wrapping_offset(at * stride), inner, run, all);
            }
            return;
        }
        let first = all.len();
        self.copy(start, inner, run, all);
        let last = all.len();
        for _ in 1..size {
            all.extend_from_within(first..last);
        }
    }

    fn start(&self) -> *const u8 {
        self.raw.buf.cast::<u8>().cast_const()
    }

    /// The bytes of elements that lie one after the other, of which the first is at `start`: `buf` plus an index below
    /// `shape` times the stride in each dimension.
    fn bytes(&self, start: *const u8, size: usize) -> &[u8] {
        // SAFETY: by the buffer protocol, the bytes of an element are at each such address, and those of the next one
        // behind them where the strides say so. They stay until the view is released.
        unsafe { std::slice::from_raw_parts(start, size) }
    }
}

/// An empty vector with room for `size` bytes; a `MemoryError` if there is not that much memory.
pub(crate) fn room_for(size: usize) -> PyResult<Vec<u8>> {
    let mut bytes = Vec::new();
    let reserved = bytes.try_reserve_exact(size);
    reserved.map_err(|_| PyMemoryError::new_err(format!("there is no memory for {size} bytes")))?;
    Ok(bytes)
}

impl Drop for View {
    fn drop(&mut self) {
        attached(|_| {
            let object = std::mem::replace(&mut self.raw.obj, ptr::null_mut());
            if object.is_null() {
                return;
            }
            // SAFETY: `of` let this object fill the view, which has owned a reference to it since. By
            // Python's definition of the slot, a non-null `bf_releasebuffer` has this signature; it is called
            // once, because `obj` is null from here on.
            unsafe {
                let slot = ffi::PyType_GetSlot(ffi::Py_TYPE(object), RELEASE_BUFFER);
                if !slot.is_null() {
                    let release: ReleaseBuffer = std::mem::transmute(slot);
                    release(object, &raw mut *self.raw);
                }
                ffi::Py_DECREF(object);
            }
        });
    }
}

/// A view as a Python object, so that dropping a reference is what releases it, now or, in a thread
/// without the interpreter, as soon as there is one with it.
#[pyclass(frozen, name = "_HeldView")]
struct Holder {
    view: View,
}

/// A view that is held until this is dropped, in whatever thread.
pub(crate) struct HeldView {
    holder: Py<Holder>,
}

impl HeldView {
    pub(crate) fn of(py: Python<'_>, view: View) -> PyResult<Self> {
        let holder = Py::new(py, Holder { view })?;
        Ok(Self { holder })
    }
}

// SAFETY: by the buffer protocol, the exporter keeps its memory in place until the view is released, and the
// view is released when the holder is freed, to which this has a reference.
unsafe impl Blob for HeldView {
    fn memory(&self) -> (*mut u8, usize) {
        let view = &self.holder.get().view;
        (view.raw.buf.cast(), view.len())
    }
}
