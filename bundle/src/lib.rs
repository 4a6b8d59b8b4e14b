//! The one Rust staticlib of the mondo library: the core runtime, and the functions of `mondo.h`
//! that depend on which dialects a manifest picks.
//!
//! Which functions of MLIR's C API register those is decided by the plan; the build script turns it
//! into `registration.rs`. Nothing here knows the label, so one staticlib serves every label.

use std::cell::UnsafeCell;

use mondo_sys::{MlirContext, MlirDialectRegistry, MlirStringRef};

#[cfg(translation = "llvm-ir")]
mod llvm_ir;

mod registration {
    include!(concat!(env!("OUT_DIR"), "/registration.rs"));
}

use registration::REGISTRATION;

/// `mondoRegisterBundle` of `mondo.h`.
///
/// # Safety
///
/// `registry` is a live registry that no other thread uses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mondoRegisterBundle(registry: MlirDialectRegistry) {
    // SAFETY: the caller vouches for `registry`; the tables name functions of the C API.
    unsafe { REGISTRATION.register_dialects(registry) }
}

/// `mondoRegisterBundlePasses` of `mondo.h`.
#[unsafe(no_mangle)]
pub extern "C" fn mondoRegisterBundlePasses() {
    extern "C" fn register() {
        // SAFETY: the tables name functions of the C API, and `ONCE` calls this once.
        unsafe { REGISTRATION.register_passes() }
    }
    // Not `std::sync::Once`: nothing in a bundle without dialects in Rust can panic, so that all of
    // std that prints panics and backtraces, 0.2 MB, is left out of the library. A `Once` can.
    static ONCE: Control = Control(UnsafeCell::new(libc::PTHREAD_ONCE_INIT));
    // SAFETY: the cell is pthread_once's alone, which any thread may call.
    unsafe { libc::pthread_once(ONCE.0.get(), register) };
}

/// What `pthread_once` writes to.
struct Control(UnsafeCell<libc::pthread_once_t>);

// SAFETY: only `pthread_once` touches it, which is made for threads.
unsafe impl Sync for Control {}

/// `mondoRegisterBundleTranslations` of `mondo.h`.
///
/// # Safety
///
/// `context` is a live context that no other thread changes meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mondoRegisterBundleTranslations(context: MlirContext) {
    // SAFETY: the caller vouches for `context`; the tables name functions of the C API.
    unsafe { REGISTRATION.prepare_context(context) }
}

/// `mondoTranslateModuleToLLVMIR` of `mondo.h`, in a bundle without the translation.
#[cfg(not(translation = "llvm-ir"))]
#[unsafe(no_mangle)]
pub extern "C" fn mondoTranslateModuleToLLVMIR(
    _module: mondo_sys::MlirOperation,
    _callback: mondo_sys::MlirStringCallback,
    _user_data: *mut std::ffi::c_void,
) -> mondo_sys::MlirLogicalResult {
    mondo_sys::MlirLogicalResult { value: 0 }
}

/// `mondoBundleDialectCount` of `mondo.h`.
#[unsafe(no_mangle)]
pub extern "C" fn mondoBundleDialectCount() -> isize {
    isize::try_from(REGISTRATION.dialects.len()).unwrap_or(isize::MAX)
}

/// `mondoBundleDialectName` of `mondo.h`.
#[unsafe(no_mangle)]
pub extern "C" fn mondoBundleDialectName(index: isize) -> MlirStringRef {
    REGISTRATION.dialect_name(index)
}
