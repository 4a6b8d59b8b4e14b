//! LLVM's debug output, for the whole process.

use std::ffi::CString;

use mondo_sys::{mlirEnableGlobalDebug, mlirIsGlobalDebugEnabled, mlirSetGlobalDebugTypes};

/// Returns true if LLVM prints what it does.
pub fn is_enabled() -> bool {
    // SAFETY: the function has no precondition: it reads or writes LLVM's global debug flag.
    unsafe { mlirIsGlobalDebugEnabled() }
}

/// Switches the output on or off.
pub fn enable(enable: bool) {
    // SAFETY: the function has no precondition: it reads or writes LLVM's global debug flag.
    unsafe { mlirEnableGlobalDebug(enable) };
}

/// Sets the kinds of debug output that are printed.
pub fn set_types(names: &[CString]) {
    let mut pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
    // SAFETY: as many texts as it says, each with a NUL; LLVM copies them.
    unsafe { mlirSetGlobalDebugTypes(pointers.as_mut_ptr(), pointers.len() as isize) };
}
