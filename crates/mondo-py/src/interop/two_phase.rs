//! Two-phase construction of native classes: `__new__` makes an empty object, and `__init__` sets its
//! contents, so that a class derived in Python can define an `__init__` with other arguments.

use std::sync::OnceLock;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The contents of an object, which `__init__` sets. `get` fails for an object whose `__init__` was not
/// called.
pub(crate) struct Late<T>(OnceLock<T>);

impl<T> Late<T> {
    pub(crate) const fn empty() -> Self {
        Self(OnceLock::new())
    }

    pub(crate) fn of(contents: T) -> Self {
        Self(OnceLock::from(contents))
    }

    /// The contents.
    #[inline]
    pub(crate) fn get(&self) -> PyResult<&T> {
        self.0.get().ok_or_else(uninitialised)
    }

    /// The contents, if they are there.
    #[inline]
    pub(crate) fn known(&self) -> Option<&T> {
        self.0.get()
    }

    /// Sets the contents of an empty object; fails if there are some.
    pub(crate) fn set(&self, contents: T) -> PyResult<()> {
        self.0.set(contents).map_err(|_| initialised())
    }
}

/// The exception for the use of an object whose `__init__` was not called.
#[cold]
#[inline(never)]
pub(crate) fn uninitialised() -> PyErr {
    PyTypeError::new_err(
        "the object was not initialised: `__init__` of its class has to call `super().__init__`",
    )
}

/// The exception for a second `__init__` that would give an object other contents.
#[cold]
#[inline(never)]
pub(crate) fn initialised() -> PyErr {
    PyTypeError::new_err(
        "`__init__` was called for an object that has other contents already; make a new object",
    )
}
