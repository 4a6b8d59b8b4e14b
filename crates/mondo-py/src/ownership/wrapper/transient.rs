//! Transient wrappers: lists, maps, iterators and locations, of which each access makes a new one.
//!
//! They have no identity. Unlike PyO3's objects they are not made by `object.__new__`, and a small cache for
//! each class reuses their memory, because allocation would be most of the time of an access. A class derived from
//! another, such as that of a kind of location, adds methods but no contents, and has a cache of its own.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use pyo3::exceptions::PySystemError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::{PyModule, PyTuple, PyType};
use pyo3::{PyClass, ffi};

use super::class;
use super::layout::{measure_contents, not_set_up, revive};
use crate::interop::attached_cell::AttachedCell;

/// The number of freed objects of a class whose memory is cached. One or two Python expressions have at most
/// so many at once.
const SPARE: usize = 16;

/// The published class of transient wrappers with the contents `T`, and a cache of their memory. Only the functions
/// here that publish a class set it.
pub(crate) struct Pool<T> {
    /// The published class; null before it is published.
    class: AtomicPtr<ffi::PyTypeObject>,
    /// The offset of the contents within an object.
    contents: AtomicUsize,
    /// The addresses of objects without references or contents. They keep their reference to their class.
    spare: AttachedCell<Vec<usize>>,
    of: PhantomData<fn() -> T>,
}

impl<T> Pool<T> {
    pub(crate) const fn new() -> Self {
        Self {
            class: AtomicPtr::new(ptr::null_mut()),
            contents: AtomicUsize::new(0),
            spare: AttachedCell::new(Vec::new()),
            of: PhantomData,
        }
    }

    fn contents(&self, object: *mut ffi::PyObject) -> *mut T {
        object
            .cast::<u8>()
            .wrapping_add(self.contents.load(Ordering::Relaxed))
            .cast()
    }
}

/// A class whose objects are transient; made with [`impl_transient`].
pub(crate) trait Transient: PyClass<Frozen = True> + Sync {
    fn pool() -> &'static Pool<Self>;

