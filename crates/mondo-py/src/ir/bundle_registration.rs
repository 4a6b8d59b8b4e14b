//! The functions and constants of `_mlir` about the bundle: its versions, its dialects, and the registration
//! of dialects, passes and translations.

use std::io::Write;

use mondo_ir::{Registry, bundle};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::ir::dialect_registry::DialectRegistry;
use crate::ownership::context::Context;

/// Fails if the mondo library is not the one that the extension was built with. Then no function of the
/// library may be called, not even the one that returns its version.
pub(crate) fn check_links() -> PyResult<()> {
    bundle::link_error().map_or(Ok(()), |why| Err(PyImportError::new_err(why)))
}

/// Adds the functions and constants to `_mlir`.
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

/// Writes the reason to standard error before LLVM aborts the process. It may run in any thread, attached to
/// the interpreter or not, so that it calls no function of Python; `python -X faulthandler` adds the
/// traceback.
fn report_fatal_error(reason: &[u8]) {
    let reason = String::from_utf8_lossy(reason);
    // A failure to write to standard error cannot be reported anywhere.
    let _ = writeln!(
        std::io::stderr(),
        "LLVM ERROR: {reason}\nmondo: LLVM cannot go on from here and ends the process; \
         `python -X faulthandler` shows the Python code that led to it"
    );
}
