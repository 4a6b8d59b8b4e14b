//! The line that an error about an argument of a builder has behind upstream's text, which programs
//! compare: the argument's name and the object that was given.

use pyo3::prelude::*;

use crate::ir::arguments::shown;

/// The line about an object that the running builder was given.
pub(super) fn line_about(object: &Bound<'_, PyAny>) -> String {
    match parameter(object) {
        Some(name) => format!("\nthe argument '{name}' is {}", shown(object)),
        None => format!("\nit is {}", shown(object)),
    }
}

/// The name by which the innermost Python function has the object. Builders are generated, and pass their
/// arguments on as they are; a function's arguments are the first of its variables.
fn parameter(object: &Bound<'_, PyAny>) -> Option<String> {
    let frame = object.py().import("sys").ok()?.call_method0("_getframe");
    let locals = frame.and_then(|it| it.getattr("f_locals")?.call_method0("items"));
    for local in locals.ok()?.try_iter().ok()? {
        let (name, value): (String, Bound<'_, PyAny>) = local.ok()?.extract().ok()?;
        if value.is(object) {
            return Some(name);
        }
    }
    None
}
