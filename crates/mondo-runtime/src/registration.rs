//! What a bundle registers: plain tables of C API functions, filled in by the bundle crate.

use mondo_sys::{
    MlirContext, MlirDialectHandle, MlirDialectRegistry, MlirStringRef,
    mlirDialectHandleInsertDialect,
};

use crate::version::static_string;

/// `MlirDialectHandle f(void)`.
pub type HandleGetter = unsafe extern "C" fn() -> MlirDialectHandle;
/// `void f(MlirDialectRegistry)`.
pub type RegistryCall = unsafe extern "C" fn(MlirDialectRegistry);
/// `void f(void)`.
pub type PassCall = unsafe extern "C" fn();
/// `void f(MlirContext)`.
pub type ContextCall = unsafe extern "C" fn(MlirContext);

/// The C API functions that a bundle calls to register what it has.
#[derive(Debug, Clone, Copy)]
pub struct Registration {
    /// Functions that return a dialect's handle; each is inserted into the registry.
    pub handles: &'static [HandleGetter],
    /// Functions that fill a registry themselves.
    pub registries: &'static [RegistryCall],
    /// Functions that register a group of passes.
    pub passes: &'static [PassCall],
    /// Functions that prepare a context, for instance with translations.
    pub contexts: &'static [ContextCall],
    /// The dialects' names, sorted.
    pub dialects: &'static [&'static str],
}

impl Registration {
    /// Adds every dialect to `registry`.
    ///
    /// # Safety
    ///
    /// `registry` is a live registry that no other thread uses meanwhile, and the functions in the
    /// tables are those of MLIR's C API.
    pub unsafe fn register_dialects(&self, registry: MlirDialectRegistry) {
        for handle in self.handles {
            // SAFETY: a handle getter has no precondition, and the caller vouches for `registry`.
            unsafe { mlirDialectHandleInsertDialect(handle(), registry) };
        }
        for call in self.registries {
            // SAFETY: the caller vouches for `registry`.
            unsafe { call(registry) };
        }
    }

    /// Registers every pass.
    ///
    /// # Safety
    ///
    /// The functions in the tables are those of MLIR's C API, and this is called once: MLIR's pass
    /// registry is one per library and takes a pass twice only from the same allocator.
    pub unsafe fn register_passes(&self) {
        for call in self.passes {
            // SAFETY: pass registration has no precondition but that it is not done by two threads
            // at once, which the caller sees to.
            unsafe { call() };
        }
    }

    /// Prepares `context` (registers translations).
    ///
    /// # Safety
    ///
    /// `context` is a live context that no other thread changes meanwhile, and the functions in the
    /// tables are those of MLIR's C API.
    pub unsafe fn prepare_context(&self, context: MlirContext) {
        for call in self.contexts {
            // SAFETY: the caller vouches for `context`.
            unsafe { call(context) };
        }
    }

    /// The name of a dialect by its index, empty if there is no such index.
    #[must_use]
    pub fn dialect_name(&self, index: isize) -> MlirStringRef {
        let name = usize::try_from(index)
            .ok()
            .and_then(|index| self.dialects.get(index));
        static_string(name.copied().unwrap_or_default())
    }
}
