//! Dialect registries with several owners; the last owner destroys the registry.

use std::ptr::NonNull;
use std::sync::{Arc, Weak};

use mondo_ir::Registry;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::interop::capsule;
use crate::interop::exchanged::Exchanged;

/// A dialect registry that several Python objects may own.
pub(crate) struct SharedRegistry(Arc<Owned>);

struct Owned(Registry);

// SAFETY: a registry is used only with the interpreter attached.
unsafe impl Send for Owned {}
// SAFETY: a registry is used only with the interpreter attached.
unsafe impl Sync for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        REGISTRIES.remove(self.0.address());
    }
}

/// The owners of the registries that wrappers have.
static REGISTRIES: Exchanged<Weak<Owned>> = Exchanged::new();

impl SharedRegistry {
    /// The first owner of a registry.
    pub(crate) fn own(registry: Registry) -> Self {
        let address = registry.address();
        let owned = Arc::new(Owned(registry));
        REGISTRIES.enter(address, Arc::downgrade(&owned));
        Self(owned)
    }

    /// The registry in a capsule. It takes ownership, unless a wrapper has it already.
    pub(crate) fn from_capsule(capsule: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        let address = NonNull::new(capsule::unwrap(capsule, name)?)
            .ok_or_else(|| PyValueError::new_err(format!("the capsule `{name}` is empty")))?;
        Ok(match REGISTRIES.owner(address.as_ptr()) {
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
