//! Exceptions of diagnostic handlers, such as `KeyboardInterrupt`, that the call which emitted the diagnostic
//! is to raise.

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

/// The first exception of a diagnostic handler that is no `Exception`, until the call that emitted the
/// diagnostic raises it.
#[derive(Default)]
pub(super) struct RaisedByHandlers {
    /// The number of calls of [`Context::hear`] that are under way.
    pub(super) listeners: AtomicU64,
    first: Mutex<Option<PyErr>>,
}

impl RaisedByHandlers {
    /// The first exception that was not raised yet.
    pub(super) fn first(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
