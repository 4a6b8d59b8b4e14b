//! Compiling modules in memory, and calling their functions.

use std::ffi::{c_int, c_void};
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

use mondo_sys::optional::execution_engine;
use mondo_sys::{
    mlirModuleFromOperation, mondoRegisterBundleTranslations, mondoTranslateModuleToLLVMIR,
};

use crate::c_object::Owned;
use crate::callback::{string_ref, text};
use crate::capture::captured;
use crate::compiled::Compiled;
use crate::error::{Error, ErrorKind, Result};
use crate::owner::Module;
use crate::scope::Ir;

/// The options of compiling a module.
///
/// ```
/// # use mondo_ir::{Context, EngineOptions, ErrorKind, ExecutionEngine, Module};
/// Context::new().enter(|ctx, ir| {
///     let module = Module::new(ctx, ctx.unknown());
///     let options = EngineOptions::new().level(3);
///     // SAFETY: the module has no constructors.
///     let engine = unsafe { ExecutionEngine::new(ir, &module, &options) };
///     // A bundle may be without an engine.
///     if let Err(error) = engine {
///         assert_eq!(error.kind(), ErrorKind::Unsupported);
///     }
/// });
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct EngineOptions {
    level: u8,
    libraries: Vec<String>,
    object_file: bool,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            level: 2,
            libraries: Vec::new(),
            object_file: false,
        }
    }
}

impl EngineOptions {
    /// Level 2, and no libraries.
    pub fn new() -> Self {
        Self::default()
    }

    /// The level of LLVM's optimisations, 0 to 3; more is 3.
    pub fn level(mut self, level: u8) -> Self {
        self.level = level.min(3);
        self
    }

    /// Lets the code be written to a file, by [`ExecutionEngine::write_object`]. It is independent of its position then.
    pub fn object_file(mut self) -> Self {
        self.object_file = true;
        self
    }

    /// Loads a shared library, whose functions the module may call.
    ///
    /// ```
    /// # use mondo_ir::EngineOptions;
    /// // SAFETY: no engine is made with these options, so that nothing is loaded.
    /// let options = unsafe { EngineOptions::new().library("libm.so.6") };
    /// assert!(format!("{options:?}").contains("libm.so.6"));
    /// ```
    ///
    /// # Safety
    ///
    /// Loading the library runs its constructors, which must not break this program.
    pub unsafe fn library(mut self, path: &str) -> Self {
        self.libraries.push(path.to_owned());
        self
    }
}

/// A compiled module. It needs neither the module nor the context any more.
///
/// ```
/// # use mondo_ir::{Context, EngineOptions, ExecutionEngine, Module};
/// let text = "llvm.func @twice(%a: i32) -> i32 { \
///             %0 = llvm.add %a, %a : i32 llvm.return %0 : i32 }";
/// let engine = Context::new().enter(|ctx, ir| {
///     let module = Module::parse(ctx, text).unwrap();
///     // SAFETY: the module has no constructors.
///     unsafe { ExecutionEngine::new(ir, &module, &EngineOptions::new()) }
/// });
/// // A bundle may be without an engine.
/// if let Ok(engine) = engine {
///     // SAFETY: the function has this signature in C, and touches nothing.
///     let sum = unsafe {
///         let twice = engine.function::<unsafe extern "C" fn(i32) -> i32>("twice").unwrap();
///         twice.call((21,))
///     };
///     assert_eq!(sum, 42);
/// }
/// ```
pub struct ExecutionEngine {
    compiled: Owned<Compiled>,
    has_object: bool,
}

impl fmt::Debug for ExecutionEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ExecutionEngine")
    }
}

