//! The functions that make wrappers, find them again, and put them to rest.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::Ordering;

use pyo3::exceptions::{PyRuntimeError, PySystemError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::observed::{self, bury, drain};
use super::retained::{self, Keep};
use super::tie::{ACTIVE, DEAD, HELD, PARKED, Tie};
use super::tied::{Rest, Tied};

/// Does `work` without the garbage collector, which could run code that destroys what the caller has a
/// pointer to. (Since Python 3.12 it never runs where an object is made.)
pub(crate) fn uncollected<T>(_py: Python<'_>, work: impl FnOnce() -> T) -> T {
    // SAFETY: the interpreter is attached, and the collector is switched on again if it was on.
    let collects = unsafe { ffi::PyGC_Disable() } != 0;
    let result = work();
    if collects {
        // SAFETY: as above.
        unsafe { ffi::PyGC_Enable() };
    }
    result
}

/// Makes an object of `class`, which is the class that Python sees or one derived from it.
#[inline]
pub(crate) fn create<T: Tied>(class: &Bound<'_, PyType>, contents: T) -> PyResult<Py<T>> {
    let py = class.py();
    drain(py);
    let layout = T::layout();
    // SAFETY: `class` is a heap type without items whose instances begin with those of `T`. The new
    // memory is zero but for the header, which is what PyO3 leaves beside the contents (`Layout`
    // checks that), so that writing the contents makes it a whole object of `T`.
    unsafe {
        let object = uncollected(py, || ffi::PyType_GenericAlloc(class.as_type_ptr(), 0));
        if object.is_null() {
            return Err(PyErr::fetch(py));
        }
        // Python 3.11 and 3.12 make every `__dict__` in advance; few are ever used.
        drop(layout.take_attributes(py, object));
        contents.tie().object.store(object, Ordering::Relaxed);
        layout.contents::<T>(object).write(contents);
        Ok(owned(py, object))
    }
}

/// Makes an object of the class that Python sees for `T`.
pub(crate) fn create_plain<T: Tied>(py: Python<'_>, contents: T) -> PyResult<Py<T>> {
    create(T::layout().class(py)?, contents)
}

/// The object at `object`, wherever its memory was left; `wake` gives a parked one back what it keeps
/// alive. None if it is just being freed.
///
/// # Safety
///
/// `object` is an object of `T` that its table still has, and what it stands for lives.
#[inline]
pub(crate) unsafe fn fetch<T: Tied>(
    py: Python<'_>,
    object: *mut ffi::PyObject,
    wake: impl FnOnce(&T),
) -> Option<Py<T>> {
    // SAFETY: the caller vouches for the object, whose contents are whole in every state.
    let contents = unsafe { &*T::layout().contents::<T>(object) };
    match contents.tie().state() {
        ACTIVE => {
            // SAFETY: as above.
            if unsafe { ffi::Py_REFCNT(object) } == 0 {
                return None;
            }
            // SAFETY: somebody holds a reference, so that there can be another one.
            Some(unsafe { borrowed(py, object) })
        }
        PARKED => {
            // SAFETY: nobody has a reference, and the collector does not know the object. It kept
            // its reference to its class, which `PyObject_Init` takes once more.
            unsafe {
                let class = ffi::Py_TYPE(object);
                ffi::PyObject_Init(object, class);
                ffi::Py_DECREF(class.cast());
                ffi::PyObject_GC_Track(object.cast());
            }
            contents.tie().state.store(ACTIVE, Ordering::Release);
            wake(contents);
            // SAFETY: `PyObject_Init` made the one reference that there is.
            Some(unsafe { owned(py, object) })
        }
        HELD => {
            let held = match retained::take(object) {
                // SAFETY: the keep's reference was to an object of `T`, and is ours now.
                Some(held) => unsafe { owned(py, held.into_ptr()) },
                // The keep let it go while somebody had it from the garbage collector.
                // SAFETY: then there is a reference, or the object is just being freed.
                None if unsafe { ffi::Py_REFCNT(object) } > 0 => unsafe { borrowed(py, object) },
                None => return None,
            };
            contents.tie().state.store(ACTIVE, Ordering::Release);
            wake(contents);
            Some(held)
        }
        _ => None,
    }
}

/// The same for an object that somebody has; none for the others, and for null.
///
/// # Safety
///
/// As for [`fetch`], but that `object` may be null.
#[inline]
pub(crate) unsafe fn fetch_active<T: Tied>(
    py: Python<'_>,
    object: *mut ffi::PyObject,
) -> Option<Py<T>> {
    if object.is_null() {
        return None;
    }
    // SAFETY: the caller vouches for the object; with a reference to it there can be another one.
    unsafe {
        let contents = &*T::layout().contents::<T>(object);
        (contents.tie().is_active() && ffi::Py_REFCNT(object) > 0).then(|| borrowed(py, object))
    }
}

/// Says that what an object stood for has died. Frees the object if it is parked; a keep that holds it
/// lets it go soon, and whoever else has it frees it at the end.
///
/// # Safety
///
/// `object` is null or an object of `T` that no table has any more.
#[inline]
pub(crate) unsafe fn abandon<T: Tied>(object: *mut ffi::PyObject) {
    if object.is_null() {
        return;
    }
    // SAFETY: the caller vouches for the object.
    let contents = unsafe { &*T::layout().contents::<T>(object) };
    match contents.tie().state.swap(DEAD, Ordering::AcqRel) {
        // SAFETY: nobody has a reference, and what is parked keeps nothing alive.
        PARKED => unsafe { T::layout().free::<T>(object) },
        HELD => observed::note_held(object),
        _ => {}
    }
}

/// `tp_dealloc` of a tied class.
pub(super) unsafe extern "C" fn dealloc<T: Tied>(object: *mut ffi::PyObject) {
    // SAFETY: the interpreter calls this with an object of `T` whose last reference went; untracking
    // an untracked object does nothing.
    unsafe { ffi::PyObject_GC_UnTrack(object.cast()) };
    // SAFETY: the interpreter calls this in a thread that is attached to it. Telling PyO3 so would take
    // longer than all the rest, so that references are dropped as `Bound` here, which need not ask.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: `object` is an object of `T`, whose contents are whole in every state.
    let contents = unsafe { &*T::layout().contents::<T>(object) };
    if contents.tie().state() == HELD {
        // The keep that held it has ended. It had its rest: what knows it frees it.
        // SAFETY: nobody has a reference to the object.
        attached(|py| unsafe { park::<T>(py, object, contents, HELD) });
    } else {
        contents.rest(py, &mut |rest| match rest {
            // SAFETY: nobody has a reference to the object, and nothing is tied to it.
            Rest::Free => unsafe { T::layout().free::<T>(object) },
            // SAFETY: as above.
            Rest::Park(keep) => unsafe { lay_down::<T>(py, object, contents, keep) },
        });
    }
    if observed::some_are_dead() {
        attached(bury);
    }
}

/// Parks an object, or gives it to the keep.
///
/// # Safety
///
/// `object` is an object of `T`, these are its contents, and its last reference went.
#[inline]
unsafe fn lay_down<T: Tied>(py: Python<'_>, object: *mut ffi::PyObject, contents: &T, keep: &Keep) {
    // SAFETY: the object is whole, and nobody has a reference.
    if unsafe { !T::layout().has_attributes(object) } || !keep.is_open() {
        // SAFETY: as above.
        return unsafe { park::<T>(py, object, contents, ACTIVE) };
    }
    attached(|py| {
        // Python code must not get at an object that is held: it would not keep its tree alive. The
        // callbacks run here, and may add to the attributes.
        // SAFETY: as above. As in `fetch`, the object kept its reference to its class.
        let again = unsafe {
            ffi::PyObject_ClearWeakRefs(object);
            let class = ffi::Py_TYPE(object);
            ffi::PyObject_Init(object, class);
            ffi::Py_DECREF(class.cast());
            ffi::PyObject_GC_Track(object.cast());
            Bound::<PyAny>::from_owned_ptr(py, object)
        };
        let tie = contents.tie();
        if change(tie, ACTIVE, HELD) {
            keep.hold(again.unbind(), tie);
        }
        // Else what it stood for died in this moment, and the object is freed when `again` goes.
    });
}

/// Parks an object whose state is `from`, without its attributes.
///
/// # Safety
///
/// `object` is an object of `T`, these are its contents, and its last reference went.
#[inline]
unsafe fn park<T: Tied>(py: Python<'_>, object: *mut ffi::PyObject, contents: &T, from: u8) {
    // The collector does not see into what is parked.
    // SAFETY: the object is whole, and nobody has a reference.
    let attributes = unsafe { T::layout().take_attributes(py, object) };
    if change(contents.tie(), from, PARKED) {
        // SAFETY: the count is 0. Callbacks of weak references run here and may even bring the object
        // back, so that nothing below touches it.
        unsafe { ffi::PyObject_ClearWeakRefs(object) };
    } else {
        // What it stood for died in this moment, in another thread.
        // SAFETY: nobody has a reference.
        unsafe { T::layout().free::<T>(object) };
    }
    drop(attributes);
}

/// Goes from one state to another, unless what the object stood for has died.
#[inline]
fn change(tie: &Tie, from: u8, to: u8) -> bool {
    tie.state
        .compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire)
        .is_ok()
}

