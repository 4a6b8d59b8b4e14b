//! The text and the bytecode of nodes.

use mondo_sys::{
    MlirAsmState, MlirOpPrintingFlags, mlirAsmStateCreateForOperation, mlirAsmStateCreateForValue,
    mlirBytecodeWriterConfigCreate, mlirBytecodeWriterConfigDesiredEmitVersion,
    mlirOpPrintingFlagsAssumeVerified, mlirOpPrintingFlagsCreate,
    mlirOpPrintingFlagsElideLargeElementsAttrs, mlirOpPrintingFlagsElideLargeResourceString,
    mlirOpPrintingFlagsEnableDebugInfo, mlirOpPrintingFlagsPrintGenericOpForm,
    mlirOpPrintingFlagsPrintNameLocAsPrefix, mlirOpPrintingFlagsSkipRegions,
    mlirOpPrintingFlagsUseLocalScope, mlirOperationPrintWithFlags, mlirOperationPrintWithState,
    mlirOperationWriteBytecode, mlirOperationWriteBytecodeWithConfig, mlirValuePrintAsOperand,
    mondoOperationFindUnwritable,
};

use super::{Op, Value};
use crate::c_object::Owned;
use crate::callback::{chunks, text};
use crate::error::{Error, ErrorKind, Result};

/// The form of printed text, as MLIR keeps it.
#[derive(Debug)]
pub struct TextFlags(Owned<MlirOpPrintingFlags>);

impl Default for TextFlags {
    fn default() -> Self {
        Self::new()
    }
}

/// Defines methods that switch something on.
macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident by $function:ident;)+) => {
        $($(#[$doc])*
        pub fn $name(&mut self) {
            // SAFETY: `Owned` keeps the flags alive as long as this.
            unsafe { $function(self.0.get()) };
        })+
    };
}

// SAFETY: the flags belong to no thread, and are changed by who has them exclusively.
unsafe impl Send for TextFlags {}
// SAFETY: a shared reference only reads the flags, which belong to no thread.
unsafe impl Sync for TextFlags {}

impl TextFlags {
    /// The flags in the form of mondo-sys.
    pub fn raw(&self) -> MlirOpPrintingFlags {
        self.0.get()
    }

    /// The form that MLIR has by itself.
    pub fn new() -> Self {
        // SAFETY: the new flags are ours alone.
        Self(unsafe { Owned::new(mlirOpPrintingFlagsCreate()) })
    }

    /// Leaves out the elements of attributes that have more than so many.
    pub fn elide_elements(&mut self, limit: isize) {
        // SAFETY: `Owned` keeps the flags alive as long as this.
        unsafe { mlirOpPrintingFlagsElideLargeElementsAttrs(self.0.get(), limit) };
    }

    /// Leaves out resources of more than so many characters.
    pub fn elide_resources(&mut self, limit: isize) {
        // SAFETY: `Owned` keeps the flags alive as long as this.
        unsafe { mlirOpPrintingFlagsElideLargeResourceString(self.0.get(), limit) };
    }

    /// Prints locations.
    pub fn locations(&mut self, pretty: bool) {
        // SAFETY: `Owned` keeps the flags alive as long as this.
        unsafe { mlirOpPrintingFlagsEnableDebugInfo(self.0.get(), true, pretty) };
    }

    switches! {
        /// Prints the generic form.
        generic by mlirOpPrintingFlagsPrintGenericOpForm;
        /// Names values as if the operation were alone.
        local_scope by mlirOpPrintingFlagsUseLocalScope;
        /// Leaves out the check for validity.
        assume_verified by mlirOpPrintingFlagsAssumeVerified;
        /// Leaves out regions.
        skip_regions by mlirOpPrintingFlagsSkipRegions;
        /// Names values by their locations' names.
        name_locations by mlirOpPrintingFlagsPrintNameLocAsPrefix;
    }
}

/// The names of values, worked out once for several prints. MLIR knows the values by their addresses: it is
/// of use as long as none of the nodes is destroyed.
#[derive(Debug)]
pub struct AsmState {
    state: Owned<MlirAsmState>,
    /// MLIR keeps a pointer to its contents.
    _flags: std::sync::Arc<TextFlags>,
}

impl AsmState {
    /// The names around an operation.
    pub fn of_op(op: Op<'_>, flags: &std::sync::Arc<TextFlags>) -> Self {
        // SAFETY: the operation is live, and the flags live as long as the state, which is ours alone.
        let state = unsafe { Owned::new(mlirAsmStateCreateForOperation(op.raw(), flags.0.get())) };
        Self {
            state,
            _flags: std::sync::Arc::clone(flags),
        }
    }

