//! Getters that in the common case return without PyO3's argument handling, which would take longer than the
//! getter itself.

use std::ffi::c_void;

use pyo3::ffi;
use pyo3::prelude::*;

use super::class_trait::Wrapper;
use super::lifecycle::{answer, contents};

/// A getter of the class `Of`.
pub(crate) trait Getter {
    type Of: Wrapper;

    /// The result, if it can be read from wrappers that are active already. No Python code runs.
    fn quick(contents: &Self::Of) -> Option<Py<PyAny>>;

    /// The result in all other cases, for which wrappers may be made.
    fn slow(contents: &Self::Of, py: Python<'_>) -> PyResult<Option<Py<PyAny>>>;
}

/// The C function of a getter.
pub(crate) unsafe extern "C" fn getter<G: Getter>(
    this: *mut ffi::PyObject,
    _closure: *mut c_void,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls a class's getter with an instance of the class, to which the caller has a
    // reference.
    let contents = unsafe { contents::<G::Of>(this) };
    match G::quick(contents) {
        Some(known) => known.into_ptr(),
        None => answer(|py| G::slow(contents, py)),
    }
}
