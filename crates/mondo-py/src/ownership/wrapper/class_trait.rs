//! The trait of wrapper classes: the layout of their objects, and their construction and disposal.

use std::ffi::CStr;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::{PyDict, PyTuple, PyType};
use pyo3::{PyClass, ffi};

use super::header::Header;
use super::layout::Layout;
use super::retained::RetainedObjects;

/// Getters that replace PyO3's and in the common case avoid its argument handling: name, function, docstring.
pub(crate) type Getters = &'static [(&'static CStr, ffi::getter, &'static CStr)];

/// The state of a wrapper after its last reference is dropped.
pub(crate) enum Disposal<'a> {
    /// The wrapper is freed.
    Free,
    /// The wrapper becomes dormant, because the MLIR object that it represents lives and can be accessed
    /// again. If it has Python attributes of its own, the table retains it.
    Dormant(&'a RetainedObjects),
}

/// A class whose objects are wrappers.
pub(crate) trait Wrapper: PyClass<Frozen = True> + Sync {
    /// The parameters of the constructor, as `inspect.signature` reads them.
    const SIGNATURE: &'static str = "()";

    /// The memory layout of the class's objects, and the published class.
    fn layout() -> &'static Layout;

    fn header(&self) -> &Header;

    /// An object that represents nothing, allocated by PyO3, from which the layout is measured.
    fn sample(py: Python<'_>) -> PyResult<Py<Self>>;

    /// Called when the last reference is dropped. It takes the references out of the object and calls `then`
    /// with the object's next state; the references live until `then` has returned.
    ///
    /// PyO3 does not know here that the thread is attached. An implementation drops references as `Bound`,
    /// because PyO3 would defer the drop of a `Py`.
    fn dispose(&self, py: Python<'_>, then: &mut dyn FnMut(Disposal<'_>));

    /// The implementation of `cls.__new__(cls, *args, **kwargs)`, which `cls(…)` calls first. It may leave
    /// the object empty, for `initialise`.
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

    /// The implementation of `object.__init__(*args, **kwargs)`. An object that `construct` made complete
    /// from the same arguments is not changed.
    fn initialise(
        this: &Bound<'_, Self>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let _ = (this, args, kwargs);
        Ok(())
    }
}
