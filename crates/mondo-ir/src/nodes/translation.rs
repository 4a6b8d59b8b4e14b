//! Operations as text of other languages.

use mondo_sys::mondoTranslateModuleToLLVMIR;

use super::Op;
use crate::callback::text;

impl Op<'_> {
    /// The LLVM IR of a module, or `None` if it cannot be translated, and then the context's diagnostic handlers know
    /// why. Branches to one block with different arguments are given blocks of their own.
    pub fn to_llvm_ir(self) -> Option<String> {
        let (text, done) = text(|sink, data| {
            // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`).
            unsafe { mondoTranslateModuleToLLVMIR(self.raw(), sink, data) }
        });
        (done.value != 0).then_some(text)
    }

    /// The text for SMT solvers, or `None` if the module cannot be translated, as above.
    #[cfg(not(llvm_before = "22"))]
    pub fn to_smt_lib(
        self,
        inline_single_use_values: bool,
        indent_let_body: bool,
    ) -> Option<String> {
        let (text, done) = text(|sink, data| {
            // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`).
            unsafe {
                mondo_sys::mlirTranslateOperationToSMTLIB(
                    self.raw(),
                    sink,
                    data,
                    inline_single_use_values,
                    indent_let_body,
                    true,
                )
            }
        });
        (done.value != 0).then_some(text)
    }
}
