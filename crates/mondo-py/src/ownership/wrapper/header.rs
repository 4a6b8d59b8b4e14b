//! The header of a wrapper: its state, and the address of its object.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, Ordering};

use pyo3::ffi;

/// The wrapper has references from Python.
pub(super) const ACTIVE: u8 = 0;
/// The wrapper has no reference, its memory is kept, and the garbage collector does not track it.
pub(super) const DORMANT: u8 = 1;
/// Only a [`RetainedObjects`] has a reference to the wrapper. Like a dormant one it keeps nothing alive, and
/// the next access returns it.
pub(super) const RETAINED: u8 = 2;
/// The node that it represented was destroyed.
pub(super) const DEAD: u8 = 3;

/// The part of a wrapper's contents that all wrapper classes have: its state, and its object's address.
pub(crate) struct Header {
    /// The Python object whose contents this is a part of; null until the object is made.
    pub(super) object: AtomicPtr<ffi::PyObject>,
    pub(super) state: AtomicU8,
    /// The [`Cause`](super::observed::Cause) of an observed node's destruction. It is in this struct, where
    /// it fits beside `state`; in `ObservedNode` its alignment would take eight bytes.
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

    /// The Python object whose contents this is a part of, for `fetch`.
    #[inline]
    pub(crate) fn object(&self) -> *mut ffi::PyObject {
        self.object.load(Ordering::Relaxed)
    }

    /// Returns whether the wrapper is active, and so has its references to the tree or context. A retained
    /// one is not, even while code that got it from `gc.get_objects` refers to it.
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
