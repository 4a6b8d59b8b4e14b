//! Operations and modules from text, bytecode and files.

use mondo_sys::{
    mlirModuleCreateEmpty, mlirModuleCreateParse, mlirModuleCreateParseFromFile,
    mlirModuleGetOperation, mlirOperationCreateParse,
};

use super::{Loose, Op};
use crate::callback::string_ref;
use crate::interned::Location;
use crate::text::Terminated;
use crate::uniquer::Uniquer;

impl<'ctx> Op<'ctx> {
    /// An operation from text or bytecode, in no block; none where it cannot be read, which MLIR reports.
    /// `name` is the file's name in locations.
    pub fn parse(ctx: Uniquer<'ctx>, source: &Terminated, name: &str) -> Option<Loose<Self>> {
        let source = string_ref(source.bytes());
        // SAFETY: the context is live, and the source ends with a NUL beyond its length.
        unsafe {
            let raw = mlirOperationCreateParse(ctx.raw(), source, string_ref(name));
            Self::from_raw(raw).map(|it| Loose::new(it))
        }
    }

    /// The same for a module.
    pub fn parse_module(ctx: Uniquer<'ctx>, source: &Terminated) -> Option<Loose<Self>> {
        // SAFETY: as above; a module is an operation.
        unsafe {
            let module = mlirModuleCreateParse(ctx.raw(), string_ref(source.bytes()));
            Self::of_module(module)
        }
    }

    /// The same for a module in a file.
    pub fn parse_module_file(ctx: Uniquer<'ctx>, path: &str) -> Option<Loose<Self>> {
        // SAFETY: the context is live, and the path is only read.
        unsafe {
            let module = mlirModuleCreateParseFromFile(ctx.raw(), string_ref(path));
            Self::of_module(module)
        }
    }

    /// An empty module.
    pub fn module(location: Location<'ctx>) -> Option<Loose<Self>> {
        // SAFETY: the location is live.
        unsafe { Self::of_module(mlirModuleCreateEmpty(location.raw())) }
    }

    /// # Safety
    ///
    /// The module is null, or new and of the brand's context.
    unsafe fn of_module(module: mondo_sys::MlirModule) -> Option<Loose<Self>> {
        if module.ptr.is_null() {
            return None;
        }
        // SAFETY: the caller vouches for the module.
        unsafe { Self::from_raw(mlirModuleGetOperation(module)).map(|it| Loose::new(it)) }
    }
}
