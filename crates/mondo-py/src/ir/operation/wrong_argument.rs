//! What an error about an argument of a builder says beyond upstream's text: the argument's name and what
//! was given. It is a line of its own behind that text, which programs compare.

use pyo3::prelude::*;

use crate::ir::arguments::shown;

/// The line about an object that the running builder was given.
pub(super) fn line_about(object: &Bound<'_, PyAny>) -> String {
    match parameter(object) {
        Some(name) => format!("\nthe argument '{name}' is {}", shown(object)),
        None => format!("\nit is {}", shown(object)),
    }
}

/// The parameter of the innermost Python function whose argument is the object itself. Builders are
/// generated, and pass their arguments on as they are.
fn parameter(object: &Bound<'_, PyAny>) -> Option<String> {
    let frame = object
        .py()
        .import("sys")
        .ok()?
        .call_method0("_getframe")
        .ok()?;
    let code = frame.getattr("f_code").ok()?;
    let count = |name: &str| code.getattr(name).ok()?.extract::<usize>().ok();
    let parameters = count("co_argcount")? + count("co_kwonlyargcount")?;
    let names: Vec<String> = code.getattr("co_varnames").ok()?.extract().ok()?;
    // A dictionary, or since Python 3.13 a mapping of another kind.
    let locals = frame.getattr("f_locals").ok()?;
    names.into_iter().take(parameters).find(|name| {
        let local = locals.get_item(name);
        local.is_ok_and(|local| local.is(object))
    })
}
