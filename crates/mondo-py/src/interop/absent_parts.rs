//! Error messages about parts of MLIR that the bundle was built without: they end with a hint of how to add
//! the part.
//!
//! The package's module `_mlir_libs/_absent.py` has the list of absent parts and words the hint. It is
//! imported only when such a message is made.

use pyo3::prelude::*;

use crate::interop::capsule;

/// The message for a dialect that the context does not have.
pub(crate) fn not_found(py: Python<'_>, dialect: &str) -> String {
    format!(
        "Dialect '{dialect}' not found{}",
        advice(py, "dialect", dialect)
    )
}

/// A parser's message about a pipeline, with a hint if the pipeline names a pass that the bundle does not
/// have.
pub(crate) fn pipeline(py: Python<'_>, message: &str) -> String {
    format!("{message}{}", advice(py, "pipeline", message))
}

/// The hint of `_absent`, or an empty string if `_absent` fails: its exception would hide the one that the
/// message is about.
fn advice(py: Python<'_>, function: &str, of: &str) -> String {
    let module = format!("{}._mlir_libs._absent", capsule::root(py));
    py.import(module)
        .and_then(|module| module.call_method1(function, (of,))?.extract())
        .unwrap_or_default()
}
