//! The functions of LLVM 23 that older ones have with fewer parameters, called as the newer ones are. The build script leaves
//! out the older declarations.

use std::ffi::c_void;

use crate::{MlirLogicalResult, MlirOperation, MlirStringCallback};

unsafe extern "C" {
    #[link_name = "mlirTranslateOperationToSMTLIB"]
    fn translate_to_smt_lib(
        operation: MlirOperation,
        callback: MlirStringCallback,
        user_data: *mut c_void,
        inline_single_use_values: bool,
        indent_let_body: bool,
    ) -> MlirLogicalResult;
}

/// Writes the text for solvers, which older LLVMs always end with `(reset)`.
///
/// # Safety
///
/// As of the newer one: the operation is live.
#[inline]
pub unsafe extern "C" fn mlirTranslateOperationToSMTLIB(
    operation: MlirOperation,
    callback: MlirStringCallback,
    user_data: *mut c_void,
    inline_single_use_values: bool,
    indent_let_body: bool,
    _emit_reset: bool,
) -> MlirLogicalResult {
    // SAFETY: the caller vouches for all of them.
    unsafe {
        translate_to_smt_lib(
            operation,
            callback,
            user_data,
            inline_single_use_values,
            indent_let_body,
        )
    }
}
