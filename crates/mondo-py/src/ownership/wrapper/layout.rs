//! The memory layout of wrappers: the offsets of the contents, the `__dict__` and the list of weak references
//! within an object. The stable ABI does not have them at compile time.

use std::mem::size_of;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::exceptions::{PyRuntimeError, PySystemError};
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use pyo3::{PyClass, ffi};

/// The offsets of the parts of a wrapper, which are measured once, when the class is published.
pub(crate) struct Layout {
    pub(super) contents: AtomicUsize,
    pub(super) dict: AtomicUsize,
    pub(super) weak: AtomicUsize,
    pub(super) class: PyOnceLock<Py<PyType>>,
}

impl Layout {
    pub(crate) const fn new() -> Self {
        Self {
            contents: AtomicUsize::new(0),
            dict: AtomicUsize::new(0),
            weak: AtomicUsize::new(0),
            class: PyOnceLock::new(),
        }
    }

    /// The published class.
    #[inline]
    pub(crate) fn class<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyType>> {
        published(py, &self.class)
    }

    /// The contents of an object.
    #[inline]
    pub(super) fn contents<T>(&self, object: *mut ffi::PyObject) -> *mut T {
        object
            .cast::<u8>()
            .wrapping_add(self.contents.load(Ordering::Relaxed))
            .cast()
    }

    #[inline]
    fn dict(&self, object: *mut ffi::PyObject) -> *mut *mut ffi::PyObject {
        object
            .cast::<u8>()
            .wrapping_add(self.dict.load(Ordering::Relaxed))
            .cast()
    }

    /// Returns whether an object's `__dict__` has entries.
    ///
    /// # Safety
    ///
    /// `object` is one that this is the layout of.
    #[inline]
    pub(super) unsafe fn has_attributes(&self, object: *mut ffi::PyObject) -> bool {
        // SAFETY: by this function's contract, the object has this layout, by which the slot has a `dict` or
        // null.
        unsafe {
            let dict = *self.dict(object);
            !dict.is_null() && ffi::PyDict_Size(dict) > 0
        }
    }

    /// Takes the `__dict__` out of an object.
    ///
    /// # Safety
    ///
    /// As for `has_attributes`.
    #[inline]
    pub(super) unsafe fn take_attributes<'py>(
        &self,
        py: Python<'py>,
        object: *mut ffi::PyObject,
    ) -> Option<Bound<'py, PyAny>> {
        // SAFETY: by this function's contract, the object has this layout, by which the slot has a reference
        // or null. The reference moves to the caller.
        unsafe {
            let dict = self.dict(object).replace(ptr::null_mut());
            Bound::from_owned_ptr_or_opt(py, dict)
        }
    }

    /// Clears the weak references to an object and calls their callbacks, which may fetch the object again.
    ///
    /// # Safety
    ///
    /// `object` is one that this is the layout of, with a reference count of 0.
    #[inline]
    pub(super) unsafe fn clear_weak_references(&self, object: *mut ffi::PyObject) {
        // SAFETY: by this function's contract, the object has this layout, by which the slot has the list of
        // weak references or null. For null, which most objects have, the call is saved.
        unsafe {
            let weak = object.cast::<u8>().add(self.weak.load(Ordering::Relaxed));
            if !weak.cast::<*mut ffi::PyObject>().read().is_null() {
                ffi::PyObject_ClearWeakRefs(object);
            }
        }
    }

    /// Drops the contents of an object and frees its memory, as PyO3's `tp_dealloc` does, in a tenth of the
    /// time.
    ///
    /// # Safety
    ///
    /// `object` has this layout, contents of `T` without references to Python objects, and a reference count
    /// of 0. The garbage collector does not track it.
    pub(super) unsafe fn free<T>(&self, object: *mut ffi::PyObject) {
        // SAFETY: by this function's contract, the object has this layout and contents of `T`, a reference
        // count of 0, and is not tracked, so that nothing else uses it. As an object of a heap type, it owns
        // a reference to its class.
        unsafe {
            self.clear_weak_references(object);
            ptr::drop_in_place(self.contents::<T>(object));
            ffi::Py_XDECREF(self.dict(object).replace(ptr::null_mut()));
            let class = ffi::Py_TYPE(object);
            ffi::PyObject_GC_Del(object.cast());
            ffi::Py_DECREF(class.cast());
        }
    }
}

/// Makes the first reference to an object without references whose memory was kept.
///
/// # Safety
///
/// The object has a reference count of 0, still owns its reference to its class, and is not tracked by the
/// garbage collector.
#[inline]
pub(super) unsafe fn revive(object: *mut ffi::PyObject) {
    // SAFETY: by this function's contract, the object has a reference count of 0, owns its reference to its
    // class, and is not tracked.
    unsafe {
        // `PyObject_Init` would set the class and take a reference to it; the object still has both.
        #[cfg(not(Py_GIL_DISABLED))]
        ffi::Py_INCREF(object);
        // On a free-threaded Python a reference count belongs to a thread, which `PyObject_Init` sets. The
        // second reference that it takes to the class is dropped.
        #[cfg(Py_GIL_DISABLED)]
        {
            let class = ffi::Py_TYPE(object);
            ffi::PyObject_Init(object, class);
            ffi::Py_DECREF(class.cast());
        }
    }
}

/// A published class; fails before it is published.
#[inline]
pub(crate) fn published<'a, 'py>(
    py: Python<'py>,
    class: &'a PyOnceLock<Py<PyType>>,
) -> PyResult<&'a Bound<'py, PyType>> {
    class
        .get(py)
        .map(|class| class.bind(py))
        .ok_or_else(not_set_up)
}

#[cold]
#[inline(never)]
pub(super) fn not_set_up() -> PyErr {
    PyRuntimeError::new_err("a class of _mlir.ir is not set up")
}

/// The offset of the contents within `blank`. Fails unless all bytes beside the object's header and the
/// contents are zero, except those in the range `made`.
pub(super) fn measure_contents<T: PyClass<Frozen = True> + Sync>(
    blank: &Bound<'_, T>,
    made: Range<usize>,
) -> PyResult<usize> {
    let native = blank.py().get_type::<T>();
    let size: usize = native.getattr("__basicsize__")?.extract()?;
    let start = blank.as_ptr() as usize;
    let contents = ptr::from_ref(blank.get()) as usize - start;
    let beside = (size_of::<ffi::PyObject>()..contents).chain(contents + size_of::<T>()..size);
    for offset in beside.filter(|offset| !made.contains(offset)) {
        // SAFETY: the offset is below the type's `basicsize`, so that it is within the object, whose memory
        // `PyType_GenericAlloc` set to zero before PyO3 wrote to it.
        let byte = unsafe { blank.as_ptr().cast::<u8>().add(offset).read_volatile() };
        if byte != 0 {
            return Err(PySystemError::new_err(format!(
                "an object of {native} has {byte:#x} at {offset} of {size}, beside its contents \
                 ({} from {contents}): this version of PyO3 lays out its objects in another way \
                 than mondo knows",
                size_of::<T>(),
            )));
        }
    }
    Ok(contents)
}
