//! The context of operations, and what it knows of dialects.

use mondo_sys::{
    mlirContextGetOrLoadDialect, mlirContextIsRegisteredOperation, mlirOperationGetContext,
};

use super::Op;
use crate::callback::string_ref;
use crate::uniquer::Uniquer;

impl<'ctx> Op<'ctx> {
    /// The context that it is of.
    pub fn uniquer(self) -> Uniquer<'ctx> {
        // SAFETY: the operation is live, and of the brand's context.
        unsafe { Uniquer::expect(mlirOperationGetContext(self.raw())) }
    }
}

impl Uniquer<'_> {
    /// Returns true if a loaded dialect has an operation of this name.
    pub fn has_operation(self, name: &str) -> bool {
        // SAFETY: a `Uniquer` is of a live context, by its brand; MLIR reads the name during the call only.
        unsafe { mlirContextIsRegisteredOperation(self.raw(), string_ref(name)) }
    }

    /// Returns true if there is a dialect of this name; it is loaded then.
    pub fn has_dialect(self, name: &str) -> bool {
        // SAFETY: a `Uniquer` is of a live context, by its brand, and the name is only read.
        !unsafe { mlirContextGetOrLoadDialect(self.raw(), string_ref(name)) }
            .ptr
            .is_null()
    }
}
