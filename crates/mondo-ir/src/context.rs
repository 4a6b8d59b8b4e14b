//! Contexts, and the dialects that they have.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex};

use mondo_sys::{
    MlirContext, MlirDialectHandle, MlirDialectRegistry, mlirContextAppendDialectRegistry,
    mlirContextCreateWithThreading, mlirContextEnableMultithreading,
    mlirContextGetAllowUnregisteredDialects, mlirContextGetOrLoadDialect,
    mlirContextIsRegisteredOperation, mlirContextLoadAllAvailableDialects,
    mlirContextSetAllowUnregisteredDialects, mlirDialectHandleInsertDialect,
    mlirDialectRegistryCreate, mondoBundleDialectCount, mondoBundleDialectName,
    mondoContextUseSharedThreadPool, mondoRegisterBundle, optional,
};

use crate::c_object::Owned;
use crate::callback::{bytes, string_ref};
use crate::capture::captured;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, ErrorKind, Result};
use crate::objects::Nesting;
use crate::scope::{Ir, State};
use crate::uniquer::Uniquer;

/// The dialects that a [`Context`] may load.
///
/// ```
/// # use mondo_ir::{Context, Registry};
/// let mut registry = Registry::empty();
/// registry.insert("func").unwrap();
/// let mut context = Context::with(&registry);
/// context.enter(|ctx, _| {
///     assert!(ctx.load("func").is_ok());
///     assert!(ctx.load("arith").is_err());
/// });
/// ```
#[derive(Debug)]
pub struct Registry(Owned<MlirDialectRegistry>);

impl Registry {
    /// A registry without dialects.
    pub fn empty() -> Self {
        // SAFETY: nothing else owns the registry that the function has just made.
        Self(unsafe { Owned::new(mlirDialectRegistryCreate()) })
    }

    /// Every dialect of the bundle, with the extensions that come with them.
    ///
    /// ```
    /// # use mondo_ir::{Context, Registry};
    /// let registry = Registry::bundle();
    /// assert!(Context::with(&registry).enter(|ctx, _| ctx.knows("func.func")));
    /// ```
    pub fn bundle() -> Self {
        let registry = Self::empty();
        // SAFETY: `Registry` owns the C object, which is live until it is dropped.
        unsafe { mondoRegisterBundle(registry.0.get()) };
        registry
    }

    /// Takes over a registry that other code made.
    ///
    /// ```
    /// # use mondo_ir::{Context, Registry};
    /// # use std::ptr::NonNull;
    /// let made = Registry::bundle();
    /// let address = NonNull::new(made.address()).unwrap();
    /// std::mem::forget(made);
    /// // SAFETY: the registry is live, and nobody else destroys it now.
    /// let adopted = unsafe { Registry::adopt(address) };
    /// assert!(Context::with(&adopted).enter(|ctx, _| ctx.load("func").is_ok()));
    /// ```
    ///
    /// # Safety
    ///
    /// The address is that of a live registry, which nothing else destroys.
    pub unsafe fn adopt(address: NonNull<c_void>) -> Self {
        let ptr = address.as_ptr();
        // SAFETY: the caller gives up a live registry, which `Owned` needs (this function's contract).
        Self(unsafe { Owned::new(MlirDialectRegistry { ptr }) })
    }

    /// The address by which the C API knows it.
    pub fn address(&self) -> *mut c_void {
        self.0.get().ptr
    }

    /// Adds every dialect of the bundle, with the extensions that come with them. The registry is not shared with
    /// another thread meanwhile.
    ///
    /// ```
    /// # use mondo_ir::{Context, Registry};
    /// let registry = Registry::empty();
    /// registry.insert_bundle();
    /// Context::new().enter(|ctx, _| registry.append_to(*ctx));
    /// assert!(Context::with(&registry).enter(|ctx, _| ctx.load("func").is_ok()));
    /// ```
    pub fn insert_bundle(&self) {
        // SAFETY: `Registry` owns the C object, which is live until it is dropped.
        unsafe { mondoRegisterBundle(self.0.get()) };
    }

