//! Who owns the objects of MLIR that capsules exchange: a capsule that this package made may come back to
//! `_CAPICreate`, which must not take ownership a second time.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// An entry for each object of one class, by the object's address. Its lock is never held while Python code
/// may run.
pub(crate) struct Exchanged<E>(Mutex<Option<HashMap<usize, E>>>);

impl<E> Exchanged<E> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    fn lock(&self) -> MutexGuard<'_, Option<HashMap<usize, E>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters the object at `address`, or replaces its entry.
    pub(crate) fn enter(&self, address: *const c_void, entry: E) {
        let before = self
            .lock()
            .get_or_insert_default()
            .insert(address as usize, entry);
        drop(before);
    }

    /// Removes the entry of the object at `address`, which ends.
    pub(crate) fn remove(&self, address: *const c_void) {
        let before = self
            .lock()
            .as_mut()
            .and_then(|entries| entries.remove(&(address as usize)));
        drop(before);
    }

    /// Calls `work` with the entry of the object at `address`, if there is one.
    pub(crate) fn with<R>(
        &self,
        address: *const c_void,
        work: impl FnOnce(&mut E) -> R,
    ) -> Option<R> {
        self.lock().as_mut()?.get_mut(&(address as usize)).map(work)
    }

    /// The results of `work` for all entries.
    pub(crate) fn all<R>(&self, work: impl FnMut(&E) -> R) -> Vec<R> {
        self.lock()
            .iter()
            .flat_map(HashMap::values)
            .map(work)
            .collect()
    }
}

impl<T> Exchanged<Weak<T>> {
    /// The owner of the object at `address`, which several Python objects may share.
    pub(crate) fn owner(&self, address: *const c_void) -> Option<Arc<T>> {
        self.with(address, |owner| owner.upgrade()).flatten()
    }
}

impl<P> Exchanged<Option<P>> {
    /// Enters an object that one Python object owns.
    pub(crate) fn own(&self, address: *const c_void) {
        self.enter(address, None);
    }

    /// Enters an object that its owner gave up, with the parts that the next owner needs.
    pub(crate) fn release(&self, address: *const c_void, parts: P) {
        self.enter(address, Some(parts));
    }

    /// What is known of the object in a capsule.
    pub(crate) fn claim(&self, address: *const c_void) -> Claim<P> {
        match self.with(address, Option::take) {
            None => Claim::Foreign,
            Some(Some(parts)) => Claim::Released(parts),
            Some(None) => Claim::Owned,
        }
    }
}

/// The state of an object that a Python object is to take ownership of.
pub(crate) enum Claim<P> {
    /// Another extension made the object.
    Foreign,
    /// The owner gave the object up, and left these parts.
    Released(P),
    /// Another Python object owns the object, and would destroy it a second time.
    Owned,
}
