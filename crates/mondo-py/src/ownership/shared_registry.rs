//! Dialect registries with several owners; the last owner destroys the registry.

use std::collections::HashMap;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use mondo_ir::Registry;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::interop::capsule;

/// A dialect registry that several Python objects may own.
pub(crate) struct SharedRegistry(Arc<Owned>);

struct Owned(Registry);

// SAFETY: a registry is used only with the interpreter attached.
unsafe impl Send for Owned {}
// SAFETY: a registry is used only with the interpreter attached.
unsafe impl Sync for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        if let Some(known) = known().as_mut() {
            known.remove(&(self.0.address() as usize));
        }
    }
}

/// The registries that wrappers own, by address. A capsule that a wrapper made may come back to
/// `from_capsule`, which must not take ownership a second time.
static KNOWN: Mutex<Option<HashMap<usize, Weak<Owned>>>> = Mutex::new(None);

fn known() -> MutexGuard<'static, Option<HashMap<usize, Weak<Owned>>>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SharedRegistry {
    /// The first owner of a registry.
    pub(crate) fn own(registry: Registry) -> Self {
        let address = registry.address() as usize;
        let owned = Arc::new(Owned(registry));
        known()
            .get_or_insert_default()
            .insert(address, Arc::downgrade(&owned));
        Self(owned)
    }

    /// The registry in a capsule. It takes ownership, unless a wrapper has it already.
    pub(crate) fn from_capsule(capsule: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        let address = NonNull::new(capsule::unwrap(capsule, name)?)
            .ok_or_else(|| PyValueError::new_err(format!("the capsule `{name}` is empty")))?;
        let ours = known()
            .get_or_insert_default()
            .get(&(address.as_ptr() as usize))
            .and_then(Weak::upgrade);
        Ok(match ours {
            Some(owned) => Self(owned),
            // SAFETY: by the protocol of capsules, the code that made this one put a live registry into it
            // and gives up its ownership.
            None => Self::own(unsafe { Registry::adopt(address) }),
        })
    }

    pub(crate) fn get(&self) -> &Registry {
        &self.0.0
    }
}
