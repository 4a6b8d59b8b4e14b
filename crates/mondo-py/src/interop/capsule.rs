//! Capsules: the exchange of MLIR's pointers with other extensions that use the C API.
//!
//! A capsule's name begins with the import root (`mlir.ir.Type._CAPIPtr`, `acme.mlir.ir.…`), so that an
//! extension made for one root does not accept objects of another root, which belong to another copy of MLIR.

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_void};
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

static ROOT: PyOnceLock<String> = PyOnceLock::new();

/// Learns the import root from the name that the extension was imported under.
pub(crate) fn set_root(py: Python<'_>, module: &str) {
    let root = module.strip_suffix("._mlir_libs._mlir").unwrap_or("mlir");
    // The extension is initialised once; should that ever change, the first name stays.
    let _ = ROOT.set(py, root.to_owned());
}

/// The import root: `mlir`, `acme.mlir`.
pub(crate) fn root(py: Python<'_>) -> &str {
    ROOT.get(py).map_or("mlir", String::as_str)
}

/// The name of the capsules of `class`, for instance `ir.Type`. A capsule stores only the pointer to its
/// name, so that the names are never freed.
fn name(py: Python<'_>, class: &'static str) -> PyResult<&'static CStr> {
    static NAMES: Mutex<Option<HashMap<&'static str, &'static CStr>>> = Mutex::new(None);
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.get_or_insert_default();
    if let Some(name) = names.get(class) {
        return Ok(name);
    }
    let name = CString::new(format!("{}.{class}._CAPIPtr", root(py)))?;
    let name: &'static CStr = Box::leak(name.into_boxed_c_str());
    names.insert(class, name);
    Ok(name)
}

/// A capsule with a pointer to something of `class`.
pub(crate) fn wrap<'py>(
    py: Python<'py>,
    class: &'static str,
    ptr: *const c_void,
) -> PyResult<Bound<'py, PyAny>> {
    let name = name(py, class)?;
    // SAFETY: `name` returned a `'static` C string, which the capsule may store. For a null `ptr`,
    // `PyCapsule_New` raises.
    unsafe {
        Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(ptr.cast_mut(), name.as_ptr(), None))
    }
}

/// The pointer in a capsule of `class`, or in the `_CAPIPtr` of an object.
pub(crate) fn unwrap(capsule: &Bound<'_, PyAny>, class: &'static str) -> PyResult<*mut c_void> {
    let py = capsule.py();
    let name = name(py, class)?;
    // SAFETY: both pointers come from live references. `PyCapsule_GetPointer` accepts any object, and checks
    // that it is a capsule of this name.
    let ptr = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), name.as_ptr()) };
    if !ptr.is_null() {
        return Ok(ptr);
    }
    let cause = PyErr::take(py);
    let error = PyTypeError::new_err(format!(
        "expected a capsule {}, not {}",
        name.to_string_lossy(),
        capsule.repr()?
    ));
    error.set_cause(py, cause);
    Err(error)
}

/// The exception for a capsule whose pointer belongs to a context that has no wrapper in this process.
pub(crate) fn unknown_context() -> PyErr {
    PyRuntimeError::new_err(
        "the object in the capsule belongs to a context that this package does not know; pass the \
         capsule of that context to Context._CAPICreate first",
    )
}
