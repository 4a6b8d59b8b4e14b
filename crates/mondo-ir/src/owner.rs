//! Owners of trees: an operation that is in no block, and a module.

use mondo_sys::{
    MlirContext, MlirOperation, MlirStringRef, MondoBytecodeName, mlirModuleCreateEmpty,
    mlirModuleCreateParse, mlirModuleGetOperation, mlirOperationCreateParse,
    mondoModuleReadBytecode, mondoOperationReadBytecode,
};

use crate::callback::string_ref;
use crate::capture::captured;
use crate::context::Ctx;
use crate::error::{Error, ErrorKind, Result};
use crate::handle::{Block, Op, OwnedOp, Region};
use crate::scope::Ir;
use crate::source::{DictionaryNames, Source};
use crate::uniqued_handles::Location;

impl<'ctx> OwnedOp<'ctx> {
    /// Reads an operation from text. `name` is the file's name in locations.
    ///
    /// # Errors
    /// `ErrorKind::Parse` if the text is not an operation, with MLIR's diagnostics.
    pub fn parse(ctx: Ctx<'ctx>, text: &str, name: &str) -> Result<Self> {
        let source = Source::text(text)?;
        let (raw, diagnostics) = captured(ctx.state, || {
            // SAFETY: the context is live, and the text ends with a NUL beyond its length.
            unsafe {
                mlirOperationCreateParse(ctx.raw(), string_ref(source.bytes()), string_ref(name))
            }
        });
        if raw.ptr.is_null() {
            let error = Error::new(ErrorKind::Parse, "the operation cannot be read");
            return Err(error.with(diagnostics));
        }
        // SAFETY: the reader has made the operation, which is in no block, and gives it up to the caller.
        Ok(unsafe { Self::new(raw, ctx.state) })
    }

    /// Reads an operation from bytecode, which may come from anywhere, as for
    /// [`Module::from_bytecode`].
    ///
    /// ```
    /// # use mondo_ir::{Context, OwnedOp};
    /// Context::new().enter(|ctx, ir| {
    ///     let op = OwnedOp::parse(ctx, "func.func private @f()", "f.mlir").unwrap();
    ///     let bytes = op.op(ir).to_bytecode(None).unwrap();
    ///     let again = OwnedOp::from_bytecode(ctx, &bytes, "f.mlirbc").unwrap();
    ///     assert_eq!(again.op(ir).name(), "func.func");
    ///     assert!(OwnedOp::from_bytecode(ctx, &bytes[..9], "f.mlirbc").is_err());
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Parse` if the bytes are damaged, with the offset of the damage, or are not operation, with
    /// MLIR's diagnostics.
    pub fn from_bytecode(ctx: Ctx<'ctx>, bytes: &[u8], name: &str) -> Result<Self> {
        let source = Source::bytecode(bytes);
        let read = Bytecode::check(&source)?;
        let (raw, diagnostics) = captured(ctx.state, || {
            // SAFETY: the reader is the shim's.
            unsafe { read.with(mondoOperationReadBytecode, ctx, name) }
        });
        let Some(raw) = raw else {
            let error = Error::new(ErrorKind::Parse, "the operation cannot be read");
            return Err(error.with(diagnostics));
        };
        // SAFETY: the reader has made the operation, which is in no block, and gives it up to the caller.
        Ok(unsafe { Self::new(raw, ctx.state) })
    }

    /// The operation.
    pub fn op<'call>(&self, _ir: &'call Ir<'ctx>) -> Op<'call, 'ctx> {
        // SAFETY: the tree is freed by calls that borrow the token exclusively.
        unsafe { Op::expect(self.raw(), self.state()) }
    }
}

/// Bytecode that was checked.
struct Bytecode<'a> {
    source: &'a Source,
    names: DictionaryNames<'a>,
}

/// The signature of the shim's readers.
type Reader = unsafe extern "C" fn(
    MlirContext,
    MlirStringRef,
    MlirStringRef,
    isize,
    *const MondoBytecodeName,
) -> MlirOperation;

impl<'a> Bytecode<'a> {
    fn check(source: &'a Source) -> Result<Self> {
        // The check gets the copy that MLIR is going to read, as the alignment of sections depends
        // on the address.
        let contents = mondo_bytecode::check(source.bytes()).map_err(|error| {
            let message = format!("the bytecode is damaged: {error}");
            Error::new(ErrorKind::Parse, message)
        })?;
        let names = DictionaryNames::of(&contents);
        Ok(Self { source, names })
    }

    /// # Safety
    ///
    /// `reader` is one of the shim's.
    unsafe fn with(&self, reader: Reader, ctx: Ctx<'_>, name: &str) -> Option<MlirOperation> {
        let (bytes, name) = (string_ref(self.source.bytes()), string_ref(name));
        let (count, names) = (self.names.count(), self.names.first());
        // SAFETY: the context is live, the source ends with a NUL beyond its length, and there are so many
        // names.
        let read = unsafe { reader(ctx.raw(), bytes, name, count, names) };
        (!read.ptr.is_null()).then_some(read)
    }
}

/// A module: a `builtin.module` that is in no block.
///
/// ```
/// # use mondo_ir::{Context, Module};
/// Context::new().enter(|ctx, ir| {
///     let module = Module::parse(ctx, "func.func private @f()").unwrap();
///     assert_eq!(module.body(ir).operations().len(), 1);
///     assert!(module.op(ir).verify().is_ok());
/// });
/// ```
#[derive(Debug)]
pub struct Module<'ctx>(OwnedOp<'ctx>);

