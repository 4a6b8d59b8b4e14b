//! The lifecycle of wrappers: making them, returning dormant and retained ones to Python, making them
//! dormant, and freeing them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::Ordering;

use pyo3::exceptions::{PyRuntimeError, PySystemError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::class_trait::{Disposal, Wrapper};
use super::header::{ACTIVE, DEAD, DORMANT, Header, RETAINED};
use super::layout::revive;
use super::observed::{self, free_dead, reclaim};
use super::retained::{self, RetainedObjects};
use crate::interop::attachment::attached;

/// Runs `work` with the garbage collector switched off: a collection could run Python code that destroys a
/// node to which the caller has a pointer. (Since Python 3.12 no collection starts within an allocation.)
pub(crate) fn uncollected<T>(_py: Python<'_>, work: impl FnOnce() -> T) -> T {
    // SAFETY: `_py` proves that the thread is attached, which is all that this function requires.
    let collects = unsafe { ffi::PyGC_Disable() } != 0;
    let result = work();
    if collects {
        // SAFETY: `_py` proves that the thread is attached, which is all that this function requires.
        unsafe { ffi::PyGC_Enable() };
    }
    result
}

/// Makes an object of `class`, which is the published class of `T` or one derived from it.
#[inline]
pub(crate) fn create<T: Wrapper>(class: &Bound<'_, PyType>, contents: T) -> PyResult<Py<T>> {
    let py = class.py();
    free_dead(py);
    let layout = T::layout();
    // SAFETY: `class` is a heap type with an item size of 0 whose instances begin with the layout of `T`.
    // `PyType_GenericAlloc` sets all but the object's header to zero. PyO3 leaves everything beside the
    // contents zero, too (`measure` checks that), so that writing the contents completes an object of `T`.
    unsafe {
        let object = uncollected(py, || ffi::PyType_GenericAlloc(class.as_type_ptr(), 0));
        if object.is_null() {
            return Err(PyErr::fetch(py));
        }
        // Python 3.11 and 3.12 create a `__dict__` for each new object. Few wrappers use it, and the next
        // access to it makes a new one.
        drop(layout.take_attributes(py, object));
        contents.header().object.store(object, Ordering::Relaxed);
        layout.contents::<T>(object).write(contents);
        Ok(owned(py, object))
    }
}

/// Makes an object of the published class of `T`.
pub(crate) fn create_plain<T: Wrapper>(py: Python<'_>, contents: T) -> PyResult<Py<T>> {
    create(T::layout().class(py)?, contents)
}

/// A reference to the wrapper at an address, in whatever state it is. `wake` sets the references of a wrapper
/// that was not active. Returns None if the wrapper is being freed.
///
/// # Safety
///
/// `object` is an object of `T` that the identity map still has, and what it represents is live.
#[inline]
pub(crate) unsafe fn fetch<T: Wrapper>(
    py: Python<'_>,
    object: *mut ffi::PyObject,
    wake: impl FnOnce(&T),
) -> Option<Py<T>> {
    // SAFETY: the object is one of `T` in the identity map, by this function's contract. Its contents are
    // initialised in each state, until it is freed.
    let contents = unsafe { &*T::layout().contents::<T>(object) };
    match contents.header().state() {
        ACTIVE => {
            // SAFETY: the object is in the identity map, so that its memory is there. A reference count above
            // 0 means that it is not being freed, and allows another reference.
            unsafe { (ffi::Py_REFCNT(object) > 0).then(|| borrowed(py, object)) }
        }
        DORMANT => {
            // SAFETY: the state is `DORMANT`, which `make_dormant` sets for an object without references that
            // is not tracked and keeps its reference to its class.
            unsafe {
                revive(object);
                ffi::PyObject_GC_Track(object.cast());
            }
            contents.header().state.store(ACTIVE, Ordering::Release);
            wake(contents);
            // SAFETY: `revive` made this reference.
            Some(unsafe { owned(py, object) })
        }
        RETAINED => {
            let held = match retained::take(object) {
                // SAFETY: `take` returned the table's reference to this object, which is one of `T`.
                Some(held) => unsafe { owned(py, held.into_ptr()) },
                // The table dropped its reference while other code had one, which it got from the garbage
                // collector (`gc.get_objects`).
                // SAFETY: the object is in the identity map, so that its memory is there. If its reference
                // count is above 0, it is not being freed.
                None if unsafe { ffi::Py_REFCNT(object) } > 0 => unsafe { borrowed(py, object) },
                None => return None,
            };
            contents.header().state.store(ACTIVE, Ordering::Release);
            wake(contents);
            Some(held)
        }
        _ => None,
    }
}

/// A reference to the wrapper at an address, if it is active; None otherwise, and for null.
///
/// # Safety
///
/// As for [`fetch`], but that `object` may be null.
#[inline]
pub(crate) unsafe fn fetch_active<T: Wrapper>(
    py: Python<'_>,
    object: *mut ffi::PyObject,
) -> Option<Py<T>> {
    if object.is_null() {
        return None;
    }
    // SAFETY: the object is one of `T` that its table has, by this function's contract; with a reference to
    // it there can be another one.
    unsafe {
        let contents = &*T::layout().contents::<T>(object);
        (contents.header().is_active() && ffi::Py_REFCNT(object) > 0).then(|| borrowed(py, object))
    }
}

/// Marks a wrapper as dead, because what it represents was destroyed. A dormant wrapper is freed now, a
/// retained one by the next [`reclaim`], an active one with its last reference.
///
/// # Safety
///
/// `object` is null, or an object of `T` that the identity map does not have any more.
#[inline]
pub(crate) unsafe fn abandon<T: Wrapper>(object: *mut ffi::PyObject) {
    if object.is_null() {
        return;
    }
    // SAFETY: the object is one of `T`, by this function's contract, and is freed by this function at the
    // earliest.
    let contents = unsafe { &*T::layout().contents::<T>(object) };
    contents.header().leave_place();
    match contents.header().state.swap(DEAD, Ordering::AcqRel) {
        // SAFETY: a dormant wrapper has no references, is not tracked, and its contents have none to other
        // objects; the identity map does not have it, by this function's contract.
        DORMANT => unsafe { T::layout().free::<T>(object) },
        RETAINED => observed::note_retained_dead(object),
        _ => {}
    }
}

/// `tp_dealloc` of a wrapper class.
pub(super) unsafe extern "C" fn dealloc<T: Wrapper>(object: *mut ffi::PyObject) {
    // Telling PyO3 that the thread is attached (`attached`) takes longer than the rest of this function.
    // References are dropped as `Bound` here, which does not ask PyO3.
    // SAFETY: CPython calls `tp_dealloc` in an attached thread, with an object of the class that has no
    // references any more. Untracking an object that is not tracked does nothing.
    let py = unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        Python::assume_attached()
    };
    // SAFETY: `object` is an object of `T`, whose contents are initialised in each state, until it is freed.
    let contents = unsafe { &*T::layout().contents::<T>(object) };
    if contents.header().state() == RETAINED {
        // The table that retained it has ended. `dispose` was called before, and the node's end frees
        // it. SAFETY: nobody has a reference to the object.
        attached(|py| unsafe { make_dormant::<T>(py, object, contents, RETAINED) });
    } else {
        contents.dispose(py, &mut |rest| match rest {
            // SAFETY: `object` is one of `T` with these contents, and its last reference is gone. Nothing has emptied
            // its place, which still points to the memory, so the memory stays.
            Disposal::Free if contents.header().has_place() => unsafe {
                make_dormant::<T>(py, object, contents, ACTIVE);
            },
            // SAFETY: the object's last reference is gone, it was untracked above, `dispose` has taken its
            // references out, and with `Free` no table has it; it has no place, by the arm before.
            Disposal::Free => unsafe { T::layout().free::<T>(object) },
            // SAFETY: `object` is one of `T` with these contents, and its last reference is gone.
            Disposal::Dormant(table) => unsafe { retire::<T>(py, object, contents, table) },
        });
    }
    if observed::some_are_dead() {
        attached(reclaim);
    }
}

