//! The functions that a module declares and the bundle's runtime libraries have (`printNewline`).

use mondo_ir::objects::Engine;
use pyo3::prelude::*;

/// Functions that LLVM's code generators call without a declaration in the module.
const UNDECLARED: [&str; 2] = ["__truncsfbf2", "__truncdfbf2"];

/// The functions that may be missing in a module with these declarations.
pub(super) fn wanted(declared: &[String]) -> impl Iterator<Item = &str> {
    declared.iter().map(String::as_str).chain(UNDECLARED)
}

/// Waits for the threads that run code of engines. That code may want the interpreter.
pub(super) fn finish() {
    Python::attach(|py| py.detach(Engine::finish_threads));
}