/// Calls `work` in a function that the interpreter itself calls, and so is attached, even while it
/// ends: PyO3's `attach` would refuse then.
#[inline]
pub(crate) fn attached<T>(work: impl for<'py> FnOnce(Python<'py>) -> T) -> T {
    // SAFETY: the callers are called by the interpreter, in a thread that is attached to it.
    unsafe { Python::attach_unchecked(work) }
}

/// Does what PyO3 would do for a getter that the interpreter calls: for those of [`Getters`](super::Getters)
/// that have no quick answer.
pub(crate) fn answer<T>(
    work: impl for<'py> FnOnce(Python<'py>) -> PyResult<Option<Py<T>>>,
) -> *mut ffi::PyObject {
    attached(|py| {
        let found = catch_unwind(AssertUnwindSafe(|| work(py)))
            .unwrap_or_else(|_| Err(PySystemError::new_err("a getter panicked")));
        match found {
            Ok(Some(object)) => object.into_ptr(),
            Ok(None) => py.None().into_ptr(),
            Err(error) => {
                error.restore(py);
                ptr::null_mut()
            }
        }
    })
}

/// The contents of an object that the interpreter passes to one of [`Getters`](super::Getters).
///
/// # Safety
///
/// `object` is an object of `T` that somebody refers to as long as the contents are used.
#[inline]
pub(crate) unsafe fn contents<'a, T: Tied>(object: *mut ffi::PyObject) -> &'a T {
    // SAFETY: the caller vouches for the object, whose contents are whole.
    unsafe { &*T::layout().contents::<T>(object) }
}

