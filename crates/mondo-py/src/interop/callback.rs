//! Python callables that MLIR owns (of passes, patterns, diagnostic handlers). The garbage collector visits
//! them through the Python object that represents their owner, so that it finds cycles through MLIR.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

/// A callable; empty once the garbage collector has broken a cycle through it.
pub(crate) struct Callback(Mutex<Option<Py<PyAny>>>);

impl Callback {
    pub(crate) fn new(callable: Py<PyAny>) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Some(callable))))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Py<PyAny>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The callable.
    pub(crate) fn get(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.lock().as_ref().map(|callable| callable.clone_ref(py))
    }

    /// Returns true if it is this object.
    pub(crate) fn is_of(&self, object: &Bound<'_, PyAny>) -> bool {
        self.lock().as_ref().is_some_and(|one| one.is(object))
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0
            .try_lock()
            .map_or(Ok(()), |callable| visit.call(&*callable))
    }

    pub(crate) fn clear(&self) {
        // Dropped after the lock: that may run Python code.
        let callable = self.lock().take();
        drop(callable);
    }
}

/// Weak references to the callables of one owner. MLIR keeps the callables alive; this only shows them to the
/// garbage collector.
#[derive(Default)]
pub(crate) struct Callbacks(Mutex<Vec<Weak<Callback>>>);

impl Callbacks {
    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Callback>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows a callable to the garbage collector.
    pub(crate) fn show(&self, callback: &Arc<Callback>) {
        let mut callbacks = self.lock();
        callbacks.retain(|callback| callback.strong_count() > 0);
        callbacks.push(Arc::downgrade(callback));
    }

    /// Moves all callables to a new value, for another owner.
    pub(crate) fn hand_over(&self) -> Self {
        Self(Mutex::new(std::mem::take(&mut *self.lock())))
    }

    /// For `__traverse__` of the owner.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        // If the lock is taken, the edge is not shown, and the collector frees less.
        let Ok(callbacks) = self.0.try_lock() else {
            return Ok(());
        };
        callbacks
            .iter()
            .filter_map(Weak::upgrade)
            .try_for_each(|callback| callback.traverse(visit))
    }

    /// For `__clear__` of the owner.
    pub(crate) fn clear(&self) {
        let callbacks = std::mem::take(&mut *self.lock());
        for callback in callbacks.iter().filter_map(Weak::upgrade) {
            callback.clear();
        }
    }
}

/// The exception for a caller of a walk whose callback raised `cause`: a `RuntimeError`, as upstream's. An
/// exception that is no `Exception` (`KeyboardInterrupt`, `SystemExit`, `GeneratorExit`) is passed on
/// unchanged.
pub(crate) fn raised_in(py: Python<'_>, cause: PyErr) -> PyErr {
    if !is_exception(py, &cause) {
        return cause;
    }
    let error = PyRuntimeError::new_err(format!("Exception raised in callback: {cause}"));
    error.set_cause(py, Some(cause));
    error
}

/// Returns whether `error` is an `Exception`. Only those are wrapped; the others are meant to end the program
/// or the thread.
pub(crate) fn is_exception(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyException>(py)
}

/// The exception for a caller whose argument could not be converted: the result of `other`. An `error` that
/// is no `Exception` is passed on unchanged, because converting may run Python code, which Ctrl-C may end.
#[cold]
pub(crate) fn unless_interrupted(
    py: Python<'_>,
    error: PyErr,
    other: impl FnOnce(&PyErr) -> PyErr,
) -> PyErr {
    if is_exception(py, &error) {
        other(&error)
    } else {
        error
    }
}
