//! The state that each wrapper carries.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

use pyo3::ffi;

/// Somebody has a reference to the object.
pub(super) const ACTIVE: u8 = 0;
/// Nobody has; the memory stays. Its reference count is 0, and the collector does not know it.
pub(super) const PARKED: u8 = 1;
/// Nobody has but a [`Keep`]. Like a parked one it keeps nothing alive, and whoever knows it may find
/// it again.
pub(super) const HELD: u8 = 2;
/// What it stood for has died.
pub(super) const DEAD: u8 = 3;

/// What every tied object has.
pub(crate) struct Tie {
    /// The Python object that this is a part of; null until it is made.
    pub(super) object: AtomicPtr<ffi::PyObject>,
    pub(super) state: AtomicU8,
    /// Of a [`Mortal`]: by what it died. Here, as it would take eight bytes there.
    pub(super) cause: AtomicU8,
}

impl Tie {
    pub(crate) const fn new() -> Self {
        Self {
            object: AtomicPtr::new(ptr::null_mut()),
            state: AtomicU8::new(ACTIVE),
            cause: AtomicU8::new(0),
        }
    }

    /// The object that this is a part of, for a table that brings it back with [`fetch`].
    #[inline]
    pub(crate) fn object(&self) -> *mut ffi::PyObject {
        self.object.load(Ordering::Relaxed)
    }

    /// Whether the object keeps alive what it needs: somebody refers to it who did not get it from the
    /// garbage collector.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.state() == ACTIVE
    }

    #[inline]
    pub(super) fn state(&self) -> u8 {
        self.state.load(Ordering::Acquire)
    }
}
