//! Retained objects: wrappers without references from Python whose Python attributes must not be lost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use super::header::{DEAD, Header};

/// The table that has each retained object, by the object's address.
static TABLES: Mutex<Option<HashMap<usize, RetainedObjects>>> = Mutex::new(None);

/// A table of retained objects, which belongs to a tree or a context; its `__traverse__` shows them to the
/// garbage collector. A `clone` is the same table.
#[derive(Clone, Default)]
pub(crate) struct RetainedObjects(Arc<Mutex<Objects>>);

#[derive(Default)]
struct Objects {
    closed: bool,
    /// The retained objects, by address.
    retained: HashMap<usize, RetainedObject>,
}

/// A retained object, and a pointer to the header in its contents.
struct RetainedObject {
    object: Py<PyAny>,
    header: *const Header,
}

// SAFETY: the header is part of the contents of `object`, to which this has a reference, and its fields are
// atomic.
unsafe impl Send for RetainedObject {}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RetainedObjects {
    pub(super) fn is_open(&self) -> bool {
        !locked(&self.0).closed
    }

    /// Stores `object`, whose state is `RETAINED` already. Drops it at once if the table is closed.
    pub(super) fn retain(&self, object: Py<PyAny>, header: &Header) {
        if self.is_open() {
            self.put(RetainedObject { object, header });
        }
    }

    fn put(&self, retained: RetainedObject) {
        let address = retained.object.as_ptr() as usize;
        locked(&TABLES)
            .get_or_insert_default()
            .insert(address, self.clone());
        locked(&self.0).retained.insert(address, retained);
    }

    /// Drops all objects, and from now on each one that is added, because the tree or context that has the
    /// table ends.
    pub(crate) fn close(&self) {
        let mut objects = locked(&self.0);
        objects.closed = true;
        let retained = std::mem::take(&mut objects.retained);
        drop(objects);
        for (address, retained) in retained {
            forget(address);
            // The state stays `RETAINED`, so that `dealloc` does not call `dispose` a second time.
            drop(retained);
        }
    }

    /// Visits the objects, for `__traverse__` of the tree or context.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        // If the mutex is locked, the references are not visited; the collector then frees less, never too
        // much.
        let Ok(objects) = self.0.try_lock() else {
            return Ok(());
        };
        objects
            .retained
            .values()
            .try_for_each(|retained| visit.call(&retained.object))
    }

    /// Moves `object` to this table, if another table retains it.
    pub(crate) fn take_over(&self, object: *mut ffi::PyObject) {
        if let Some(retained) = remove(object) {
            self.put(retained);
        }
    }
}

fn forget(address: usize) -> Option<RetainedObjects> {
    locked(&TABLES).as_mut()?.remove(&address)
}

fn remove(object: *mut ffi::PyObject) -> Option<RetainedObject> {
    let address = object as usize;
    let table = forget(address)?;
    locked(&table.0).retained.remove(&address)
}

/// Takes an object out of the table that retains it.
pub(super) fn take(object: *mut ffi::PyObject) -> Option<Py<PyAny>> {
    remove(object).map(|retained| retained.object)
}

/// Takes an object out of the table that retains it, if its node was destroyed.
pub(super) fn take_dead(address: usize) -> Option<Py<PyAny>> {
    let table = locked(&TABLES).as_ref()?.get(&address)?.clone();
    let mut objects = locked(&table.0);
    let header = objects.retained.get(&address)?.header;
    // SAFETY: the table, which is locked, has a reference to the object of which the header is a part.
    if unsafe { &*header }.state() != DEAD {
        return None;
    }
    forget(address);
    objects
        .retained
        .remove(&address)
        .map(|retained| retained.object)
}

/// Returns whether any table retains an object.
pub(crate) fn some_are_retained() -> bool {
    locked(&TABLES).as_ref().is_some_and(|map| !map.is_empty())
}
