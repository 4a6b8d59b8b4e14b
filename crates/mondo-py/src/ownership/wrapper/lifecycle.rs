//! The functions that make wrappers, find them again, and free them or make them dormant.

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

/// Does `work` without the garbage collector, which could run code that destroys what the caller has
/// a pointer to. (Since Python 3.12 it never runs where an object is made.)
pub(crate) fn uncollected<T>(_py: Python<'_>, work: impl FnOnce() -> T) -> T {
    // SAFETY: the interpreter is attached, and the collector is switched on again if it was on.
    let collects = unsafe { ffi::PyGC_Disable() } != 0;
    let result = work();
    if collects {
        // SAFETY: the interpreter is attached, and the collector was on before.
        unsafe { ffi::PyGC_Enable() };
    }
    result
}

/// Makes an object of `class`, which is the class that Python sees or one derived from it.
#[inline]
pub(crate) fn create<T: Wrapper>(class: &Bound<'_, PyType>, contents: T) -> PyResult<Py<T>> {
    let py = class.py();
    free_dead(py);
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
        contents.header().object.store(object, Ordering::Relaxed);
        layout.contents::<T>(object).write(contents);
        Ok(owned(py, object))
    }
}

/// Makes an object of the class that Python sees for `T`.
pub(crate) fn create_plain<T: Wrapper>(py: Python<'_>, contents: T) -> PyResult<Py<T>> {
    create(T::layout().class(py)?, contents)
}

/// The object at `object`, wherever its memory was left; `wake` gives a dormant one back what it
/// keeps alive. None if it is just being freed.
///
/// # Safety
///
/// `object` is an object of `T` that its table still has, and what it stands for lives.
#[inline]
pub(crate) unsafe fn fetch<T: Wrapper>(
    py: Python<'_>,
    object: *mut ffi::PyObject,
    wake: impl FnOnce(&T),
) -> Option<Py<T>> {
    // SAFETY: the object is one of `T`, by this function's contract, and its contents are whole in every
    // state.
    let contents = unsafe { &*T::layout().contents::<T>(object) };
    match contents.header().state() {
        ACTIVE => {
            // SAFETY: the object is one of `T`; where its count is above 0, somebody has a reference, and
            // there can be another one.
            unsafe { (ffi::Py_REFCNT(object) > 0).then(|| borrowed(py, object)) }
        }
        DORMANT => {
            // SAFETY: nobody has a reference, and the collector does not know the object, which kept the one to
            // its class.
            unsafe {
                revive(object);
                ffi::PyObject_GC_Track(object.cast());
            }
            contents.header().state.store(ACTIVE, Ordering::Release);
            wake(contents);
            // SAFETY: `revive` made the one reference that there is.
            Some(unsafe { owned(py, object) })
        }
        RETAINED => {
            let held = match retained::take(object) {
                // SAFETY: the table's reference was to this object of `T`, and `take` gave it up.
                Some(held) => unsafe { owned(py, held.into_ptr()) },
                // The table dropped it while somebody had it from the garbage collector.
                // SAFETY: then there is a reference, or the object is just being freed.
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

/// The same for an object that somebody has; none for the others, and for null.
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

/// Marks an object as one whose node was destroyed. Frees the object if it is dormant; a table that
/// retains it drops it soon, and the last other reference frees it.
///
/// # Safety
///
/// `object` is null or an object of `T` that no table has any more.
#[inline]
pub(crate) unsafe fn abandon<T: Wrapper>(object: *mut ffi::PyObject) {
    if object.is_null() {
        return;
    }
    // SAFETY: the object is one of `T` that is not freed yet, by this function's contract.
    let contents = unsafe { &*T::layout().contents::<T>(object) };
    contents.header().leave_place();
    match contents.header().state.swap(DEAD, Ordering::AcqRel) {
        // SAFETY: nobody has a reference, and what is dormant keeps nothing alive.
        DORMANT => unsafe { T::layout().free::<T>(object) },
        RETAINED => observed::note_retained_dead(object),
        _ => {}
    }
}

/// `tp_dealloc` of a wrapper class.
pub(super) unsafe extern "C" fn dealloc<T: Wrapper>(object: *mut ffi::PyObject) {
    // Telling PyO3 that the thread is attached would take longer than all the rest, so that references are
    // dropped as `Bound` here, which need not ask.
    // SAFETY: the interpreter calls this with an object of `T` whose last reference went, in a thread that is
    // attached to it; untracking an untracked object does nothing.
    let py = unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        Python::assume_attached()
    };
    // SAFETY: `object` is an object of `T`, whose contents are whole in every state.
    let contents = unsafe { &*T::layout().contents::<T>(object) };
    if contents.header().state() == RETAINED {
        // The table that retained it has ended. `dispose` was called before, and the node's end frees
        // it. SAFETY: nobody has a reference to the object.
        attached(|py| unsafe { make_dormant::<T>(py, object, contents, RETAINED) });
    } else {
        contents.dispose(py, &mut |rest| match rest {
            // SAFETY: the last reference to the object, whose contents these are, has gone. A place that was left
            // by nobody keeps the memory.
            Disposal::Free if contents.header().has_place() => unsafe {
                make_dormant::<T>(py, object, contents, ACTIVE);
            },
            // SAFETY: nobody has a reference to the object, and no table has it.
            Disposal::Free => unsafe { T::layout().free::<T>(object) },
            // SAFETY: the last reference to the object, whose contents these are, has gone.
            Disposal::Dormant(table) => unsafe { retire::<T>(py, object, contents, table) },
        });
    }
    if observed::some_are_dead() {
        attached(reclaim);
    }
}

/// Makes an object dormant, or gives it to the table of retained objects.
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
        // Python code must not get at a retained object: it would not keep its tree alive. The
        // callbacks run here, and may add to the attributes.
        // SAFETY: the object's last reference went, by this function's contract, and it kept its reference
        // to its class.
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
        // Else its node was destroyed in this moment, and the object is freed when `again` goes.
    });
}