    /// An object that PyO3 allocates, from which the layout is measured. It is not used otherwise.
    fn sample(py: Python<'_>) -> PyResult<Py<Self>>;

    /// Drops the contents, with references dropped as `Bound`: PyO3 does not know here that the thread is
    /// attached, and would defer the drop of a `Py`.
    fn release(self, py: Python<'_>);
}

/// A class whose objects are transient, with its cache of memory: a [`Transient`] one, or one derived from it.
pub(crate) trait Pooled: PyClass {
    /// The class that has the contents.
    type Contents: Transient;

    fn memory() -> &'static Pool<Self::Contents>;
}

impl<T: Transient> Pooled for T {
    type Contents = T;

    fn memory() -> &'static Pool<T> {
        T::pool()
    }
}

/// A reference for [`Transient::sample`]. It is to `None` instead of a `T`, and must not be used as one.
pub(crate) fn nothing<T>(py: Python<'_>) -> Py<T> {
    // SAFETY: the references of a sample are only dropped, which is sound for an object of any class; nothing
    // reads them as a `T`.
    unsafe { py.None().into_bound(py).cast_into_unchecked().unbind() }
}

/// Implements [`Transient`] for a class. The first list has its fields that are references, the second one
/// the values of the other fields in a sample.
macro_rules! impl_transient {
    ($class:ident { $($reference:ident),+ } $({ $($field:ident: $sample:expr),+ })?) => {
        impl $crate::ownership::wrapper::Transient for $class {
            fn pool() -> &'static $crate::ownership::wrapper::Pool<Self> {
                static POOL: $crate::ownership::wrapper::Pool<$class> =
                    $crate::ownership::wrapper::Pool::new();
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

/// Makes the published class of `T`, and adds it to `module`.
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
    // Python code can derive classes but not make objects of them, because the class has no constructor. The
    // class lives until the process ends.
    pool.class.store(class.into_ptr().cast(), Ordering::Release);
    Ok(())
}

/// Makes the published class of `D`, which PyO3 derived from a transient class and which adds no contents, and adds it to
/// `module`. The class that it is derived from is there already. The constructor is PyO3's; `signature` has its parameters.
pub(crate) fn publish_derived<'py, D: Pooled>(
    module: &Bound<'py, PyModule>,
    signature: &str,
) -> PyResult<Bound<'py, PyType>> {
    let py = module.py();
    let native = py.get_type::<D>();
    let base = py.get_type::<D::Contents>();
    let size = |class: &Bound<'py, PyType>| class.getattr("__basicsize__")?.extract::<usize>();
    if size(&base)? != size(&native)? {
        return Err(PySystemError::new_err(format!(
            "the objects of {native} are larger than those of {base}"
        )));
    }
    // CPython reads the array up to an entry of zeros, and Python 3.10 and 3.11 keep the pointer.
    let properties = vec![class::guarded_class(), ffi::PyGetSetDef::default()].leak();
    let slots = [
        ffi::PyType_Slot {
            slot: ffi::Py_tp_getset,
            pfunc: properties.as_mut_ptr().cast(),
        },
        ffi::PyType_Slot {
            slot: ffi::Py_tp_dealloc,
            pfunc: dealloc::<D> as *mut c_void,
        },
    ];
    let name = native.name()?.to_string();
    // The first base is the one whose constructor CPython takes.
    let bases = PyTuple::new(py, [native.as_any(), &module.getattr(base.name()?)?])?;
    let flags = ffi::Py_TPFLAGS_DEFAULT;
    let class = class::make(&native, module, &name, signature, &bases, &slots, flags)?;
    let pool = D::memory();
    let contents = D::Contents::pool().contents.load(Ordering::Relaxed);
    pool.contents.store(contents, Ordering::Relaxed);
    pool.class
        .store(class.clone().into_ptr().cast(), Ordering::Release);
    Ok(class)
}

/// Makes an object with these contents.
pub(crate) fn new<T: Transient>(py: Python<'_>, contents: T) -> PyResult<Bound<'_, T>> {
    make(py, T::pool(), contents)
}

/// Makes an object with these contents of the class that `pool` is of: `T`, or one derived from it.
pub(crate) fn make<'py, T: Transient>(
    py: Python<'py>,
    pool: &Pool<T>,
    contents: T,
) -> PyResult<Bound<'py, T>> {
    let class = pool.class.load(Ordering::Acquire);
    if class.is_null() {
        return Err(not_set_up());
    }
    // SAFETY: the class is a heap type whose instances have the layout of `T` that `measure_contents` found; those of a
    // derived class have no more, as `publish_derived` checks.
    // A spare object has no references, is not tracked, and keeps its reference to its class, as `revive`
    // requires. New memory is zero beside the object's header, as PyO3 leaves it beside the contents. A new
    // object is tracked, but no collection runs before the contents are written.
    unsafe {
        let object = match pool.spare.with(py, Vec::pop) {
            Some(spare) => {
                let object = spare as *mut ffi::PyObject;
                revive(object);
                pool.contents(object).write(contents);
                ffi::PyObject_GC_Track(object.cast());
                object
            }
            None => {
                let object = ffi::PyType_GenericAlloc(class, 0);
                if object.is_null() {
                    return Err(PyErr::fetch(py));
                }
                pool.contents(object).write(contents);
                object
            }
        };
        Ok(Bound::from_owned_ptr(py, object).cast_into_unchecked())
    }
}

/// `tp_dealloc` of a transient class.
unsafe extern "C" fn dealloc<P: Pooled>(object: *mut ffi::PyObject) {
    let pool = P::memory();
    // SAFETY: CPython calls `tp_dealloc` in an attached thread, with an object of the class whose last
    // reference is gone. The contents are moved out here, and nothing drops them again.
    let py = unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        let py = Python::assume_attached();
        pool.contents(object).read().release(py);
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
        // SAFETY: the object has no references and is not in the cache, so that nothing else uses it. As an
        // object of a heap type, it owns a reference to its class.
        unsafe {
            let class = ffi::Py_TYPE(object);
            ffi::PyObject_GC_Del(object.cast());
            ffi::Py_DECREF(class.cast());
        }
    }
}