impl ExecutionEngine {
    /// Compiles a module of the `llvm` dialect, and runs its global constructors.
    ///
    /// # Safety
    ///
    /// The constructors of the module may be called.
    ///
    /// # Errors
    /// `ErrorKind::Unsupported` if the bundle has no engine, `ErrorKind::Engine` if the module cannot be
    /// compiled, with the diagnostics; `ErrorKind::Verify` and `ErrorKind::Open` as in
    /// [`Op::verify`](crate::Op::verify).
    pub unsafe fn new<'ctx>(
        ir: &mut Ir<'ctx>,
        module: &Module<'ctx>,
        options: &EngineOptions,
    ) -> Result<Self> {
        let api = execution_engine().ok_or_else(|| {
            Error::new(ErrorKind::Unsupported, "the bundle has no execution engine")
        })?;
        ir.collect();
        module.op(ir).verify()?;
        let paths: Vec<_> = options.libraries.iter().map(string_ref).collect();
        let count = c_int::try_from(paths.len())
            .map_err(|_| Error::new(ErrorKind::Engine, "there are too many libraries"))?;
        let (raw, diagnostics) = captured(ir.state, || {
            // SAFETY: the context and the module are live, and the module is valid; the array is as long
            // as said. The caller vouches for what is run.
            unsafe {
                mondoRegisterBundleTranslations(ir.state.context);
                let raw = mlirModuleFromOperation(module.owner().raw());
                let level = options.level.into();
                let object = options.object_file;
                let engine = api.create(raw, level, count, paths.as_ptr(), object, object);
                if !engine.ptr.is_null() {
                    api.initialize(engine);
                }
                engine
            }
        });
        if raw.ptr.is_null() {
            let error = Error::new(ErrorKind::Engine, "the module cannot be compiled");
            return Err(error.with(diagnostics));
        }
        // SAFETY: the engine is new, and functions borrow what owns it.
        let compiled = unsafe { Owned::new(Compiled { raw, api }) };
        Ok(Self {
            compiled,
            has_object: options.object_file,
        })
    }

    /// Writes the compiled code to an object file, which a linker takes.
    ///
    /// ```
    /// # use mondo_ir::{Context, EngineOptions, ErrorKind, ExecutionEngine, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let module = Module::parse(ctx, "llvm.func @f() { llvm.return }").unwrap();
    ///     let options = EngineOptions::new().object_file();
    ///     // SAFETY: the module has no constructors.
    ///     if let Ok(engine) = unsafe { ExecutionEngine::new(ir, &module, &options) } {
    ///         let path = std::env::temp_dir().join(format!("mondo-{}.o", std::process::id()));
    ///         engine.write_object(&path).unwrap();
    ///         assert!(std::fs::read(&path).unwrap().starts_with(b"\x7fELF"));
    ///         std::fs::remove_file(&path).unwrap();
    ///         assert!(engine.write_object("/nowhere/f.o".as_ref()).is_err());
    ///     }
    ///     // SAFETY: as above.
    ///     if let Ok(engine) = unsafe { ExecutionEngine::new(ir, &module, &EngineOptions::new()) } {
    ///         let error = engine.write_object("f.o".as_ref()).unwrap_err();
    ///         assert_eq!(error.kind(), ErrorKind::Engine);
    ///     }
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Engine` if the engine was made without [`EngineOptions::object_file`], or the file cannot be written.
    pub fn write_object(&self, path: &Path) -> Result<()> {
        let failed = |why: &str| {
            let message = format!("cannot write the object file `{}`: {why}", path.display());
            Error::new(ErrorKind::Engine, message)
        };
        if !self.has_object {
            return Err(failed(
                "the engine was made without `EngineOptions::object_file`",
            ));
        }
        let name = path
            .to_str()
            .ok_or_else(|| failed("its name is not UTF-8"))?;
        // MLIR's function reports nothing, so the file is made first.
        std::fs::write(path, []).map_err(|error| failed(&error.to_string()))?;
        let Compiled { raw, api } = self.compiled.get();
        // SAFETY: `Owned` keeps the engine alive as long as this, and the name is only read.
        unsafe { (api.dump_to_object_file)(raw, string_ref(name)) };
        match std::fs::metadata(path) {
            Ok(written) if written.len() > 0 => Ok(()),
            Ok(_) => Err(failed("LLVM wrote nothing")),
            Err(error) => Err(failed(&error.to_string())),
        }
    }

    /// The function of that name, with the signature that the caller gives it.
    ///
    /// # Safety
    ///
    /// The compiled function has this signature in the machine's C calling convention.
    ///
    /// # Errors
    /// `ErrorKind::Missing` if the module defines no such function.
    pub unsafe fn function<F: Signature>(&self, name: &str) -> Result<Function<'_, F>> {
        let Compiled { raw, api } = self.compiled.get();
        // SAFETY: `Owned` keeps the engine alive as long as this, and the name is only read.
        let address = unsafe { (api.lookup)(raw, string_ref(name)) };
        if address.is_null() {
            let message = format!("the compiled module has no function `{name}`");
            return Err(Error::new(ErrorKind::Missing, message));
        }
        Ok(Function {
            // SAFETY: the caller vouches for the signature.
            pointer: unsafe { F::of(address) },
            engine: PhantomData,
        })
    }

    /// Gives a name that the module only declares an address.
    ///
    /// ```
    /// # use mondo_ir::{Context, EngineOptions, ExecutionEngine, Module};
    /// extern "C" fn seven() -> i32 {
    ///     7
    /// }
    ///
    /// let text = "llvm.func @seven() -> i32 llvm.func @f() -> i32 { \
    ///             %0 = llvm.call @seven() : () -> i32 llvm.return %0 : i32 }";
    /// let engine = Context::new().enter(|ctx, ir| {
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     // SAFETY: the module has no constructors.
    ///     unsafe { ExecutionEngine::new(ir, &module, &EngineOptions::new()) }
    /// });
    /// // A bundle may be without an engine.
    /// if let Ok(engine) = engine {
    ///     // SAFETY: both functions have the signature that they are given here.
    ///     unsafe {
    ///         engine.define("seven", seven as *mut std::ffi::c_void);
    ///         let f = engine.function::<unsafe extern "C" fn() -> i32>("f").unwrap();
    ///         assert_eq!(f.call(()), 7);
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    ///
    /// The address is of what the module takes it for, as long as the engine lives.
    pub unsafe fn define(&self, name: &str, address: *mut c_void) {
        let Compiled { raw, api } = self.compiled.get();
        // SAFETY: the engine is live; the caller vouches for the address.
        unsafe { (api.register_symbol)(raw, string_ref(name), address) };
    }
}

