//! The header of a wrapper: its state, and the address of its object.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, Ordering};

use pyo3::ffi;

/// The object has a reference.
pub(super) const ACTIVE: u8 = 0;
/// The object has no reference, and its memory stays. The collector does not know it.
pub(super) const DORMANT: u8 = 1;
/// Only a [`RetainedObjects`] refers to the object. Like a dormant one it keeps nothing alive, and
/// can be found again.
pub(super) const RETAINED: u8 = 2;
/// The node that it represented was destroyed.
pub(super) const DEAD: u8 = 3;

/// The state that every wrapper has.
pub(crate) struct Header {
    /// The Python object that this is a part of; null until it is made.
    pub(super) object: AtomicPtr<ffi::PyObject>,
    pub(super) state: AtomicU8,
    /// The cause by which an observed node was destroyed. It is here, as it would take eight bytes
    /// there.
    pub(super) cause: AtomicU8,
    /// True while a place of the identity map has the object's address: the object is not freed before it leaves
    /// that.
    placed: AtomicBool,
}

impl Header {
    pub(crate) const fn new() -> Self {
        Self {
            object: AtomicPtr::new(ptr::null_mut()),
            state: AtomicU8::new(ACTIVE),
            cause: AtomicU8::new(0),
            placed: AtomicBool::new(false),
        }
    }

    /// The object that this is a part of, for a table that brings it back with `fetch`.
    #[inline]
    pub(crate) fn object(&self) -> *mut ffi::PyObject {
        self.object.load(Ordering::Relaxed)
    }

    /// Returns whether the object keeps alive what it needs: somebody refers to it who did not get it
    /// from the garbage collector.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.state() == ACTIVE
    }

    /// Takes note that a place gets the object's address.
    #[inline]
    pub(super) fn enter_place(&self) {
        self.placed.store(true, Ordering::Relaxed);
    }

    /// Takes note that the place has the address no more.
    #[inline]
    pub(super) fn leave_place(&self) {
        self.placed.store(false, Ordering::Release);
    }

    #[inline]
    pub(super) fn has_place(&self) -> bool {
        self.placed.load(Ordering::Acquire)
    }

    #[inline]
    pub(super) fn state(&self) -> u8 {
        self.state.load(Ordering::Acquire)
    }
}
