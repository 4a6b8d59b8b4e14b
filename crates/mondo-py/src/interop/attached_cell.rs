//! Data that only threads which are attached to the interpreter touch.
//!
//! If Python has a global lock, being attached is the lock, and an access costs next to nothing. On a
//! free-threaded Python each of these has a mutex of its own, for the very same sections.
//!
//! No Python code may run within one of them: it could come back for the same thing, which is a
//! panic.

#[cfg(not(Py_GIL_DISABLED))]
use std::cell::{Cell, RefCell};
#[cfg(Py_GIL_DISABLED)]
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

/// Contents that are reached with [`Self::with`].
#[derive(Default)]
pub(crate) struct AttachedCell<T> {
    #[cfg(not(Py_GIL_DISABLED))]
    contents: RefCell<T>,
    #[cfg(Py_GIL_DISABLED)]
    contents: Mutex<T>,
}

// SAFETY: `with` and `look` are called by threads that are attached to the interpreter, of which
// there is one at a time; everything else takes the whole by value or by a reference that nobody else
// has.
#[cfg(not(Py_GIL_DISABLED))]
unsafe impl<T: Send> Sync for AttachedCell<T> {}

impl<T> AttachedCell<T> {
    pub(crate) const fn new(contents: T) -> Self {
        Self {
            #[cfg(not(Py_GIL_DISABLED))]
            contents: RefCell::new(contents),
            #[cfg(Py_GIL_DISABLED)]
            contents: Mutex::new(contents),
        }
    }

    /// Calls `work` with the contents. `work` runs no Python code, nor gives up the interpreter.
    #[cfg(not(Py_GIL_DISABLED))]
    #[inline]
    pub(crate) fn with<R>(&self, _py: Python<'_>, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut self.contents.borrow_mut())
    }

    /// Calls `work` with the contents. `work` runs no Python code, nor gives up the interpreter.
    #[cfg(Py_GIL_DISABLED)]
    #[inline]
    pub(crate) fn with<R>(&self, _py: Python<'_>, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut self.contents.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Calls `work` with the contents on behalf of the garbage collector, which has no token but is
    /// called by an attached thread. None if that is in the middle of something: an edge that is not
    /// shown makes the collector keep more.
    #[inline]
    pub(crate) fn look<R>(&self, work: impl FnOnce(&T) -> R) -> Option<R> {
        #[cfg(not(Py_GIL_DISABLED))]
        return self.contents.try_borrow().ok().map(|it| work(&it));
        #[cfg(Py_GIL_DISABLED)]
        return self.contents.try_lock().ok().map(|it| work(&it));
    }

    /// The contents, of which nobody else knows.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut T {
        #[cfg(not(Py_GIL_DISABLED))]
        return self.contents.get_mut();
        #[cfg(Py_GIL_DISABLED)]
        return self
            .contents
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
    }
}

/// Something or nothing, in as little memory as that takes: what an object refers to, of which there
/// may be very many. As with [`AttachedCell`], no Python code may run within `with` and `look`; who came
/// back all the same would find nothing there.
pub(crate) struct Slot<T> {
    #[cfg(not(Py_GIL_DISABLED))]
    contents: Cell<Option<T>>,
    #[cfg(Py_GIL_DISABLED)]
    contents: Mutex<Option<T>>,
}

// SAFETY: only threads that are attached to the interpreter reach the contents, of which there is one at a
// time, as in `AttachedCell`.
#[cfg(not(Py_GIL_DISABLED))]
unsafe impl<T: Send> Sync for Slot<T> {}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self::new(None)
    }
}

impl<T> Slot<T> {
    pub(crate) const fn new(contents: Option<T>) -> Self {
        Self {
            #[cfg(not(Py_GIL_DISABLED))]
            contents: Cell::new(contents),
            #[cfg(Py_GIL_DISABLED)]
            contents: Mutex::new(contents),
        }
    }

    /// Calls `work` with the contents.
    #[inline]
    pub(crate) fn with<R>(&self, _py: Python<'_>, work: impl FnOnce(&mut Option<T>) -> R) -> R {
        #[cfg(not(Py_GIL_DISABLED))]
        {
            let mut contents = self.contents.take();
            let result = work(&mut contents);
            self.contents.set(contents);
            result
        }
        #[cfg(Py_GIL_DISABLED)]
        work(&mut self.contents.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Calls `work` with the contents, which it does not change. There need be no token, but the
    /// thread is an attached one. None where that cannot be had at once.
    #[inline]
    pub(crate) fn look<R>(&self, work: impl FnOnce(&Option<T>) -> R) -> Option<R> {
        #[cfg(not(Py_GIL_DISABLED))]
        {
            // SAFETY: only attached threads use the contents, of which there is one at a time, and
            // within `work`, which runs no Python code, that one uses nothing else.
            Some(work(unsafe { &*self.contents.as_ptr() }))
        }
        #[cfg(Py_GIL_DISABLED)]
        self.contents.try_lock().ok().map(|it| work(&it))
    }

    /// The contents, of which nobody else knows.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut Option<T> {
        #[cfg(not(Py_GIL_DISABLED))]
        return self.contents.get_mut();
        #[cfg(Py_GIL_DISABLED)]
        return self
            .contents
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
    }
}

impl<T> Slot<Py<T>> {
    /// A reference to the object, if there is one.
    #[inline]
    pub(crate) fn get<'py>(&self, py: Python<'py>) -> Option<Bound<'py, T>> {
        #[cfg(not(Py_GIL_DISABLED))]
        return self
            .look(|it| it.as_ref().map(|it| it.bind(py).clone()))
            .flatten();
        #[cfg(Py_GIL_DISABLED)]
        return self.with(py, |it| it.as_ref().map(|it| it.bind(py).clone()));
    }

    /// Puts another object there. What was there before is the caller's to drop: that may run Python
    /// code.
    #[must_use]
    #[inline]
    pub(crate) fn put<'py>(
        &self,
        py: Python<'py>,
        object: Option<&Bound<'py, T>>,
    ) -> Option<Bound<'py, T>> {
        let object = object.map(|it| it.clone().unbind());
        self.with(py, |it| std::mem::replace(it, object))
            .map(|it| it.into_bound(py))
    }
}