/// Makes an object whose state is `from` dormant, without its attributes.
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
    // The collector does not see into dormant objects.
    // SAFETY: the object is whole, and nobody has a reference.
    let attributes = unsafe { T::layout().take_attributes(py, object) };
    if change(contents.header(), from, DORMANT) {
        // SAFETY: the count is 0. Callbacks of weak references run here and may even bring the object
        // back, so that nothing below touches it.
        unsafe { T::layout().clear_weak_references(object) };
    } else {
        // Its node was destroyed in this moment, in another thread.
        // SAFETY: the last reference to the object went, by this function's contract, and `change` has
        // found its state to be dead, so that nobody else frees it.
        unsafe { T::layout().free::<T>(object) };
    }
    drop(attributes);
}

/// Changes one state to another, unless the object's node was destroyed.
#[inline]
fn change(header: &Header, from: u8, to: u8) -> bool {
    header
        .state
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

/// Does what PyO3 would do for a getter that the interpreter calls: for those of
/// [`Getters`](super::Getters) that have no quick answer.
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
pub(crate) unsafe fn contents<'a, T: Wrapper>(object: *mut ffi::PyObject) -> &'a T {
    // SAFETY: the object is one of `T` that somebody refers to, by this function's contract, and its
    // contents are whole.
    unsafe { &*T::layout().contents::<T>(object) }
}

/// A reference to `object`, if somebody else has one and it is in use; else null.
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

/// Takes over a reference.
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

/// Makes a reference.
///
/// # Safety
///
/// `object` is an object of `T` that somebody refers to.
#[inline]
pub(crate) unsafe fn borrowed<T>(py: Python<'_>, object: *mut ffi::PyObject) -> Py<T> {
    // SAFETY: the object is one of `T` that somebody refers to, by this function's contract.
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
