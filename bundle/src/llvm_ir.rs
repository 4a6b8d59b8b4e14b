//! `mondoTranslateModuleToLLVMIR` of `mondo.h`. MLIR's own function for it takes a failed translation
//! for a module and crashes.

use std::ffi::{CStr, c_char, c_void};

use mondo_sys::{
    LLVMContextRef, LLVMModuleRef, MlirLogicalResult, MlirOperation, MlirStringCallback,
    MlirStringRef, mlirTranslateModuleToLLVMIR,
};

// LLVM's C API, which the translation brings along.
unsafe extern "C" {
    fn LLVMContextCreate() -> LLVMContextRef;
    fn LLVMContextDispose(context: LLVMContextRef);
    fn LLVMPrintModuleToString(module: LLVMModuleRef) -> *mut c_char;
    fn LLVMDisposeMessage(message: *mut c_char);
    fn LLVMDisposeModule(module: LLVMModuleRef);
}

/// `mondoTranslateModuleToLLVMIR` of `mondo.h`.
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
    // SAFETY: the caller vouches for the module. What LLVM makes is destroyed once: the text, the
    // module, then their context.
    unsafe {
        let context = LLVMContextCreate();
        let translated = mlirTranslateModuleToLLVMIR(module, context);
        if !translated.is_null() {
            let text = LLVMPrintModuleToString(translated);
            if let Some(callback) = callback {
                let length = CStr::from_ptr(text).count_bytes();
                callback(MlirStringRef { data: text, length }, user_data);
            }
            LLVMDisposeMessage(text);
            LLVMDisposeModule(translated);
        }
        LLVMContextDispose(context);
        MlirLogicalResult {
            value: i8::from(!translated.is_null()),
        }
    }
}
