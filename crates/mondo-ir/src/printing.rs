//! Printing of operations, as text and as bytecode.

use std::fmt;

use mondo_sys::{
    MlirBytecodeWriterConfig, MlirOpPrintingFlags, mlirBytecodeWriterConfigCreate,
    mlirBytecodeWriterConfigDesiredEmitVersion, mlirOpPrintingFlagsCreate,
    mlirOpPrintingFlagsElideLargeElementsAttrs, mlirOpPrintingFlagsEnableDebugInfo,
    mlirOpPrintingFlagsPrintGenericOpForm, mlirOpPrintingFlagsSkipRegions,
    mlirOpPrintingFlagsUseLocalScope, mlirOperationPrintWithFlags,
    mlirOperationWriteBytecodeWithConfig,
};

use crate::c_object::Owned;
use crate::callback::chunks;
use crate::capture::captured;
use crate::error::{Error, ErrorKind, Result};
use crate::handle::Op;
use crate::nodes::lacks_attribute;

/// The form of printed text.
///
/// ```
/// # use mondo_ir::{Context, Module, PrintFlags};
/// Context::new().enter(|ctx, ir| {
///     let module = Module::parse(ctx, "func.func private @f()").unwrap();
///     let function = module.body(ir).first().unwrap();
///     let text = function.print(&PrintFlags::new().generic()).unwrap();
///     assert!(text.starts_with("\"func.func\"() <{"), "{text}");
/// });
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[must_use]
pub struct PrintFlags {
    generic: bool,
    locations: bool,
    pretty_locations: bool,
    local_scope: bool,
    skip_regions: bool,
    elide_elements: Option<u32>,
}

impl PrintFlags {
    /// The form that MLIR has by itself.
    pub fn new() -> Self {
        Self::default()
    }

    /// The generic form, also of operations that have one of their own.
    pub fn generic(mut self) -> Self {
        self.generic = true;
        self
    }

    /// With locations. What is printed pretty cannot be read again.
    pub fn locations(mut self, pretty: bool) -> Self {
        self.locations = true;
        self.pretty_locations = pretty;
        self
    }

    /// Names values as if the operation were alone.
    pub fn local_scope(mut self) -> Self {
        self.local_scope = true;
        self
    }

    /// Without what is in regions.
    pub fn skip_regions(mut self) -> Self {
        self.skip_regions = true;
        self
    }

    /// Without the elements of attributes that have more than so many.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module, PrintFlags};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func @f() { %0 = arith.constant dense<[1, 2, 3]> : tensor<3xi8> return }";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     let flags = PrintFlags::new().elide_elements_above(2).local_scope().locations(false);
    ///     let printed = module.op(ir).print(&flags).unwrap();
    ///     assert!(printed.contains("__elided__") && printed.contains("loc("), "{printed}");
    ///     let printed = module.op(ir).print(&PrintFlags::new().skip_regions()).unwrap();
    ///     assert!(!printed.contains("func.func"), "{printed}");
    /// });
    /// ```
    pub fn elide_elements_above(mut self, count: u32) -> Self {
        self.elide_elements = Some(count);
        self
    }

    /// The flags in the C API's form. `generic` where a custom form could read what is not there.
    fn made(self, generic: bool) -> Owned<MlirOpPrintingFlags> {
        // SAFETY: the new flags are ours alone, and live in each call.
        unsafe {
            let owned = Owned::new(mlirOpPrintingFlagsCreate());
            let flags = owned.get();
            if self.generic || generic {
                mlirOpPrintingFlagsPrintGenericOpForm(flags);
            }
            if self.locations {
                mlirOpPrintingFlagsEnableDebugInfo(flags, true, self.pretty_locations);
            }
            if self.local_scope {
                mlirOpPrintingFlagsUseLocalScope(flags);
            }
            if self.skip_regions {
                mlirOpPrintingFlagsSkipRegions(flags);
            }
            if let Some(count) = self.elide_elements {
                mlirOpPrintingFlagsElideLargeElementsAttrs(flags, count as isize);
            }
            owned
        }
    }
}

