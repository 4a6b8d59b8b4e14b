//! The choice of the functions that the bundle's runtime libraries provide to a module (for instance
//! `printNewline`), and the end of their threads.

use mondo_ir::objects::Engine;
use pyo3::prelude::*;

use crate::interop::attachment::is_finalizing;

/// Functions that LLVM's code generators call without a declaration in the module.
const UNDECLARED: [&str; 2] = ["__truncsfbf2", "__truncdfbf2"];

/// The names of the functions that a module with these declarations may need.
pub(super) fn wanted(declared: &[String]) -> impl Iterator<Item = &str> {
    declared.iter().map(String::as_str).chain(UNDECLARED)
}

/// Waits for the threads that run code of engines. The thread detaches meanwhile, because that code may wait
/// for the interpreter. Returns false, without waiting, once the interpreter is being finalized: that code gets
/// the interpreter no more, and may wait for it forever.
pub(super) fn finish(py: Python<'_>) -> bool {
    let can_end = !is_finalizing(py);
    if can_end {
        py.detach(Engine::finish_threads);
    }
    can_end
}
