//! The exceptions of diagnostic handlers that are to end whatever emitted the diagnostic.

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

/// The exceptions of diagnostic handlers that are no `Exception`, for whoever emitted the diagnostic.
#[derive(Default)]
pub(super) struct RaisedByHandlers {
    /// The number of calls of [`Context::hear`] that are under way.
    pub(super) listeners: AtomicU64,
    first: Mutex<Option<PyErr>>,
}

impl RaisedByHandlers {
    /// The first of them that nobody has raised yet.
    pub(super) fn first(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
