//! The check that the extension found the functions which the rest of this crate declares.
//!
//! `mondo bundle` links an extension with jumps for them, which are filled in as soon as the
//! extension is loaded (`mondo-link/src/link/direct.cpp`). In an extension that is linked in
//! any other way, the loader has resolved them.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::optional;

// Stable Rust cannot declare a weak symbol, so assembly does. The linker resolves an undefined weak symbol to null: then the
// pointer to the message is null.
std::arch::global_asm!(
    ".weak mondo_link_error",
    ".hidden mondo_link_error",
    ".section .data.rel.ro.mondo_link_error_at,\"aw\",@progbits",
    ".globl mondo_link_error_at",
    ".hidden mondo_link_error_at",
    ".balign 8",
    "mondo_link_error_at:",
    ".quad mondo_link_error",
    ".text",
);

unsafe extern "C" {
    static mondo_link_error_at: AtomicPtr<c_char>;
}

/// The path of the library.
pub fn library() -> Option<String> {
    let function = optional::function(c"mondoRuntimeVersion")?;
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: `info` is written if the address is one of a loaded file, and read only then; the name
    // stays as long as the file is loaded, and the library is never unloaded.
    let path = unsafe {
        if libc::dladdr(function, info.as_mut_ptr()) == 0 {
            return None;
        }
        CStr::from_ptr(info.assume_init().dli_fname)
    };
    Some(path.to_string_lossy().into_owned())
}

/// The reason for which no function of the library may be called, if there is one.
pub fn error() -> Option<String> {
    // SAFETY: the word is defined above, and written by the loader alone, before this code runs.
    let message = unsafe { mondo_link_error_at.load(Ordering::Relaxed) };
    if message.is_null() {
        return None;
    }
    // SAFETY: the text ends with a NUL, and is written before this code runs and never after.
    let message = unsafe { CStr::from_ptr(message) };
    let message = message.to_string_lossy();
    (!message.is_empty()).then(|| message.into_owned())
}
