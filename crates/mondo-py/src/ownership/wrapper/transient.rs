//! Transient wrappers: lists, maps, and iterators, which are made anew with every access.
//!
//! They have no identity. They are made without the way through `object.__new__` that PyO3's objects
//! take, and the memory of a few of each class is used again.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::{PyModule, PyTuple, PyType};
use pyo3::{PyClass, ffi};

use super::class;
use super::layout::{measure_contents, not_set_up, revive};
use crate::interop::attached_cell::AttachedCell;

/// The number of freed objects of a class whose memory is cached: as many as an expression or two
/// have at once.
const SPARE: usize = 16;

/// The class of transient wrappers that Python sees, and a cache of their memory.
pub(crate) struct Pool {
    /// Null until it is published.
    class: AtomicPtr<ffi::PyTypeObject>,
    /// The offset of the contents within an object.
    contents: AtomicUsize,
    /// The addresses of objects without references or contents, which keep the one to their class.
    spare: AttachedCell<Vec<usize>>,
}

impl Pool {
    pub(crate) const fn new() -> Self {
        Self {
            class: AtomicPtr::new(ptr::null_mut()),
            contents: AtomicUsize::new(0),
            spare: AttachedCell::new(Vec::new()),
        }
    }

    fn contents<T>(&self, object: *mut ffi::PyObject) -> *mut T {
        object
            .cast::<u8>()
            .wrapping_add(self.contents.load(Ordering::Relaxed))
            .cast()
    }
}

/// A class whose objects are transient; made with [`impl_transient`].
pub(crate) trait Transient: PyClass<Frozen = True> + Sync {
    fn pool() -> &'static Pool;

    /// An object made the way of PyO3's that is good for nothing but to be measured.
    fn sample(py: Python<'_>) -> PyResult<Py<Self>>;

    /// Drops the contents without asking PyO3 whether the thread is attached, which it does not know.
    fn release(self, py: Python<'_>);
}

/// A reference for [`Transient::sample`], not to be used as what it seems to be.
pub(crate) fn nothing<T>(py: Python<'_>) -> Py<T> {
    // SAFETY: a sample's references are never followed, only dropped.
    unsafe { py.None().into_bound(py).cast_into_unchecked().unbind() }
}

/// Makes a class transient: the fields that are references, and what a sample has in the others.
macro_rules! impl_transient {
    ($class:ident { $($reference:ident),+ } $({ $($field:ident: $sample:expr),+ })?) => {
        impl $crate::ownership::wrapper::Transient for $class {
            fn pool() -> &'static $crate::ownership::wrapper::Pool {
                static POOL: $crate::ownership::wrapper::Pool = $crate::ownership::wrapper::Pool::new();
                &POOL
            }

            fn sample(py: pyo3::Python<'_>) -> pyo3::PyResult<pyo3::Py<Self>> {
                let contents = Self {
                    $($reference: $crate::ownership::wrapper::nothing(py),)+
                    $($($field: $sample,)+)?
                };
                pyo3::Py::new(py, contents)
            }

            fn release(self, py: pyo3::Python<'_>) {
                $(self.$reference.drop_ref(py);)+
            }
        }
    };
}
pub(crate) use impl_transient;

/// Makes the class that Python sees for `T`, and puts it into `module`.
pub(crate) fn publish_transient<T: Transient>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let native = py.get_type::<T>();
    let pool = T::pool();
    let blank = T::sample(py)?.into_bound(py);
    let contents = measure_contents(&blank, 0..0)?;
    pool.contents.store(contents, Ordering::Relaxed);
    let slots = [ffi::PyType_Slot {
        slot: ffi::Py_tp_dealloc,
        pfunc: dealloc::<T> as *mut c_void,
    }];
    let name = native.name()?.to_string();
    let bases = PyTuple::new(py, [&native])?;
    let class: Bound<'_, PyType> =
        class::make(&native, module, &name, "", &bases, &slots, class::OPEN)?;
    // There are classes derived from it, but no objects of those, as it has no constructor.
    // It lives as long as the process.
    pool.class.store(class.into_ptr().cast(), Ordering::Release);
    Ok(())
}

/// Makes an object with these contents.
pub(crate) fn new<T: Transient>(py: Python<'_>, contents: T) -> PyResult<Bound<'_, T>> {
    let pool = T::pool();
    let class = pool.class.load(Ordering::Acquire);
    if class.is_null() {
        return Err(not_set_up());
    }
    // SAFETY: the class is a heap type whose instances are those of `T` and begin as `measure` found.
    // A spare object has no reference, is unknown to the collector, and kept its reference to its
    // class. New memory is zero but for the header, as PyO3
    // leaves it beside the contents, and the collector knows it; nothing runs until the contents are
    // there.
    unsafe {
        let object = match pool.spare.with(py, Vec::pop) {
            Some(spare) => {
                let object = spare as *mut ffi::PyObject;
                revive(object);
                pool.contents::<T>(object).write(contents);
                ffi::PyObject_GC_Track(object.cast());
                object
            }
            None => {
                let object = ffi::PyType_GenericAlloc(class, 0);
                if object.is_null() {
                    return Err(PyErr::fetch(py));
                }
                pool.contents::<T>(object).write(contents);
                object
            }
        };
        Ok(Bound::from_owned_ptr(py, object).cast_into_unchecked())
    }
}

/// `tp_dealloc` of a transient class.
unsafe extern "C" fn dealloc<T: Transient>(object: *mut ffi::PyObject) {
    let pool = T::pool();
    // SAFETY: the interpreter calls this, in a thread that is attached to it, with an object of `T`
    // whose last reference went. Its contents are taken out once.
    let py = unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        let py = Python::assume_attached();
        pool.contents::<T>(object).read().release(py);
        py
    };
    let kept = pool.spare.with(py, |spare| {
        let room = spare.len() < SPARE;
        if room {
            spare.push(object as usize);
        }
        room
    });
    if !kept {
        // SAFETY: nobody knows the object, which owns a reference to its class.
        unsafe {
            let class = ffi::Py_TYPE(object);
            ffi::PyObject_GC_Del(object.cast());
            ffi::Py_DECREF(class.cast());
        }
    }
}