impl<'ctx> Module<'ctx> {
    /// Translates a module of the `llvm` dialect to LLVM IR, as text.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "llvm.func @f() { llvm.return }";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     // A bundle may be without the translation.
    ///     if let Ok(text) = module.to_llvm_ir(ir) {
    ///         assert!(text.contains("define void @f()"));
    ///     }
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Unsupported` if the module cannot be translated, or the bundle cannot do that, with the
    /// diagnostics; `ErrorKind::Verify` and `ErrorKind::Open` as in [`Op::verify`](crate::Op::verify).
    pub fn to_llvm_ir(&self, ir: &mut Ir<'ctx>) -> Result<String> {
        ir.collect();
        self.op(ir).verify()?;
        let ((text, done), diagnostics) = captured(ir.state, || {
            // SAFETY: the context and the module are live, and the module is valid.
            unsafe {
                mondoRegisterBundleTranslations(ir.state.context);
                text(|sink, data| mondoTranslateModuleToLLVMIR(self.owner().raw(), sink, data))
            }
        });
        if done.value == 0 {
            let message = "the module cannot be translated to LLVM IR";
            return Err(Error::new(ErrorKind::Unsupported, message).with(diagnostics));
        }
        Ok(text)
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A pointer to a function of C.
///
/// ```
/// # use mondo_ir::Signature;
/// unsafe extern "C" fn twice(number: i32) -> i32 {
///     2 * number
/// }
///
/// fn call<F: Signature<Result = i32>>(function: F, arguments: F::Arguments) -> i32 {
///     // SAFETY: the functions that this is called with have no precondition.
///     unsafe { function.call(arguments) }
/// }
/// assert_eq!(call(twice as unsafe extern "C" fn(i32) -> i32, (21,)), 42);
/// ```
pub trait Signature: sealed::Sealed + Copy {
    /// The arguments, as a tuple.
    type Arguments;
    /// The result.
    type Result;
    /// The function at an address.
    ///
    /// # Safety
    ///
    /// There is a function of this signature.
    unsafe fn of(address: *mut c_void) -> Self;
    /// Calls the function.
    ///
    /// # Safety
    ///
    /// The preconditions of the called function hold.
    unsafe fn call(self, arguments: Self::Arguments) -> Self::Result;
}

macro_rules! signatures {
    ($(($($argument:ident $name:ident)*);)+) => {
        $(impl<R, $($argument),*> sealed::Sealed for unsafe extern "C" fn($($argument),*) -> R {}

        impl<R, $($argument),*> Signature for unsafe extern "C" fn($($argument),*) -> R {
            type Arguments = ($($argument,)*);
            type Result = R;

            unsafe fn of(address: *mut c_void) -> Self {
                // SAFETY: the caller vouches for the function; both are one pointer.
                unsafe { std::mem::transmute::<*mut c_void, Self>(address) }
            }

            unsafe fn call(self, ($($name,)*): Self::Arguments) -> R {
                // SAFETY: the caller vouches for the call.
                unsafe { self($($name),*) }
            }
        })+
    };
}

signatures! {
    ();
    (A a);
    (A a B b);
    (A a B b C c);
    (A a B b C c D d);
    (A a B b C c D d E e);
    (A a B b C c D d E e F f);
    (A a B b C c D d E e F f G g);
    (A a B b C c D d E e F f G g H h);
}

/// A compiled function, for as long as its engine lives.
///
/// ```
/// # use mondo_ir::{Context, EngineOptions, ExecutionEngine, Function, Module};
/// let text = "llvm.func @sum(%a: i64, %b: i64) -> i64 { \
///             %0 = llvm.add %a, %b : i64 llvm.return %0 : i64 }";
/// let engine = Context::new().enter(|ctx, ir| {
///     let module = Module::parse(ctx, text).unwrap();
///     // SAFETY: the module has no constructors.
///     unsafe { ExecutionEngine::new(ir, &module, &EngineOptions::new()) }
/// });
/// // A bundle may be without an engine.
/// if let Ok(engine) = engine {
///     // SAFETY: the function has this signature in C, and no precondition.
///     let sum = unsafe {
///         let sum: Function<'_, unsafe extern "C" fn(i64, i64) -> i64> =
///             engine.function("sum").unwrap();
///         sum.call((20, 22))
///     };
///     assert_eq!(sum, 42);
///     // SAFETY: there is no such function.
///     let missing = unsafe { engine.function::<unsafe extern "C" fn()>("difference") };
///     assert!(missing.is_err());
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Function<'engine, F> {
    pointer: F,
    engine: PhantomData<&'engine ExecutionEngine>,
}

impl<F: Signature> Function<'_, F> {
    /// Calls the function.
    ///
    /// # Safety
    ///
    /// The preconditions of the called function hold, such as that pointers among the arguments are valid.
    pub unsafe fn call(&self, arguments: F::Arguments) -> F::Result {
        // SAFETY: the caller upholds this function's contract; the engine is live, as this borrows it.
        unsafe { self.pointer.call(arguments) }
    }
}
