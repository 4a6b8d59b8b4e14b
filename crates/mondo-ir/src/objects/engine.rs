//! Execution engines, which own compiled modules.

use std::ffi::{CString, c_int, c_void};
use std::fmt;

use mondo_sys::optional::execution_engine;
use mondo_sys::{
    MlirExecutionEngine, MlirModule, MlirStringRef, mondoRuntimeFinish, mondoRuntimeFunction,
};

use crate::c_object::Owned;
use crate::callback::string_ref;
use crate::compiled::Compiled;
use crate::nodes::Op;

/// A compiled module.
pub struct Engine(Owned<Compiled>);

// SAFETY: LLVM's sessions lock themselves.
unsafe impl Send for Engine {}
// SAFETY: LLVM's sessions lock themselves, and what is shared is used through them alone.
unsafe impl Sync for Engine {}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Engine")
    }
}

/// The form in which a module is compiled.
#[derive(Debug)]
pub struct EngineForm<'a> {
    /// The level of optimisations, from 0 to 3.
    pub level: i32,
    /// The paths of libraries that have what the module only declares.
    pub libraries: &'a [CString],
    /// Returns true if the code can be written to a file.
    pub object_dump: bool,
    /// True for code that is independent of its position.
    pub position_independent: bool,
}

impl Engine {
    /// Returns true if the bundle has an engine.
    pub fn is_there() -> bool {
        execution_engine().is_some()
    }

    /// Compiles a module. Returns `None` if MLIR cannot, or the bundle has no engine.
    ///
    /// # Safety
    ///
    /// The operation is a valid module, in which no symbol is defined twice once it is compiled. Its
    /// constructors and those of the libraries may be called, and its destructors when the engine is dropped.
    pub unsafe fn create(module: Op<'_>, form: &EngineForm<'_>) -> Option<Self> {
        let api = execution_engine()?;
        let paths: Vec<MlirStringRef> = form
            .libraries
            .iter()
            .map(|path| string_ref(path.as_bytes()))
            .collect();
        let count = c_int::try_from(paths.len()).ok()?;
        let module = MlirModule {
            ptr: module.raw().ptr,
        };
        // SAFETY: the module is live, there are as many paths as is said, and each ends with a NUL. The caller
        // vouches for the rest.
        let raw = unsafe {
            api.create(
                module,
                form.level,
                count,
                paths.as_ptr(),
                form.object_dump,
                form.position_independent,
            )
        };
        // SAFETY: the engine is new, if there is one.
        (!raw.ptr.is_null()).then(|| unsafe { Self(Owned::new(Compiled { raw, api })) })
    }

    /// The engine at an address, or `None` if the bundle has no engine.
    ///
    /// # Safety
    ///
    /// It is live, and nothing else owns it.
    pub unsafe fn adopt(address: *mut c_void) -> Option<Self> {
        let engine = Compiled {
            raw: MlirExecutionEngine { ptr: address },
            api: execution_engine()?,
        };
        // SAFETY: the caller gives up a live engine, which `Owned` needs (this function's contract).
        Some(Self(unsafe { Owned::new(engine) }))
    }

    /// The address, by which other code knows it.
    pub fn address(&self) -> *mut c_void {
        self.0.get().raw.ptr
    }

    /// Gives up ownership: the holder of the address owns it.
    pub fn release(self) -> *mut c_void {
        self.0.release().raw.ptr
    }

    /// The address of a function that takes its arguments packed, or null if there is none.
    pub fn lookup_packed(&self, name: &str) -> *mut c_void {
        // SAFETY: `Owned` keeps the engine alive as long as this, and the name is only read.
        unsafe { (self.0.get().api.lookup_packed)(self.0.get().raw, string_ref(name)) }
    }

    /// Returns true if the engine finds a symbol. What the process has under that name it takes for good.
    pub fn finds(&self, name: &str) -> bool {
        // SAFETY: `Owned` keeps the engine alive as long as this, and the name is only read.
        unsafe { !(self.0.get().api.lookup)(self.0.get().raw, string_ref(name)).is_null() }
    }

    /// Defines the symbol `name` as an address, for code that is compiled later.
    ///
    /// # Safety
    ///
    /// No code or library of the engine defines the symbol. What compiled code does with the address, such as calling
    /// it with the arguments of the module's declaration, is valid as long as the engine lives.
    pub unsafe fn define(&self, name: &str, address: *mut c_void) {
        // SAFETY: the engine is live, and MLIR copies the name; the caller vouches for the rest.
        unsafe { (self.0.get().api.register_symbol)(self.0.get().raw, string_ref(name), address) };
    }

    /// Makes a symbol the name of a function of the bundle's runtime libraries, if they have one and the engine
    /// finds nothing else. Returns whether it did.
    ///
    /// # Safety
    ///
    /// Nothing has defined it in the engine.
    pub unsafe fn define_runtime(&self, name: &str) -> bool {
        // SAFETY: the name is only read. The function is of a library that is never unloaded.
        unsafe {
            let address = mondoRuntimeFunction(string_ref(name));
            let is_new = !address.is_null() && !self.finds(name);
            if is_new {
                self.define(name, address);
            }
            is_new
        }
    }

    /// Runs the global constructors, once.
    ///
    /// # Safety
    ///
    /// All symbols that they need are defined, and they may be called.
    pub unsafe fn initialise(&self) {
        // SAFETY: `Owned` keeps the engine alive; that all symbols are defined, and the constructors may
        // run, is this function's contract.
        unsafe { self.0.get().api.initialize(self.0.get().raw) };
    }

    /// Writes the compiled code to a file. MLIR prints what is wrong with that.
    pub fn dump(&self, file: &str) {
        // SAFETY: `Owned` keeps the engine alive as long as this, and the name is only read.
        unsafe { (self.0.get().api.dump_to_object_file)(self.0.get().raw, string_ref(file)) };
    }

    /// Waits for the threads of the bundle's runtime libraries, which run code of engines.
    pub fn finish_threads() {
        // SAFETY: the function has no precondition.
        unsafe { mondoRuntimeFinish() };
    }
}
