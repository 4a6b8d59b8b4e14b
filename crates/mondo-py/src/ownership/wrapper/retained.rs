//! Objects that nobody refers to, but whose attributes must not be lost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use super::tie::{DEAD, Tie};

/// Which keep holds which object.
static WHERE: Mutex<Option<HashMap<usize, Keep>>> = Mutex::new(None);

/// Holds objects on behalf of a tree or a context, whose `__traverse__` shows them to the garbage
/// collector. Another `Keep` made with `clone` is the same one.
#[derive(Clone, Default)]
pub(crate) struct Keep(Arc<Mutex<Objects>>);

#[derive(Default)]
struct Objects {
    closed: bool,
    /// By address.
    held: HashMap<usize, Held>,
}

/// An object and the tie in it.
struct Held {
    object: Py<PyAny>,
    tie: *const Tie,
}

// SAFETY: the tie is a part of the object, and its state is atomic.
unsafe impl Send for Held {}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Keep {
    pub(super) fn is_open(&self) -> bool {
        !locked(&self.0).closed
    }

    /// Holds `object`, whose tie says already that it is held. Lets it go at once if it has ended.
    pub(super) fn hold(&self, object: Py<PyAny>, tie: &Tie) {
        if self.is_open() {
            self.put(Held { object, tie });
        }
    }

    fn put(&self, held: Held) {
        let address = held.object.as_ptr() as usize;
        locked(&WHERE)
            .get_or_insert_default()
            .insert(address, self.clone());
        locked(&self.0).held.insert(address, held);
    }

    /// Lets go of everything, now and from now on: what the keep belongs to ends.
    pub(crate) fn close(&self) {
        let mut objects = locked(&self.0);
        objects.closed = true;
        let held = std::mem::take(&mut objects.held);
        drop(objects);
        for (address, held) in held {
            forget(address);
            // It is still said to be held, by which `dealloc` knows that it had its rest.
            drop(held);
        }
    }

    /// Shows the objects to the garbage collector.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        // Where the lock is taken, edges that are not shown make the collector keep more.
        let Ok(objects) = self.0.try_lock() else {
            return Ok(());
        };
        objects
            .held
            .values()
            .try_for_each(|held| visit.call(&held.object))
    }

    /// Takes over `object` if another keep holds it.
    pub(crate) fn take_over(&self, object: *mut ffi::PyObject) {
        if let Some(held) = remove(object) {
            self.put(held);
        }
    }
}

fn forget(address: usize) -> Option<Keep> {
    locked(&WHERE).as_mut()?.remove(&address)
}

fn remove(object: *mut ffi::PyObject) -> Option<Held> {
    let address = object as usize;
    let keep = forget(address)?;
    locked(&keep.0).held.remove(&address)
}

/// Takes an object out of the keep that holds it.
pub(super) fn take(object: *mut ffi::PyObject) -> Option<Py<PyAny>> {
    remove(object).map(|held| held.object)
}

/// The same, if what is at the address is an object that a keep holds, and what it stood for has died.
pub(super) fn take_dead(address: usize) -> Option<Py<PyAny>> {
    let keep = locked(&WHERE).as_ref()?.get(&address)?.clone();
    let mut objects = locked(&keep.0);
    let tie = objects.held.get(&address)?.tie;
    // SAFETY: the keep refers to the object that the tie is a part of.
    if unsafe { &*tie }.state() != DEAD {
        return None;
    }
    forget(address);
    objects.held.remove(&address).map(|held| held.object)
}

/// Whether any keep holds anything.
pub(crate) fn some_are_held() -> bool {
    locked(&WHERE).as_ref().is_some_and(|map| !map.is_empty())
}
