//! The memory layout of wrappers: the offsets of the parts within an object.

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

/// The offsets of the parts of a wrapper. They are measured once, on a blank object.
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

    /// The class that Python sees.
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

    /// Returns whether an object has attributes of its own.
    ///
    /// # Safety
    ///
    /// `object` is one that this is the layout of.
    #[inline]
    pub(super) unsafe fn has_attributes(&self, object: *mut ffi::PyObject) -> bool {
        // SAFETY: the slot is a part of the object, and holds a `dict` or null.
        unsafe {
            let dict = *self.dict(object);
            !dict.is_null() && ffi::PyDict_Size(dict) > 0
        }
    }

    /// Takes the attributes out of an object.
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
        // SAFETY: the slot owns its reference, which moves to the caller.
        unsafe {
            let dict = self.dict(object).replace(ptr::null_mut());
            Bound::from_owned_ptr_or_opt(py, dict)
        }
    }

    /// Clears the weak references to an object, whose callbacks may bring it back.
    ///
    /// # Safety
    ///
    /// `object` is one that this is the layout of, with a reference count of 0.
    #[inline]
    pub(super) unsafe fn clear_weak_references(&self, object: *mut ffi::PyObject) {
        // SAFETY: the slot is a part of the object, and holds the list of its weak references or null: most
        // objects have none, and need no call.
        unsafe {
            let weak = object.cast::<u8>().add(self.weak.load(Ordering::Relaxed));
            if !weak.cast::<*mut ffi::PyObject>().read().is_null() {
                ffi::PyObject_ClearWeakRefs(object);
            }
        }
    }

    /// Drops the contents of an object and frees its memory. PyO3's own `tp_dealloc` does the same
    /// for any class, and takes ten times as long.
    ///
    /// # Safety
    ///
    /// `object` is one that this is the layout of, with a reference count of 0, unknown to the
    /// collector, and its contents keep nothing alive.
    pub(super) unsafe fn free<T>(&self, object: *mut ffi::PyObject) {
        // SAFETY: the object has this layout and a count of 0, and the collector does not know it, by this
        // function's contract, so that nothing else uses its parts. It owns a reference to its class.
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

/// Makes the first reference to an object whose memory was kept with its class when the last one went.
///
/// # Safety
///
/// The object has a reference count of 0, and kept its reference to its class; the collector does not know it.
#[inline]
pub(super) unsafe fn revive(object: *mut ffi::PyObject) {
    // SAFETY: the object has a count of 0, kept its class, and is unknown to the collector, by this
    // function's contract.
    unsafe {
        // `PyObject_Init` sets the class, which is there, and takes a reference to it, which is there, too.
        #[cfg(not(Py_GIL_DISABLED))]
        ffi::Py_INCREF(object);
        // Without the interpreter's lock a count has an owner, which it sets.
        #[cfg(Py_GIL_DISABLED)]
        {
            let class = ffi::Py_TYPE(object);
            ffi::PyObject_Init(object, class);
            ffi::Py_DECREF(class.cast());
        }
    }
}

/// A class that was published.
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

/// The offset of the contents of a blank object. Fails unless everything beside them is zero, as new
/// memory is, but for what lies in `made`.
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
        // SAFETY: the offset is within the object, which is initialised as far as PyO3 uses it,
        // and memory of CPython's that came from its allocator may be read in any case.
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