    /// Makes its dialects available in a context, which copies what it needs.
    pub fn append_to(&self, context: Uniquer<'_>) {
        // SAFETY: a `Uniquer` is of a live context, by its brand, and `Registry` owns the C object.
        unsafe { mlirContextAppendDialectRegistry(context.raw(), self.0.get()) };
    }

    /// Adds one dialect, by its name.
    ///
    /// # Errors
    /// `ErrorKind::Unsupported` if the bundle has no such dialect, or none with a function of its own
    /// in the C API: those come with [`bundle`](Self::bundle).
    pub fn insert(&mut self, dialect: &str) -> Result<()> {
        let missing = || {
            Error::new(
                ErrorKind::Unsupported,
                format!("there is no registration function of a dialect `{dialect}`"),
            )
        };
        let name = format!("mlirGetDialectHandle__{dialect}__");
        let name = std::ffi::CString::new(name).map_err(|_| missing())?;
        let function = optional::function(&name).ok_or_else(missing)?;
        type Handle = unsafe extern "C" fn() -> MlirDialectHandle;
        // SAFETY: each function of that form of name is declared by one macro, with this type. The
        // registry is live.
        unsafe {
            let function = std::mem::transmute::<*mut std::ffi::c_void, Handle>(function);
            mlirDialectHandleInsertDialect(function(), self.0.get());
        }
        Ok(())
    }

    /// The names of the bundle's dialects, sorted.
    ///
    /// ```
    /// # use mondo_ir::Registry;
    /// // The builtin dialect is in every bundle.
    /// let dialects: Vec<&str> = Registry::names().collect();
    /// assert!(dialects.is_sorted() && dialects.contains(&"func"));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        // SAFETY: the functions have no precondition but that the index is below the count, and the names
        // are static strings.
        let count = unsafe { mondoBundleDialectCount() };
        (0..count).filter_map(|index| {
            // SAFETY: the index is below the count, which bounds the range, and the names are static
            // strings.
            std::str::from_utf8(unsafe { bytes(mondoBundleDialectName(index)) }).ok()
        })
    }
}

/// Owns types, attributes and locations, and knows the dialects. Trees are made and used in a scope of
/// it, see [`enter`](Self::enter).
///
/// ```
/// # use mondo_ir::{Context, Module};
/// let mut context = Context::new();
/// let text = context.enter(|ctx, ir| {
///     let module = Module::parse(ctx, "func.func private @f()").unwrap();
///     module.op(ir).to_string()
/// });
/// assert_eq!(text, "module {\n  func.func private @f()\n}\n");
/// ```
#[derive(Debug)]
pub struct Context {
    context: Owned<MlirContext>,
    nesting: Arc<Mutex<Nesting>>,
}

// SAFETY: MLIR's context belongs to no thread, and handles, which do, cannot exist outside of `enter`.
unsafe impl Send for Context {}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl Context {
    /// A context that may load every dialect of the bundle. It starts no threads.
    pub fn new() -> Self {
        Self::with(&Registry::bundle())
    }

    /// A context that may load the dialects of the registry.
    pub fn with(registry: &Registry) -> Self {
        // SAFETY: the new context is ours alone, and both are live.
        unsafe {
            let context = Owned::new(mlirContextCreateWithThreading(false));
            mlirContextAppendDialectRegistry(context.get(), registry.0.get());
            Self {
                context,
                nesting: Arc::default(),
            }
        }
    }

    /// Allows operations, types and attributes of dialects that the context does not know.
    pub fn allow_unregistered(&mut self, allow: bool) -> &mut Self {
        // SAFETY: `Context` owns the C object, which is live until it is dropped.
        unsafe { mlirContextSetAllowUnregisteredDialects(self.context.get(), allow) };
        self
    }

    /// Lets MLIR's own passes use the process's thread pool. Passes and patterns that are closures run in
    /// the thread that starts them, whatever is set here.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// let mut context = Context::new();
    /// context.allow_unregistered(true).threads(true);
    /// context.enter(|ctx, _| assert!(ctx.threads_address().is_some()));
    /// ```
    pub fn threads(&mut self, enable: bool) -> &mut Self {
        // SAFETY: `Context` owns the C object. A thread pool may be set only while threading is off.
        unsafe {
            mlirContextEnableMultithreading(self.context.get(), false);
            if enable {
                mondoContextUseSharedThreadPool(self.context.get());
            }
        }
        self
    }

