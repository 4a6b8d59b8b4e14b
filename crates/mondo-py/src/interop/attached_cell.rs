//! Interior mutability for data that only threads attached to the interpreter access.
//!
//! With a GIL, an attached thread holds it, and no other lock is needed. On a free-threaded Python each cell
//! has a mutex of its own, which is held for exactly as long as the GIL build borrows the cell.
//!
//! No Python code may run while a cell is in use: it could reach the same cell again, which panics with a GIL
//! and deadlocks without one.

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

// SAFETY: shared references reach the contents through `with` and `look` alone, which only threads attached
// to the interpreter call, and with a GIL one thread is attached at a time. Every other access needs the cell
// by value or by `&mut`.
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

    /// Calls `work` with the contents, for the garbage collector: it passes no token, but an attached thread
    /// runs it. Returns None if the contents are in use; a reference that the collector does not see makes it
    /// free less, never too much.
    #[inline]
    pub(crate) fn look<R>(&self, work: impl FnOnce(&T) -> R) -> Option<R> {
        #[cfg(not(Py_GIL_DISABLED))]
        return self
            .contents
            .try_borrow()
            .ok()
            .map(|contents| work(&contents));
        #[cfg(Py_GIL_DISABLED)]
        return self
            .contents
            .try_lock()
            .ok()
            .map(|contents| work(&contents));
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

/// An optional value, for fields of objects of which there may be very many: with a GIL it takes no more
/// memory than the `Option`. As with [`AttachedCell`], no Python code may run within `with` and `look`; with
/// a GIL, code that reached the slot again within `with` would find it empty.
pub(crate) struct Slot<T> {
    #[cfg(not(Py_GIL_DISABLED))]
    contents: Cell<Option<T>>,
    #[cfg(Py_GIL_DISABLED)]
    contents: Mutex<Option<T>>,
}

// SAFETY: as for `AttachedCell`, only threads attached to the interpreter reach the contents through a shared
// reference, and with a GIL one thread is attached at a time.
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

    /// Calls `work` with a shared reference to the contents. It takes no token, but the caller's thread has
    /// to be attached. On a free-threaded Python, returns None if the mutex is locked.
    #[inline]
    pub(crate) fn look<R>(&self, work: impl FnOnce(&Option<T>) -> R) -> Option<R> {
        #[cfg(not(Py_GIL_DISABLED))]
        {
            // SAFETY: the caller's thread is attached, so it is the only one that uses the contents, and
            // `work` runs no Python code that could change them while the reference lives.
            Some(work(unsafe { &*self.contents.as_ptr() }))
        }
        #[cfg(Py_GIL_DISABLED)]
        self.contents
            .try_lock()
            .ok()
            .map(|contents| work(&contents))
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
            .look(|contents| contents.as_ref().map(|object| object.bind(py).clone()))
            .flatten();
        #[cfg(Py_GIL_DISABLED)]
        return self.with(py, |contents| {
            contents.as_ref().map(|object| object.bind(py).clone())
        });
    }

    /// Stores another object and returns the previous one, which the caller drops outside of the slot,
    /// because that may run Python code.
    #[must_use]
    #[inline]
    pub(crate) fn put<'py>(
        &self,
        py: Python<'py>,
        object: Option<&Bound<'py, T>>,
    ) -> Option<Bound<'py, T>> {
        let object = object.map(|object| object.clone().unbind());
        self.with(py, |contents| std::mem::replace(contents, object))
            .map(|before| before.into_bound(py))
    }
}
