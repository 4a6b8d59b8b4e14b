//! Messages about parts that the bundle was made without: they end with a hint.
//!
//! The package knows it, and how to say it (`_mlir_libs/_absent.py`), which is imported for a message
//! alone.

use pyo3::prelude::*;

use crate::interop::capsule;

/// The message for a dialect that the context does not have.
pub(crate) fn not_found(py: Python<'_>, dialect: &str) -> String {
    format!(
        "Dialect '{dialect}' not found{}",
        advice(py, "dialect", dialect)
    )
}

/// A parser's message about a pipeline, and what to do if that names a pass that is not there.
pub(crate) fn pipeline(py: Python<'_>, message: &str) -> String {
    format!("{message}{}", advice(py, "pipeline", message))
}

/// The hint of `_absent`, or nothing: an error here would hide the one that the message is about.
fn advice(py: Python<'_>, function: &str, of: &str) -> String {
    let module = format!("{}._mlir_libs._absent", capsule::root(py));
    py.import(module)
        .and_then(|module| module.call_method1(function, (of,))?.extract())
        .unwrap_or_default()
}