    /// Runs `work` with the context's handle, and the token for its trees.
    ///
    /// `'ctx` is another lifetime in each call: what belongs to this context can neither leave the
    /// closure nor be used with another context, and that is checked while the program is compiled.
    ///
    /// ```compile_fail
    /// # use mondo_ir::Context;
    /// let mut context = Context::new();
    /// let kept = context.enter(|ctx, _| ctx.index());
    /// ```
    pub fn enter<R>(&mut self, work: impl for<'ctx> FnOnce(Ctx<'ctx>, &mut Ir<'ctx>) -> R) -> R {
        let state = State::owned(self.context.get(), self.nesting.clone());
        work(Ctx::of(&state), &mut Ir::of(&state))
    }
}

/// The handle of a context in its scope: makes what the context owns.
///
/// ```
/// # use mondo_ir::Context;
/// Context::new().enter(|ctx, _| {
///     ctx.load("func").unwrap();
///     ctx.load_all();
///     assert!(ctx.knows("arith.addi"));
///     assert!(!ctx.allows_unregistered());
///     // It dereferences to `Uniquer`, which makes types and attributes.
///     assert_eq!(ctx.integer(7).unwrap().to_string(), "i7");
/// });
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Ctx<'ctx> {
    uniquer: Uniquer<'ctx>,
    pub(crate) state: &'ctx State,
}

impl<'ctx> std::ops::Deref for Ctx<'ctx> {
    type Target = Uniquer<'ctx>;

    #[inline]
    fn deref(&self) -> &Uniquer<'ctx> {
        &self.uniquer
    }
}

impl PartialEq for Ctx<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.uniquer == other.uniquer
    }
}

impl Eq for Ctx<'_> {}

impl<'ctx> Ctx<'ctx> {
    pub(crate) fn of(state: &'ctx State) -> Self {
        Self {
            // SAFETY: the context outlives its state, and the brand is the scope's.
            uniquer: unsafe { Uniquer::expect(state.context) },
            state,
        }
    }

    /// Loads a dialect, so that its operations can be made.
    ///
    /// # Errors
    /// `ErrorKind::Unsupported` if the context's registry has no such dialect.
    pub fn load(self, dialect: &str) -> Result<()> {
        // SAFETY: the context is live, and the name is read only.
        let loaded = unsafe { mlirContextGetOrLoadDialect(self.raw(), string_ref(dialect)) };
        if loaded.ptr.is_null() {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!("the context has no dialect `{dialect}`"),
            ));
        }
        Ok(())
    }

    /// Loads each dialect of the registry.
    pub fn load_all(self) {
        // SAFETY: the scope, which this is a handle of, borrows the `Context`, so it is live.
        unsafe { mlirContextLoadAllAvailableDialects(self.raw()) };
    }

    /// Returns true if an operation of this name is known; loads its dialect, if that is in the registry.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     assert!(ctx.knows("arith.addi"));
    ///     assert!(!ctx.knows("arith.add"));
    /// });
    /// ```
    pub fn knows(self, operation: &str) -> bool {
        if let Some((dialect, _)) = operation.split_once('.') {
            // An error is of no account here: a dialect that cannot be loaded has no known
            // operation.
            let _ = self.load(dialect);
        }
        // SAFETY: the context is live, and the name is read only.
        unsafe { mlirContextIsRegisteredOperation(self.raw(), string_ref(operation)) }
    }

    /// Returns true if operations of unknown dialects are allowed.
    pub fn allows_unregistered(self) -> bool {
        // SAFETY: the scope, which this is a handle of, borrows the `Context`, so it is live.
        unsafe { mlirContextGetAllowUnregisteredDialects(self.raw()) }
    }

    /// Runs `work`, and returns with its result the diagnostics that no call in it took for its own error.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let ((), diagnostics) = ctx.capture(|| ctx.unknown().emit_error(c"not today"));
    ///     assert_eq!(diagnostics[0].message(), "not today");
    /// });
    /// ```
    pub fn capture<R>(self, work: impl FnOnce() -> R) -> (R, Vec<Diagnostic>) {
        captured(self.state, work)
    }
}