/// A reference to `object`, if somebody else has one and it is in use; else null.
///
/// # Safety
///
/// As for [`fetch_active`].
#[inline]
pub(crate) unsafe fn share_active<T: Tied>(object: *mut ffi::PyObject) -> *mut ffi::PyObject {
    if object.is_null() {
        return object;
    }
    // SAFETY: the caller vouches for the object; with a reference to it there can be another one.
    unsafe {
        let known = contents::<T>(object).tie().is_active() && ffi::Py_REFCNT(object) > 0;
        if !known {
            return ptr::null_mut();
        }
        ffi::Py_INCREF(object);
        object
    }
}

/// Takes over a reference.
///
/// # Safety
///
/// `object` is an object of `T`, and the caller has a reference to it that it gives up.
#[inline]
unsafe fn owned<T>(py: Python<'_>, object: *mut ffi::PyObject) -> Py<T> {
    // SAFETY: the caller vouches for it.
    unsafe {
        Bound::from_owned_ptr(py, object)
            .cast_into_unchecked()
            .unbind()
    }
}

/// Makes a reference.
///
/// # Safety
///
/// `object` is an object of `T` that somebody refers to.
#[inline]
pub(crate) unsafe fn borrowed<T>(py: Python<'_>, object: *mut ffi::PyObject) -> Py<T> {
    // SAFETY: the caller vouches for it.
    unsafe {
        Bound::from_borrowed_ptr(py, object)
            .cast_into_unchecked()
            .unbind()
    }
}

/// The exception for an object that is asked for while it is being freed.
#[cold]
#[inline(never)]
pub(crate) fn being_freed() -> PyErr {
    PyRuntimeError::new_err("the object is being freed right now")
}