/// Makes an object dormant or, if it has Python attributes, moves it to the table of retained objects.
///
/// # Safety
///
/// `object` is an object of `T`, these are its contents, and its last reference went.
#[inline]
unsafe fn retire<T: Wrapper>(
    py: Python<'_>,
    object: *mut ffi::PyObject,
    contents: &T,
    table: &RetainedObjects,
) {
    // SAFETY: the object is whole, and nobody has a reference.
    if unsafe { !T::layout().has_attributes(object) } || !table.is_open() {
        // SAFETY: the object is one of `T` whose last reference went, by this function's contract.
        return unsafe { make_dormant::<T>(py, object, contents, ACTIVE) };
    }
    attached(|py| {
        // Weak references are cleared, because Python code must not reach a retained object through them: the
        // object does not keep its tree alive. Their callbacks run here, and may set attributes.
        // SAFETY: the object's last reference is gone, by this function's contract; it was untracked by
        // `dealloc` and owns its reference to its class.
        let again = unsafe {
            T::layout().clear_weak_references(object);
            revive(object);
            ffi::PyObject_GC_Track(object.cast());
            Bound::<PyAny>::from_owned_ptr(py, object)
        };
        let header = contents.header();
        if change(header, ACTIVE, RETAINED) {
            table.retain(again.unbind(), header);
        }
        // Otherwise another thread has just destroyed its node, and dropping `again` frees the object.
    });
}

