//! Translation of a module to the text of LLVM IR. MLIR's own function for it takes a failed
//! translation for a module and crashes.

use std::ffi::{CStr, c_char, c_void};

use mondo_sys::{LLVMContextRef, LLVMModuleRef, MlirOperation, MlirStringCallback, MlirStringRef};

/// The functions of LLVM's and MLIR's C API that translate and print a module, in the order in which
/// the registration table has them. They are reached through the table alone: a bundle without the
/// translation links none of them.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Translation {
    create_context: unsafe extern "C" fn() -> LLVMContextRef,
    translate: unsafe extern "C" fn(MlirOperation, LLVMContextRef) -> LLVMModuleRef,
    print: unsafe extern "C" fn(LLVMModuleRef) -> *mut c_char,
    dispose_message: unsafe extern "C" fn(*mut c_char),
    dispose_module: unsafe extern "C" fn(LLVMModuleRef),
    dispose_context: unsafe extern "C" fn(LLVMContextRef),
}

impl Translation {
    /// Translates `module` and passes its text to `callback`; false if it cannot be translated.
    ///
    /// # Safety
    ///
    /// `module` is live, and no other thread changes it meanwhile; `callback` takes `user_data`.
    pub(crate) unsafe fn run(
        &self,
        module: MlirOperation,
        callback: MlirStringCallback,
        user_data: *mut c_void,
    ) -> bool {
        // SAFETY: the module is live, by this function's contract. What LLVM makes is destroyed once: the
        // text, the module, then their context.
        unsafe {
            let context = (self.create_context)();
            let translated = (self.translate)(module, context);
            let done = !translated.is_null();
            if done {
                let text = (self.print)(translated);
                if let Some(callback) = callback {
                    let length = CStr::from_ptr(text).count_bytes();
                    callback(MlirStringRef { data: text, length }, user_data);
                }
                (self.dispose_message)(text);
                (self.dispose_module)(translated);
            }
            (self.dispose_context)(context);
            done
        }
    }
}