impl<'ctx> Module<'ctx> {
    /// An empty module.
    pub fn new(ctx: Ctx<'ctx>, location: Location<'ctx>) -> Self {
        // SAFETY: the location is live, by its brand; nothing else owns the module that was just made.
        unsafe {
            let module = mlirModuleCreateEmpty(location.raw());
            Self(OwnedOp::new(mlirModuleGetOperation(module), ctx.state))
        }
    }

    /// Reads a module from text.
    ///
    /// # Errors
    /// `ErrorKind::Parse` if the text is not a module, with MLIR's diagnostics.
    pub fn parse(ctx: Ctx<'ctx>, text: &str) -> Result<Self> {
        // Bytecode begins with bytes that no UTF-8 has.
        let source = Source::text(text)?;
        Self::made(ctx, || {
            // SAFETY: the context is live, and the source ends with a NUL beyond its length.
            let module = unsafe { mlirModuleCreateParse(ctx.raw(), string_ref(source.bytes())) };
            // SAFETY: the module is live.
            (!module.ptr.is_null()).then(|| unsafe { mlirModuleGetOperation(module) })
        })
    }

    fn made(ctx: Ctx<'ctx>, read: impl FnOnce() -> Option<MlirOperation>) -> Result<Self> {
        let (module, diagnostics) = captured(ctx.state, read);
        let Some(module) = module else {
            let error = Error::new(ErrorKind::Parse, "the module cannot be read");
            return Err(error.with(diagnostics));
        };
        // SAFETY: the parser has made the module, which is in no block, and gives it up to the caller.
        Ok(Self(unsafe { OwnedOp::new(module, ctx.state) }))
    }

    /// Reads a module from bytecode.
    ///
    /// The bytes may come from anywhere: `mondo-bytecode` checks them before MLIR reads them, whose reader
    /// writes outside of its buffers where counts do not agree with each other.
    ///
    /// ```
    /// # use mondo_ir::{Context, ErrorKind, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let module = Module::parse(ctx, "func.func private @f()").unwrap();
    ///     let bytes = module.op(ir).to_bytecode(None).unwrap();
    ///     assert!(Module::from_bytecode(ctx, &bytes).is_ok());
    ///     let error = Module::from_bytecode(ctx, &bytes[..bytes.len() - 1]).unwrap_err();
    ///     assert_eq!(error.kind(), ErrorKind::Parse);
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Parse` if the bytes are damaged, with the offset of the damage, or are not module, with
    /// MLIR's diagnostics.
    pub fn from_bytecode(ctx: Ctx<'ctx>, bytes: &[u8]) -> Result<Self> {
        let source = Source::bytecode(bytes);
        let read = Bytecode::check(&source)?;
        Self::made(ctx, || {
            // SAFETY: the reader is the shim's.
            unsafe { read.with(mondoModuleReadBytecode, ctx, "") }
        })
    }

    /// The operation.
    pub fn op<'call>(&self, ir: &'call Ir<'ctx>) -> Op<'call, 'ctx> {
        self.0.op(ir)
    }

    /// The module's block.
    ///
    /// # Panics
    /// Panics where that block was erased.
    pub fn body<'call>(&self, ir: &'call Ir<'ctx>) -> Block<'call, 'ctx> {
        let block = self.op(ir).region(0).and_then(Region::first);
        block.expect("the module has its block")
    }

    /// The owner of the operation.
    pub fn owner(&self) -> &OwnedOp<'ctx> {
        &self.0
    }

    /// As the owner of an operation.
    pub fn into_op(self) -> OwnedOp<'ctx> {
        self.0
    }
}

impl<'ctx> TryFrom<OwnedOp<'ctx>> for Module<'ctx> {
    type Error = Error;

    /// # Errors
    /// `ErrorKind::Cast` if the operation is not a module.
    fn try_from(op: OwnedOp<'ctx>) -> Result<Self> {
        // SAFETY: the owner's operation is live.
        let module = unsafe { mondo_sys::mlirModuleFromOperation(op.raw()) };
        if module.ptr.is_null() {
            return Err(Error::new(
                ErrorKind::Cast,
                "the operation is not a builtin.module",
            ));
        }
        Ok(Self(op))
    }
}