/// Makes an object whose state is `from` dormant, and drops its Python attributes.
///
/// # Safety
///
/// `object` is an object of `T`, these are its contents, and its last reference went.
#[inline]
unsafe fn make_dormant<T: Wrapper>(
    py: Python<'_>,
    object: *mut ffi::PyObject,
    contents: &T,
    from: u8,
) {
    // The garbage collector does not visit dormant objects, so that they must not have attributes.
    // SAFETY: the object is whole, and nobody has a reference.
    let attributes = unsafe { T::layout().take_attributes(py, object) };
    if change(contents.header(), from, DORMANT) {
        // SAFETY: the object has this layout, and its reference count is 0. Callbacks of weak references run
        // here and may fetch the object again, so that nothing below uses it.
        unsafe { T::layout().clear_weak_references(object) };
    } else {
        // Another thread has just destroyed its node.
        // SAFETY: the object's last reference is gone, by this function's contract. `change` failed, so that
        // the state is `DEAD`, and `on_death` leaves an object that was not dormant to this function.
        unsafe { T::layout().free::<T>(object) };
    }
    drop(attributes);
}

/// Changes the state from `from` to `to`; fails if the object's node was destroyed.
#[inline]
fn change(header: &Header, from: u8, to: u8) -> bool {
    header
        .state
        .compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire)
        .is_ok()
}

/// Runs the slow path of one of [`Getters`](super::Getters): catches panics, and turns the result into a C
/// return value, as PyO3 does for its getters.
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

/// The contents of an object that CPython passes to one of [`Getters`](super::Getters).
///
/// # Safety
///
/// `object` is an object of `T`, to which there is a reference as long as the contents are used.
#[inline]
pub(crate) unsafe fn contents<'a, T: Wrapper>(object: *mut ffi::PyObject) -> &'a T {
    // SAFETY: the object is one of `T` with a reference, by this function's contract, so that its contents
    // are initialised and stay.
    unsafe { &*T::layout().contents::<T>(object) }
}

/// A new reference to `object`, if it is active; else null.
///
/// # Safety
///
/// As for [`fetch_active`].
#[inline]
pub(crate) unsafe fn share_active<T: Wrapper>(object: *mut ffi::PyObject) -> *mut ffi::PyObject {
    if object.is_null() {
        return object;
    }
    // SAFETY: the object is one of `T` that its table has, by this function's contract; with a reference to
    // it there can be another one.
    unsafe {
        let known = contents::<T>(object).header().is_active() && ffi::Py_REFCNT(object) > 0;
        if !known {
            return ptr::null_mut();
        }
        ffi::Py_INCREF(object);
        object
    }
}

/// Takes ownership of a reference.
///
/// # Safety
///
/// `object` is an object of `T`, and the caller has a reference to it that it gives up.
#[inline]
unsafe fn owned<T>(py: Python<'_>, object: *mut ffi::PyObject) -> Py<T> {
    // SAFETY: the object is one of `T`, and the caller gives up its reference, by this function's contract.
    unsafe {
        Bound::from_owned_ptr(py, object)
            .cast_into_unchecked()
            .unbind()
    }
}

/// Makes a new reference.
///
/// # Safety
///
/// `object` is an object of `T` to which there is a reference.
#[inline]
pub(crate) unsafe fn borrowed<T>(py: Python<'_>, object: *mut ffi::PyObject) -> Py<T> {
    // SAFETY: the object is one of `T` to which there is a reference, by this function's contract.
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