impl Op<'_, '_> {
    /// The text.
    ///
    /// # Errors
    /// `ErrorKind::Structure` if the regions of its tree nest deeper than MLIR can follow.
    pub fn print(self, flags: &PrintFlags) -> Result<String> {
        let mut all = Vec::new();
        self.print_to(flags, |chunk| all.extend_from_slice(chunk))?;
        Ok(String::from_utf8_lossy(&all).into_owned())
    }

    /// Hands the text to the closure, in chunks.
    ///
    /// ```
    /// # use mondo_ir::{Context, ErrorKind, Module, PrintFlags};
    /// Context::new().enter(|ctx, ir| {
    ///     let module = Module::new(ctx, ctx.unknown());
    ///     let printed = module.op(ir).print_to(&PrintFlags::new(), |_| panic!("full"));
    ///     assert_eq!(printed.unwrap_err().kind(), ErrorKind::Panicked);
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Panicked` if the closure panics; it is not called again then. `ErrorKind::Structure` if the
    /// regions of its tree nest deeper than MLIR can follow.
    pub fn print_to(self, flags: &PrintFlags, sink: impl FnMut(&[u8])) -> Result<()> {
        // A custom form is printed of what is valid, and to find that out, MLIR looks at the operations
        // that define the operands, and at users.
        let closed = match self.check_tree() {
            Err(error) if error.kind() == ErrorKind::Structure => return Err(error),
            other => other.is_ok(),
        };
        let flags = flags.made(!closed);
        // The diagnostics of the check for validity are of no use here.
        let print = || {
            chunks(sink, |callback, data| {
                // SAFETY: the operation and the flags are live.
                unsafe { mlirOperationPrintWithFlags(self.raw(), flags.get(), callback, data) };
            })
        };
        captured(self.ctx().state, print).0
    }

    /// Writes the operation as bytecode, in the newest version.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let module = Module::parse(ctx, "func.func private @f()").unwrap();
    ///     let bytes = module.op(ir).to_bytecode(None).unwrap();
    ///     let again = Module::from_bytecode(ctx, &bytes).unwrap();
    ///     assert_eq!(again.op(ir).to_string(), module.op(ir).to_string());
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Unsupported` if MLIR does not write that version, with its diagnostics;
    /// `ErrorKind::Open` if the tree uses values of another one; `ErrorKind::Verify` if an operation lacks an
    /// attribute that has to be there.
    pub fn to_bytecode(self, version: Option<u32>) -> Result<Vec<u8>> {
        self.check_closed()?;
        if self.root() != self && !self.is_isolated() {
            let message = format!("`{}` uses values or blocks that are not in it", self.name());
            return Err(Error::new(ErrorKind::Open, message));
        }
        // SAFETY: the handle outlives what is found.
        if let Some(op) = unsafe { self.node() }.unwritable(version.map(i64::from)) {
            return Err(lacks_attribute(op));
        }
        // SAFETY: the new configuration is ours alone.
        let config = unsafe { Owned::new(mlirBytecodeWriterConfigCreate()) };
        if let Some(version) = version {
            let config: MlirBytecodeWriterConfig = config.get();
            // SAFETY: the configuration is live.
            unsafe { mlirBytecodeWriterConfigDesiredEmitVersion(config, version.into()) };
        }
        let mut all = Vec::new();
        let write = || {
            chunks(
                |chunk| all.extend_from_slice(chunk),
                // SAFETY: the operation and the configuration are live.
                |callback, data| unsafe {
                    mlirOperationWriteBytecodeWithConfig(self.raw(), config.get(), callback, data)
                },
            )
        };
        let (written, diagnostics) = captured(self.ctx().state, write);
        if written?.value == 0 {
            let message = format!("`{}` cannot be written as that bytecode", self.name());
            return Err(Error::new(ErrorKind::Unsupported, message).with(diagnostics));
        }
        Ok(all)
    }

    fn is_isolated(self) -> bool {
        // SAFETY: a handle's operation is live, as the handle borrows the token (`handle.rs`).
        unsafe { mondo_sys::mondoOperationIsClosed(self.raw()) }
    }
}

impl fmt::Display for Op<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.print(&PrintFlags::new()) {
            Ok(text) => f.write_str(&text),
            // An error here would be a panic of `to_string`.
            Err(error) => write!(f, "<`{}` is not printed: {}>", self.name(), error.message()),
        }
    }
}
