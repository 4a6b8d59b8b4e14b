//! Places of the identity map, where an object is found that nobody may refer to.

use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;

use super::class_trait::Wrapper;
use super::header::Header;
use super::lifecycle::{abandon, being_freed, fetch};

/// A place for an object of a class that its user knows; not a reference. The object's header says that it has a
/// place, so that it is not freed before it leaves that.
#[derive(Default)]
pub(crate) struct AnyPlace(AtomicPtr<ffi::PyObject>);

impl AnyPlace {
    pub(crate) const fn empty() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    /// The address of the object that is here, or null.
    #[inline]
    pub(crate) fn get(&self) -> *mut ffi::PyObject {
        self.0.load(Ordering::Relaxed)
    }

    /// Puts an object here that is in use, if the place is empty and the object has none yet.
    #[inline]
    pub(crate) fn put<T: Wrapper>(&self, object: &Py<T>) {
        let header = object.get().header();
        if self.get().is_null() && !header.has_place() && header.is_active() {
            header.enter_place();
            self.0.store(object.as_ptr(), Ordering::Relaxed);
        }
    }

    /// Has an object leave the place, if it is here: it is freed with its last reference.
    pub(crate) fn leave(&self, header: &Header) {
        if self.get() == header.object() {
            self.0.store(ptr::null_mut(), Ordering::Relaxed);
            header.leave_place();
        }
    }

    /// Empties the place. The object is freed if it is dormant, and else goes on by itself.
    ///
    /// # Safety
    ///
    /// The object in the place, if there is one, is of `T`.
    pub(crate) unsafe fn empty_out<T: Wrapper>(&self) {
        let object = self.0.swap(ptr::null_mut(), Ordering::Relaxed);
        // SAFETY: the object, if there is one, is of `T`, by this function's contract, was not freed while it was
        // here, and is in no place now.
        unsafe { abandon::<T>(object) };
    }
}

/// A place for an object of `T`, which leaves it with the end of the place at the latest.
pub(crate) struct Place<T: Wrapper> {
    object: AnyPlace,
    class: PhantomData<fn(&T)>,
}

impl<T: Wrapper> Place<T> {
    pub(crate) const fn empty() -> Self {
        Self {
            object: AnyPlace::empty(),
            class: PhantomData,
        }
    }

    /// Returns whether no object is here.
    pub(crate) fn is_empty(&self) -> bool {
        self.object.get().is_null()
    }

    /// Returns whether an object is here.
    pub(crate) fn has(&self, object: &T) -> bool {
        self.object.get() == object.header().object()
    }

    /// As that of `AnyPlace`.
    pub(crate) fn put(&self, object: &Py<T>) {
        self.object.put(object);
    }

    /// As that of `AnyPlace`.
    pub(crate) fn leave(&self, object: &T) {
        self.object.leave(object.header());
    }

    /// The object that is here, wherever its memory was left; `wake` gives a dormant one back what it keeps alive.
    pub(crate) fn fetch(&self, py: Python<'_>, wake: impl FnOnce(&T)) -> PyResult<Option<Py<T>>> {
        let known = self.object.get();
        if known.is_null() {
            return Ok(None);
        }
        // SAFETY: only `put` fills the place, with an object of `T`, which is not freed before it leaves.
        unsafe { fetch::<T>(py, known, wake) }
            .map(Some)
            .ok_or_else(being_freed)
    }

    /// As that of `AnyPlace`.
    pub(crate) fn empty_out(&self) {
        // SAFETY: only `put` fills the place, with an object of `T`.
        unsafe { self.object.empty_out::<T>() };
    }
}

impl<T: Wrapper> Drop for Place<T> {
    fn drop(&mut self) {
        self.empty_out();
    }
}
