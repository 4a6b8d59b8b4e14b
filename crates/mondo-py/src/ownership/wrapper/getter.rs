//! Getters that answer in the common case without PyO3's argument handling.

use std::ffi::c_void;

use pyo3::ffi;
use pyo3::prelude::*;

use super::class_trait::Wrapper;
use super::lifecycle::{answer, contents};

/// A getter of the class `Of`.
pub(crate) trait Getter {
    type Of: Wrapper;

    /// The answer, if it takes no more than a look at what is there already. No Python code runs.
    fn quick(it: &Self::Of) -> Option<Py<PyAny>>;

    /// The answer, whatever there may be to do.
    fn slow(it: &Self::Of, py: Python<'_>) -> PyResult<Option<Py<PyAny>>>;
}

/// The function of a getter, as the interpreter calls it.
pub(crate) unsafe extern "C" fn getter<G: Getter>(
    this: *mut ffi::PyObject,
    _closure: *mut c_void,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter passes an object of the class.
    let it = unsafe { contents::<G::Of>(this) };
    match G::quick(it) {
        Some(known) => known.into_ptr(),
        None => answer(|py| G::slow(it, py)),
    }
}
