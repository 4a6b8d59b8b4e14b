//! The registration table of a bundle: the C API functions that register its dialects, passes and
//! translations.
//!
//! `mondo bundle` writes the table as an object file for each manifest and links it beside this
//! crate (`mondo-link/src/compile/registration.rs`, which lays it out as the structures here say).
//! So this crate is compiled once for all manifests.

use std::ffi::c_void;
use std::slice;

use mondo_sys::{
    MlirContext, MlirDialectHandle, MlirDialectRegistry, MlirStringRef,
    mlirDialectHandleInsertDialect,
};

use crate::llvm_ir::Translation;
use crate::version::static_string;

/// `MlirDialectHandle f(void)`.
pub(crate) type HandleGetter = unsafe extern "C" fn() -> MlirDialectHandle;
/// `void f(MlirDialectRegistry)`.
pub(crate) type RegistryCall = unsafe extern "C" fn(MlirDialectRegistry);
/// `void f(void)`.
pub(crate) type PassCall = unsafe extern "C" fn();
/// `void f(MlirContext)`.
pub(crate) type ContextCall = unsafe extern "C" fn(MlirContext);

/// `void f(void)` of a runtime library that has threads.
pub(crate) type FinishCall = unsafe extern "C" fn();

/// An array in the table: its address and its length.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct List<T: 'static> {
    first: *const T,
    length: usize,
}

impl<T> List<T> {
    fn as_slice(&self) -> &'static [T] {
        // SAFETY: a list is only made by the pipeline, in the table: a constant array of `length`
        // elements of this type, whose address is never null, in memory that stays with the library.
        unsafe { slice::from_raw_parts(self.first, self.length) }
    }
}

/// The C API functions that a bundle calls to register its contents.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Registration {
    /// Functions that return a dialect's handle; each is inserted into the registry.
    handles: List<HandleGetter>,
    /// Functions that fill a registry themselves.
    registries: List<RegistryCall>,
    /// Functions that register a group of passes.
    passes: List<PassCall>,
    /// Functions that prepare a context, for instance with translations.
    contexts: List<ContextCall>,
    /// The dialects' names, sorted.
    dialects: List<MlirStringRef>,
    /// The names of the functions of the runtime libraries.
    runtime_names: List<MlirStringRef>,
    /// The addresses of these functions, in the order of the names.
    runtime_functions: List<*const c_void>,
    /// Functions that wait for the threads of runtime libraries.
    finish: List<FinishCall>,
    /// The functions that translate to LLVM IR; none in a bundle without that translation.
    pub(crate) llvm_ir: Option<&'static Translation>,
}

// SAFETY: the table is constant data, which the loader alone writes to, before any code runs.
unsafe impl Sync for Registration {}

unsafe extern "C" {
    /// The table of this bundle.
    #[link_name = "mondo_registration"]
    static TABLE: Registration;
}

/// The table of this bundle.
pub(crate) fn table() -> &'static Registration {
    // SAFETY: the pipeline links exactly one table, laid out as `Registration`; it is constant data.
    unsafe { &TABLE }
}

impl Registration {
    /// Adds every dialect to `registry`.
    ///
    /// # Safety
    ///
    /// `registry` is a live registry that no other thread uses meanwhile.
    pub(crate) unsafe fn register_dialects(&self, registry: MlirDialectRegistry) {
        for handle in self.handles.as_slice() {
            // SAFETY: a handle getter has no precondition, and `registry` is live and used by this thread
            // alone, by this function's contract.
            unsafe { mlirDialectHandleInsertDialect(handle(), registry) };
        }
        for call in self.registries.as_slice() {
            // SAFETY: `registry` is live and used by this thread alone, by this function's contract.
            unsafe { call(registry) };
        }
    }

    /// Registers every pass.
    ///
    /// # Safety
    ///
    /// This is called once: MLIR's pass registry is one per library and takes a pass twice only from
    /// the same allocator.
    pub(crate) unsafe fn register_passes(&self) {
        for call in self.passes.as_slice() {
            // SAFETY: pass registration has no precondition but that it is not done by two threads
            // at once, which the caller sees to.
            unsafe { call() };
        }
    }

    /// Prepares `context` (registers translations).
    ///
    /// # Safety
    ///
    /// `context` is a live context that no other thread changes meanwhile.
    pub(crate) unsafe fn prepare_context(&self, context: MlirContext) {
        for call in self.contexts.as_slice() {
            // SAFETY: `context` is live and changed by this thread alone, by this function's contract.
            unsafe { call(context) };
        }
    }

    /// The address of a function of the runtime libraries, or null.
    ///
    /// # Safety
    ///
    /// `name` is a live string.
    pub(crate) unsafe fn runtime_function(&self, name: MlirStringRef) -> *const c_void {
        // SAFETY: `name` is a live string, by this function's contract, and the table has none but constant
        // strings. An empty one may come with a null pointer, which `memcmp` gets no byte of.
        let is_it = |known: &MlirStringRef| unsafe {
            known.length == name.length
                && libc::memcmp(known.data.cast(), name.data.cast(), name.length) == 0
        };
        let names = self.runtime_names.as_slice().iter();
        let found = names
            .zip(self.runtime_functions.as_slice())
            .find(|(known, _)| is_it(known));
        found.map_or(std::ptr::null(), |(_, function)| *function)
    }

    /// Waits for the threads of the runtime libraries.
    pub(crate) fn finish(&self) {
        for call in self.finish.as_slice() {
            // SAFETY: the functions by which runtime libraries end their threads have no precondition.
            unsafe { call() };
        }
    }

    /// The number of dialects.
    pub(crate) fn dialect_count(&self) -> isize {
        isize::try_from(self.dialects.length).unwrap_or(isize::MAX)
    }

    /// The name of a dialect by its index, empty if there is no such index.
    pub(crate) fn dialect_name(&self, index: isize) -> MlirStringRef {
        let name = usize::try_from(index)
            .ok()
            .and_then(|index| self.dialects.as_slice().get(index));
        name.copied().unwrap_or(static_string(""))
    }
}