    /// The names around a value, or `None` if it is an argument of a block that is in no operation.
    pub fn of_value(value: Value<'_>, flags: &std::sync::Arc<TextFlags>) -> Option<Self> {
        if !value.can_be_named() {
            return None;
        }
        // SAFETY: the value is live, by its brand, and has an operation around it; `_flags` keeps the flags
        // as long as the state, which nothing else owns.
        let state = unsafe { Owned::new(mlirAsmStateCreateForValue(value.raw(), flags.0.get())) };
        Some(Self {
            state,
            _flags: std::sync::Arc::clone(flags),
        })
    }

    /// The name under which the value is printed as an operand: `%0`.
    ///
    /// # Safety
    ///
    /// No node that the state was made of was destroyed since.
    pub unsafe fn name_of(&self, value: Value<'_>) -> String {
        // SAFETY: the value and the state are live, and the caller vouches for the addresses in the state.
        let print = |sink, data| unsafe {
            mlirValuePrintAsOperand(value.raw(), self.state.get(), sink, data);
        };
        text(print).0
    }

    /// The text of an operation.
    ///
    /// # Safety
    ///
    /// As for [`name_of`](Self::name_of).
    pub unsafe fn text_of(&self, op: Op<'_>) -> String {
        // SAFETY: operation and state are live, by brand and `Owned`, and the caller vouches for the
        // addresses in the state (this function's contract).
        let print = |sink, data| unsafe {
            mlirOperationPrintWithState(op.raw(), self.state.get(), sink, data);
        };
        text(print).0
    }
}

impl Value<'_> {
    /// The name under which the value is printed as an operand, `%0`, or `None` if MLIR cannot name it.
    pub fn operand_name(self, flags: &TextFlags) -> Option<String> {
        if !self.can_be_named() {
            return None;
        }
        // SAFETY: the value is live and has an operation around it; the flags outlive the state, which is ours
        // alone.
        unsafe {
            let state = Owned::new(mlirAsmStateCreateForValue(self.raw(), flags.0.get()));
            let print = |sink, data| {
                mlirValuePrintAsOperand(self.raw(), state.get(), sink, data);
            };
            Some(text(print).0)
        }
    }
}

impl Op<'_> {
    /// The text; where it is not UTF-8, the replacement character stands.
    pub fn to_text(self, flags: &TextFlags) -> String {
        // SAFETY: the operation is live, by its brand, and `Owned` keeps the flags.
        let print = |sink, data| unsafe {
            mlirOperationPrintWithFlags(self.raw(), flags.0.get(), sink, data);
        };
        text(print).0
    }

    /// The first operation, it or one in it, that lacks an attribute which bytecode of that version, or of the
    /// newest, has to have. MLIR's writer would dereference a null.
    pub fn unwritable(self, version: Option<i64>) -> Option<Self> {
        let version = version.unwrap_or(i64::MAX);
        // SAFETY: the operation is live, and what is found is in it.
        unsafe { Self::from_raw(mondoOperationFindUnwritable(self.raw(), version)) }
    }

    /// Writes bytecode, of the newest version or that one. Returns `false` if MLIR does not write that version.
    ///
    /// # Errors
    /// `ErrorKind::Verify` if an operation lacks an attribute that has to be there.
    pub fn to_bytecode(self, version: Option<i64>) -> Result<(Vec<u8>, bool)> {
        if let Some(op) = self.unwritable(version) {
            return Err(lacks_attribute(op));
        }
        let mut all = Vec::new();
        let sink = |chunk: &[u8]| all.extend_from_slice(chunk);
        // SAFETY: the operation is live, and so is the configuration until it is dropped.
        let written = chunks(sink, |callback, data| unsafe {
            let Some(version) = version else {
                mlirOperationWriteBytecode(self.raw(), callback, data);
                return true;
            };
            let config = Owned::new(mlirBytecodeWriterConfigCreate());
            mlirBytecodeWriterConfigDesiredEmitVersion(config.get(), version);
            mlirOperationWriteBytecodeWithConfig(self.raw(), config.get(), callback, data).value
                != 0
        })?;
        Ok((all, written))
    }
}

/// The error about an operation that [`Op::unwritable`] found.
pub(crate) fn lacks_attribute(op: Op<'_>) -> Error {
    let message = format!(
        "`{}` lacks an attribute that bytecode has to have of it; the verifier says which",
        op.name().to_text()
    );
    Error::new(ErrorKind::Verify, message)
}
