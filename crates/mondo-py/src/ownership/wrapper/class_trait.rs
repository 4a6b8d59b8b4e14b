//! The trait of wrapper classes.

use std::ffi::CStr;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::{PyDict, PyTuple, PyType};
use pyo3::{PyClass, ffi};

use super::header::Header;
use super::layout::Layout;
use super::retained::RetainedObjects;

/// Getters that answer in the common case without PyO3's argument handling, in place of PyO3's own:
/// name, function, documentation.
pub(crate) type Getters = &'static [(&'static CStr, ffi::getter, &'static CStr)];

/// The state of an object after its last reference went.
pub(crate) enum Disposal<'a> {
    /// It is freed.
    Free,
    /// Its memory stays, because what it stands for lives and knows it; where it has attributes of
    /// its own, the table retains it.
    Dormant(&'a RetainedObjects),
}

/// A class whose objects are wrappers.
pub(crate) trait Wrapper: PyClass<Frozen = True> + Sync {
    /// The parameters of the constructor, as `inspect.signature` reads them.
    const SIGNATURE: &'static str = "()";

    /// The memory layout of the class's objects, and the class that Python sees.
    fn layout() -> &'static Layout;

    fn header(&self) -> &Header;

    /// An object that wraps nothing, made the way of PyO3's, with which the layout is measured.
    fn sample(py: Python<'_>) -> PyResult<Py<Self>>;

    /// Called when the last reference went: takes what the object keeps alive out of it, and hands
    /// it to `then` together with what is to become of the object. What is taken out lives until
    /// `then` has returned.
    /// PyO3 does not know here that the thread is attached: references are to be dropped as `Bound`,
    /// or the interpreter would hear of it later.
    fn dispose(&self, py: Python<'_>, then: &mut dyn FnMut(Disposal<'_>));

    /// The implementation of `cls.__new__(cls, *args, **kwargs)`, and so the first part of `cls(…)`.
    /// It may leave the object empty, for `initialise`.
    fn construct<'py>(
        cls: &Bound<'py, PyType>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = (args, kwargs);
        Err(PyTypeError::new_err(format!(
            "{}: no constructor defined",
            cls.name()?
        )))
    }

    /// The implementation of `object.__init__(*args, **kwargs)`. What `construct` made with the same
    /// arguments stays as it is.
    fn initialise(
        this: &Bound<'_, Self>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let _ = (this, args, kwargs);
        Ok(())
    }
}
