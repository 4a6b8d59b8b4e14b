//! The functions of `mondo.h` whose answers depend on the contents of a bundle. They read the
//! bundle's registration table.

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};

use mondo_sys::{
    MlirContext, MlirDialectRegistry, MlirLogicalResult, MlirOperation, MlirStringCallback,
    MlirStringRef,
};

use crate::registration::table;

/// `mondoRegisterBundle` of `mondo.h`.
///
/// # Safety
///
/// `registry` is a live registry that no other thread uses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mondoRegisterBundle(registry: MlirDialectRegistry) {
    // SAFETY: `registry` is live and used by this thread alone, by this function's contract.
    unsafe { table().register_dialects(registry) }
}

/// `mondoRegisterBundlePasses` of `mondo.h`.
#[unsafe(no_mangle)]
pub extern "C" fn mondoRegisterBundlePasses() {
    extern "C" fn register() {
        REGISTERS_PASSES.store(true, Ordering::Relaxed);
        // SAFETY: `pthread_once` calls this function once in a process, by the word `ONCE`.
        unsafe { table().register_passes() }
        REGISTERS_PASSES.store(false, Ordering::Relaxed);
    }
    // Not `std::sync::Once`: nothing in a bundle without dialects in Rust can panic, so that all of
    // std that prints panics and backtraces, 0.2 MB, is left out of the library. A `Once` can.
    static ONCE: Control = Control(UnsafeCell::new(libc::PTHREAD_ONCE_INIT));
    // SAFETY: the cell is pthread_once's alone, which any thread may call.
    unsafe { libc::pthread_once(ONCE.0.get(), register) };
}

/// True while the bundle registers its own passes (`shim/pass_names.cpp`).
#[unsafe(export_name = "mondo_registers_passes")]
static REGISTERS_PASSES: AtomicBool = AtomicBool::new(false);

/// The word that `pthread_once` writes to.
struct Control(UnsafeCell<libc::pthread_once_t>);

// SAFETY: nothing but `pthread_once` touches the word, and any number of threads may call that at once.
unsafe impl Sync for Control {}

/// `mondoRegisterBundleTranslations` of `mondo.h`.
///
/// # Safety
///
/// `context` is a live context that no other thread changes meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mondoRegisterBundleTranslations(context: MlirContext) {
    // SAFETY: `context` is live and changed by this thread alone, by this function's contract.
    unsafe { table().prepare_context(context) }
}

/// `mondoTranslateModuleToLLVMIR` of `mondo.h`. It fails in a bundle without the translation.
///
/// # Safety
///
/// `module` is live, and no other thread changes it meanwhile; `callback` takes `user_data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mondoTranslateModuleToLLVMIR(
    module: MlirOperation,
    callback: MlirStringCallback,
    user_data: *mut c_void,
) -> MlirLogicalResult {
    let done = table().llvm_ir.is_some_and(|translation| {
        // SAFETY: the module is live, and the callback takes `user_data`, by this function's contract.
        unsafe { translation.run(module, callback, user_data) }
    });
    MlirLogicalResult {
        value: i8::from(done),
    }
}

/// `mondoRuntimeFunction` of `mondo.h`.
///
/// # Safety
///
/// `name` is a live string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mondoRuntimeFunction(name: MlirStringRef) -> *mut c_void {
    // SAFETY: `name` is a live string, by this function's contract.
    unsafe { table().runtime_function(name) }.cast_mut()
}

/// `mondoRuntimeFinish` of `mondo.h`.
#[unsafe(no_mangle)]
pub extern "C" fn mondoRuntimeFinish() {
    table().finish();
}

/// `mondoBundleDialectCount` of `mondo.h`.
#[unsafe(no_mangle)]
pub extern "C" fn mondoBundleDialectCount() -> isize {
    table().dialect_count()
}

/// `mondoBundleDialectName` of `mondo.h`.
#[unsafe(no_mangle)]
pub extern "C" fn mondoBundleDialectName(index: isize) -> MlirStringRef {
    table().dialect_name(index)
}
