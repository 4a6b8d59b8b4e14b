//! Operations and modules from text, bytecode and files.

use mondo_sys::{
    mlirModuleCreateEmpty, mlirModuleGetOperation, mlirOperationCreateParse, mondoModuleParse,
    mondoModuleReadBytecode, mondoOperationReadBytecode,
};

use super::{Loose, Op};
use crate::callback::string_ref;
use crate::source::DictionaryNames;
use crate::text::Terminated;
use crate::uniqued_handles::Location;
use crate::uniquer::Uniquer;

impl<'ctx> Op<'ctx> {
    /// An operation from text or bytecode, in no block, or `None` if it cannot be read, which MLIR reports.
    /// `name` is the file's name in locations.
    pub fn parse(ctx: Uniquer<'ctx>, source: &Terminated, name: &str) -> Option<Loose<Self>> {
        let source = string_ref(source.bytes());
        // SAFETY: the context is live, and the source ends with a NUL beyond its length.
        unsafe {
            let raw = mlirOperationCreateParse(ctx.raw(), source, string_ref(name));
            Self::from_raw(raw).map(|op| Loose::new(op))
        }
    }

    /// A module from text or bytecode, or `None` if it cannot be read, which MLIR reports.
    pub fn parse_module(
        ctx: Uniquer<'ctx>,
        source: &Terminated,
        name: &str,
    ) -> Option<Loose<Self>> {
        let source = string_ref(source.bytes());
        // SAFETY: the context is live, by its brand, and `Terminated` has a NUL beyond the length of its
        // text.
        unsafe {
            let raw = mondoModuleParse(ctx.raw(), source, string_ref(name));
            Self::from_raw(raw).map(|op| Loose::new(op))
        }
    }

    /// An operation from bytecode that was checked, with the names in its dictionaries: those operations are refused
    /// that lose an attribute of theirs. The bytes end with a NUL beyond their length.
    pub fn read(
        ctx: Uniquer<'ctx>,
        source: &Terminated,
        name: &str,
        names: &DictionaryNames<'_>,
    ) -> Option<Loose<Self>> {
        let (bytes, name) = (string_ref(source.bytes()), string_ref(name));
        let (count, first) = (names.count(), names.first());
        // SAFETY: the context is live, the source ends with a NUL, and there are so many names.
        unsafe {
            let raw = mondoOperationReadBytecode(ctx.raw(), bytes, name, count, first);
            Self::from_raw(raw).map(|op| Loose::new(op))
        }
    }

    /// A module from bytecode: the one of the file, or a new one around the file's operations.
    pub fn read_module(
        ctx: Uniquer<'ctx>,
        bytes: &[u8],
        name: &str,
        names: &DictionaryNames<'_>,
    ) -> Option<Loose<Self>> {
        let (bytes, name) = (string_ref(bytes), string_ref(name));
        let (count, first) = (names.count(), names.first());
        // SAFETY: the context is live, the texts are only read, and there are so many names.
        unsafe {
            let raw = mondoModuleReadBytecode(ctx.raw(), bytes, name, count, first);
            Self::from_raw(raw).map(|op| Loose::new(op))
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
        unsafe { Self::from_raw(mlirModuleGetOperation(module)).map(|op| Loose::new(op)) }
    }
}
