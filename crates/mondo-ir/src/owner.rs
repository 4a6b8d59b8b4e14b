//! Owners of trees: an operation that is in no block, and a module.

use mondo_sys::{
    MlirOperation, mlirModuleCreateEmpty, mlirModuleCreateParse, mlirModuleGetOperation,
    mlirOperationCreateParse,
};

use crate::block::{Block, Region};
use crate::brand::Brand;
use crate::callback::string_ref;
use crate::context::Ctx;
use crate::diagnostic::captured;
use crate::error::{Error, ErrorKind, Result};
use crate::location::Location;
use crate::operation::Op;
use crate::scope::{Ir, State};
use crate::source::Source;

/// Owns an operation that is in no block, with everything in it.
///
/// When this is dropped, the tree is cut out of all others, and freed with the next exclusive call.
///
/// ```
/// # use mondo_ir::{Context, OwnedOp};
/// Context::new().enter(|ctx, ir| {
///     let op = OwnedOp::parse(ctx, "module @a {}", "a.mlir").unwrap();
///     let copy = op.op(ir).duplicate();
///     drop(op);
///     assert_eq!(copy.op(ir).attribute("sym_name").unwrap().to_string(), "\"a\"");
/// });
/// ```
#[derive(Debug)]
pub struct OwnedOp<'ctx> {
    raw: MlirOperation,
    state: &'ctx State,
    brand: Brand<'ctx>,
}

impl Drop for OwnedOp<'_> {
    fn drop(&mut self) {
        // SAFETY: `new` got the only ownership of a live root. Nothing puts a root into a block but by
        // `release`, which does not come here.
        unsafe { self.state.bury(self.raw) };
    }
}

impl<'ctx> OwnedOp<'ctx> {
    /// # Safety
    ///
    /// The operation is live, of the state's context and in no block, and nothing else owns it.
    pub(crate) unsafe fn new(raw: MlirOperation, state: &'ctx State) -> Self {
        Self {
            raw,
            state,
            brand: std::marker::PhantomData,
        }
    }

    pub(crate) fn raw(&self) -> MlirOperation {
        self.raw
    }

    /// The operation, which the caller owns now.
    pub(crate) fn release(self) -> MlirOperation {
        let raw = self.raw;
        std::mem::forget(self);
        raw
    }

    /// Reads an operation from text. `name` is the file's name in locations.
    ///
    /// # Errors
    /// `ErrorKind::Parse` where the text is no operation, with MLIR's diagnostics.
    pub fn parse(ctx: Ctx<'ctx>, text: &str, name: &str) -> Result<Self> {
        let source = Source::new(text.as_bytes());
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
        // SAFETY: a parsed operation is the caller's.
        Ok(unsafe { Self::new(raw, ctx.state) })
    }

    /// The operation.
    pub fn op<'call>(&self, _ir: &'call Ir<'ctx>) -> Op<'call, 'ctx> {
        // SAFETY: the tree is freed by calls that borrow the token exclusively.
        unsafe { Op::expect(self.raw, self.state) }
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
        // SAFETY: the location is live; a new module is the caller's.
        unsafe {
            let module = mlirModuleCreateEmpty(location.raw());
            Self(OwnedOp::new(mlirModuleGetOperation(module), ctx.state))
        }
    }

    /// Reads a module from text.
    ///
    /// # Errors
    /// `ErrorKind::Parse` where the text is no module, with MLIR's diagnostics.
    pub fn parse(ctx: Ctx<'ctx>, text: &str) -> Result<Self> {
        // Bytecode begins with bytes that no UTF-8 has.
        Self::read(ctx, &Source::new(text.as_bytes()))
    }

    fn read(ctx: Ctx<'ctx>, source: &Source) -> Result<Self> {
        let (module, diagnostics) = captured(ctx.state, || {
            // SAFETY: the context is live, and the source ends with a NUL beyond its length.
            unsafe { mlirModuleCreateParse(ctx.raw(), string_ref(source.bytes())) }
        });
        if module.ptr.is_null() {
            let error = Error::new(ErrorKind::Parse, "the module cannot be read");
            return Err(error.with(diagnostics));
        }
        // SAFETY: a parsed module is the caller's.
        Ok(Self(unsafe {
            OwnedOp::new(mlirModuleGetOperation(module), ctx.state)
        }))
    }

    /// Reads a module from bytecode.
    ///
    /// # Safety
    ///
    /// The bytes are what MLIR wrote. Its reader checks less than a reader of foreign data must: counts
    /// that do not agree with each other make it write outside of its buffers.
    ///
    /// # Errors
    /// `ErrorKind::Parse` where the bytes are no module, with MLIR's diagnostics.
    pub unsafe fn from_bytecode(ctx: Ctx<'ctx>, bytes: &[u8]) -> Result<Self> {
        Self::read(ctx, &Source::bytecode(bytes))
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
    /// `ErrorKind::Cast` where the operation is no module.
    fn try_from(op: OwnedOp<'ctx>) -> Result<Self> {
        // SAFETY: the owner's operation is live.
        let module = unsafe { mondo_sys::mlirModuleFromOperation(op.raw) };
        if module.ptr.is_null() {
            return Err(Error::new(
                ErrorKind::Cast,
                "the operation is no builtin.module",
            ));
        }
        Ok(Self(op))
    }
}
