//! The line that is added to upstream's text of an error about a builder's argument: the argument's name and
//! the object that was given. Upstream's text comes first and unchanged, because programs compare it.

use pyo3::prelude::*;

use crate::ir::arguments::shown;

/// The line about an argument of the builder that runs now.
pub(super) fn line_about(object: &Bound<'_, PyAny>) -> String {
    match parameter(object) {
        Some(name) => format!("\nthe argument '{name}' is {}", shown(object)),
        None => format!("\nit is {}", shown(object)),
    }
}

/// The name of the local variable that has the object, in the innermost Python function. Generated builders
/// pass their arguments on unchanged, and a function's arguments are the first of its local variables.
fn parameter(object: &Bound<'_, PyAny>) -> Option<String> {
    let frame = object.py().import("sys").ok()?.call_method0("_getframe");
    let locals = frame.and_then(|frame| frame.getattr("f_locals")?.call_method0("items"));
    for local in locals.ok()?.try_iter().ok()? {
        let (name, value): (String, Bound<'_, PyAny>) = local.ok()?.extract().ok()?;
        if value.is(object) {
            return Some(name);
        }
    }
    None
}
