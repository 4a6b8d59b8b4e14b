//! Compiles the code that gives upstream's wording to the extension's errors about wrong arguments (see
//! `argument_errors.cpp`).

use mondo_core::error::Result;

use super::direct;
use super::inputs::Inputs;

/// The wrappers of CPython's functions that change the text.
const SOURCE: &str = include_str!("argument_errors.cpp");

/// Compiles the wrappers, and returns the linker's arguments by which the extension calls them.
pub(super) fn arguments(inputs: Inputs<'_>) -> Result<[String; 5]> {
    let source = inputs.out.join("argument_errors.cpp");
    let object = inputs.out.join("argument_errors.o");
    fs_err::write(&source, SOURCE)?;
    direct::compile(inputs, &source, &object)?;
    Ok([
        "-Wl,--wrap=PyErr_SetObject".into(),
        "-Wl,--wrap=PyCMethod_New".into(),
        "-Wl,--wrap=PyType_FromSpec".into(),
        "-Wl,--wrap=PyType_FromSpecWithBases".into(),
        object.into_string(),
    ])
}
