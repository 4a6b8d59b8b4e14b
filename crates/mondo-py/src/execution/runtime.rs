//! The functions that a module declares and the bundle's runtime libraries have (`printNewline`).

use mondo_sys::optional::ExecutionEngineApi;
use mondo_sys::*;
use pyo3::prelude::*;

use crate::interop::string::string_ref;

/// Functions that LLVM's code generators call without a declaration in the module.
const UNDECLARED: [&str; 2] = ["__truncsfbf2", "__truncdfbf2"];

/// The functions that may be missing in a module with these declarations.
pub(super) fn wanted(declared: &[String]) -> impl Iterator<Item = &str> {
    declared.iter().map(String::as_str).chain(UNDECLARED)
}

/// Registers the function `name` with the engine. Symbols of shared libraries and of the process come
/// first. Returns whether it did.
///
/// # Safety
///
/// The engine is live, and neither its module nor anybody else has defined `name` in it.
pub(super) unsafe fn provide(
    api: &ExecutionEngineApi,
    engine: MlirExecutionEngine,
    name: &str,
) -> bool {
    // SAFETY: the name is only read.
    let address = unsafe { mondoRuntimeFunction(string_ref(name)) };
    if address.is_null() || is_found(api, engine, name) {
        return false;
    }
    // SAFETY: the caller vouches for the engine and for the name, which MLIR copies. The function is of
    // a library that is never unloaded.
    unsafe { (api.register_symbol)(engine, string_ref(name), address) };
    true
}

/// Returns whether the engine finds `name`. What the process has under that name it takes for good.
pub(super) fn is_found(api: &ExecutionEngineApi, engine: MlirExecutionEngine, name: &str) -> bool {
    // SAFETY: the callers have a live engine, and the name is only read.
    unsafe { !(api.lookup)(engine, string_ref(name)).is_null() }
}

/// Waits for the threads that run code of engines. That code may want the interpreter.
pub(super) fn finish() {
    // SAFETY: the function has no precondition.
    Python::attach(|py| py.detach(|| unsafe { mondoRuntimeFinish() }));
}
