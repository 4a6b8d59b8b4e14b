//! The trait of wrapper classes.

use std::ffi::CStr;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::{PyDict, PyTuple, PyType};
use pyo3::{PyClass, ffi};

use super::layout::Layout;
use super::retained::Keep;
use super::tie::Tie;

/// Getters that answer in the common case without PyO3's argument handling, in place of PyO3's own:
/// name, function, documentation.
pub(crate) type Getters = &'static [(&'static CStr, ffi::getter, &'static CStr)];

/// What becomes of an object that nobody refers to any more.
pub(crate) enum Rest<'a> {
    /// It is freed.
    Free,
    /// Its memory stays, because what it stands for lives and knows it; where it has attributes of
    /// its own, the keep holds it.
    Park(&'a Keep),
}

/// A class whose objects are tied.
pub(crate) trait Tied: PyClass<Frozen = True> + Sync {
    /// The parameters of the constructor, as `inspect.signature` reads them.
    const SIGNATURE: &'static str = "()";

    /// Where the parts of the class's objects lie, and the class that Python sees.
    fn layout() -> &'static Layout;

    fn tie(&self) -> &Tie;

    /// An object that is tied to nothing, made the way of PyO3's, which measures the layout.
    fn sample(py: Python<'_>) -> PyResult<Py<Self>>;

    /// Called when the last reference went: takes what the object keeps alive out of it, and hands
    /// it to `then` together with what is to become of the object. What is taken out lives until
    /// `then` has returned.
    /// PyO3 does not know here that the thread is attached: references are to be dropped as `Bound`,
    /// or the interpreter would hear of it later.
    fn rest(&self, py: Python<'_>, then: &mut dyn FnMut(Rest<'_>));

    /// What `cls(*args, **kwargs)` and `cls.__new__` do.
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
}
