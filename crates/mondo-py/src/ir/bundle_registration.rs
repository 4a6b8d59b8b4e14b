//! The contents of the bundle: versions, dialects, and their registration.

use std::io::Write;

use mondo_ir::{Registry, bundle};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::ir::dialect_registry::DialectRegistry;
use crate::ownership::context::Context;

/// Fails if the library is not the one that the extension was made with. Nothing of it may be called
/// then, not even to ask for its version.
pub(crate) fn check_links() -> PyResult<()> {
    bundle::link_error().map_or(Ok(()), |why| Err(PyImportError::new_err(why)))
}

/// Puts the functions and constants into the extension's top module.
pub(crate) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    bundle::on_fatal_error(report_fatal_error);
    module.add("_runtime_version", bundle::runtime_version().to_text())?;
    module.add("_llvm_version", bundle::llvm_version().to_text())?;
    let dialects = pyo3::types::PyTuple::new(module.py(), Registry::names().collect::<Vec<_>>())?;
    module.add("_bundle_dialects", dialects)?;
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
    registry.get().registry().insert_bundle();
}

/// Registers the passes of the bundle; only the first call does anything.
#[pyfunction]
fn _register_bundle_passes() {
    bundle::register_passes();
}

/// Registers the translations of the bundle with a context.
#[pyfunction]
#[pyo3(name = "register_llvm_translations")]
fn _register_bundle_translations(context: &Bound<'_, Context>) -> PyResult<()> {
    Context::enter(context.py(), context.as_unbound(), |ctx| {
        ctx.register_translations();
        Ok(())
    })
}

/// Says what went wrong before LLVM aborts the process. It may run in any thread, with or without
/// the interpreter, so it calls nothing of Python's: `python -X faulthandler` adds the traceback.
fn report_fatal_error(reason: &[u8]) {
    let reason = String::from_utf8_lossy(reason);
    // There is nowhere to report a failure to write.
    let _ = writeln!(
        std::io::stderr(),
        "LLVM ERROR: {reason}\nmondo: LLVM cannot go on from here and ends the process; \
         `python -X faulthandler` shows the Python code that led to it"
    );
}
