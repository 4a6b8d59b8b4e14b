//! The contents of the bundle: versions, dialects, and their registration.

use std::ffi::c_void;
use std::io::Write;

use mondo_sys::*;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::interop::string::{bytes, to_string};
use crate::ir::dialect_registry::DialectRegistry;
use crate::ownership::context::Context;

/// Fails if the library is not the one that the extension was made with. Nothing of it may be called
/// then, not even to ask for its version.
pub(crate) fn check_links() -> PyResult<()> {
    links::error().map_or(Ok(()), |why| Err(PyImportError::new_err(why)))
}

/// Puts the functions and constants into the extension's top module.
pub(crate) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // SAFETY: the handler needs no data; a handler that somebody else installed stays.
    unsafe { mondoInstallFatalErrorHandler(Some(on_fatal_error), std::ptr::null_mut()) };
    // SAFETY: the strings are static, and the index is below the count.
    unsafe {
        module.add("_runtime_version", to_string(mondoRuntimeVersion()))?;
        module.add("_llvm_version", to_string(mondoLlvmVersion()))?;
        let dialects: Vec<String> = (0..mondoBundleDialectCount())
            .map(|index| to_string(mondoBundleDialectName(index)))
            .collect();
        module.add(
            "_bundle_dialects",
            pyo3::types::PyTuple::new(module.py(), dialects)?,
        )?;
    }
    module.setattr(
        "_register_bundle_dialects",
        wrap_pyfunction!(_register_bundle_dialects, module)?,
    )?;
    module.add_function(wrap_pyfunction!(_register_bundle_passes, module)?)?;
    module.setattr(
        "_register_bundle_translations",
        wrap_pyfunction!(_register_bundle_translations, module)?,
    )
}

/// Adds every dialect of the bundle to a registry.
#[pyfunction]
#[pyo3(name = "register_dialects")]
fn _register_bundle_dialects(registry: &Bound<'_, DialectRegistry>) {
    // SAFETY: the registry is live, and the interpreter lets one thread at a time come here.
    unsafe { mondoRegisterBundle(registry.get().get()) };
}

/// Registers the passes of the bundle; only the first call does anything.
#[pyfunction]
fn _register_bundle_passes() {
    // SAFETY: there is no precondition.
    unsafe { mondoRegisterBundlePasses() };
}

/// Registers the translations of the bundle with a context.
#[pyfunction]
#[pyo3(name = "register_llvm_translations")]
fn _register_bundle_translations(context: &Bound<'_, Context>) -> PyResult<()> {
    let raw = context.get().get(context.py())?;
    // SAFETY: the context is live, and the interpreter lets one thread at a time come here.
    unsafe { mondoRegisterBundleTranslations(raw) };
    Ok(())
}

/// Says what went wrong before LLVM aborts the process. It may run in any thread, with or without
/// the interpreter, so it calls nothing of Python's: `python -X faulthandler` adds the traceback.
unsafe extern "C" fn on_fatal_error(reason: MlirStringRef, _data: *mut c_void) {
    // SAFETY: LLVM keeps the text for the time of the call.
    let reason = String::from_utf8_lossy(unsafe { bytes(reason) });
    // There is nowhere to report a failure to write.
    let _ = writeln!(
        std::io::stderr(),
        "LLVM ERROR: {reason}\nmondo: LLVM cannot go on from here and ends the process; \
         `python -X faulthandler` shows the Python code that led to it"
    );
}
