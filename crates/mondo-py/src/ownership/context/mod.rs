//! `Context`: the wrapper of an MLIR context, and its tables of types, attributes and operation names. The
//! methods that Python calls are in `ir/context.rs`.

mod access;
mod depth;
mod entered;
mod operation_names;
mod raised_by_handlers;
mod settings;

use std::cell::Cell;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mondo_ir::Uniquer;
use mondo_ir::objects::{KeptContext, Nesting};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::interop::callback::Callbacks;
use crate::interop::exchanged::Exchanged;
use crate::interop::submodules;
use crate::ownership::storage_table::Table;
use crate::ownership::wrapper::{self, RetainedObjects};

pub(crate) use access::any_is_running;
pub(crate) use depth::too_deep;
pub(crate) use entered::{Entered, Wrap};
use operation_names::Names;
use raised_by_handlers::RaisedByHandlers;

/// The number of live contexts.
static LIVE: AtomicU64 = AtomicU64::new(0);

/// Fails unless both contexts are the same. MLIR does not check this, and one context would keep pointers
/// into the other.
pub(crate) fn require_same(wanted: &Py<Context>, given: &Py<Context>, what: &str) -> PyResult<()> {
    if given.is(wanted) {
        return Ok(());
    }
    Err(of_another(what))
}

/// The exception for an argument that is of another context.
#[cold]
#[inline(never)]
pub(crate) fn of_another(what: &str) -> PyErr {
    PyValueError::new_err(format!("the {what} is of another context"))
}

/// The addresses of the wrappers of contexts. They are no references: a wrapper removes its entry when it is
/// freed.
static OBJECTS: Exchanged<usize> = Exchanged::new();

thread_local! {
    /// The context that the next wrapper made in this thread is for, and whether the wrapper takes ownership
    /// of it; null if that wrapper is to create a new context.
    static ADOPT: Cell<(*mut std::ffi::c_void, bool)> = const { Cell::new((ptr::null_mut(), false)) };
}

/// An MLIR context: the owner of types, attributes, locations and dialects.
///
/// The package derives `Context` from it, which knows the bundle's dialects.
#[pyclass(frozen, subclass, weakref, name = "_Context")]
pub(crate) struct Context {
    // The first field, because the context has to be dropped before the callbacks and the thread pool that it
    // uses.
    raw: KeptContext,
    types: Table,
    attributes: Table,
    names: Names,
    /// What is known of the depth of its types, attributes and affine expressions.
    nesting: Mutex<Nesting>,
    /// The unreferenced wrappers of types and attributes that have Python attributes of their own.
    retained: RetainedObjects,
    /// The number of trees whose operations may use values of other trees.
    open_trees: AtomicU64,
    /// The number of modules whose wrappers Python refers to.
    live_modules: AtomicU64,
    /// The number of the thread that runs a pass pipeline, or 0.
    runner: AtomicU64,
    emit_error_diagnostics: AtomicBool,
    /// True if `OBJECTS` has this wrapper. Before that, the context could get a second wrapper.
    known: AtomicBool,
    /// The number of diagnostics that are being emitted and that a handler written in Python may see.
    handling: AtomicU64,
    /// The callbacks of its diagnostic handlers, for the garbage collector. MLIR's context owns the handlers.
    callbacks: Callbacks,
    /// The exceptions of those handlers that are to be raised by the code that emitted the diagnostic.
    raised: RaisedByHandlers,
    /// True if an operation has a verifier written in Python. Then the context has no threads.
    verifies_in_python: AtomicBool,
    /// The Python object of the thread pool that the context was given; None if it uses the shared one.
    pool: Mutex<Option<Py<PyAny>>>,
}

// SAFETY: an MLIR context may be used by any thread, and `check_access` keeps all others out while
// one runs a pipeline without the interpreter.
unsafe impl Send for Context {}
// SAFETY: an MLIR context may be used by any thread, and `check_access` keeps all others out while one runs
// a pipeline without the interpreter.
unsafe impl Sync for Context {}

impl Drop for Context {
    fn drop(&mut self) {
        OBJECTS.remove(self.raw.address().as_ptr());
        self.retained.close();
        // SAFETY: each active wrapper of a type or attribute holds a reference to this object, whose last one
        // is gone, so that the tables have only dormant wrappers.
        unsafe {
            self.types.free();
            self.attributes.free();
        }
        LIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Context {
    /// The contents of a wrapper for the context in `ADOPT`, or else for a new one. Both tables are empty.
    pub(crate) fn create(types: Table, attributes: Table) -> Self {
        LIVE.fetch_add(1, Ordering::Relaxed);
        let (ptr, owned) = ADOPT.replace((ptr::null_mut(), false));
        // A new context has no threads; `Context.__init__` switches them on later, as upstream's does.
        let raw = NonNull::new(ptr).map_or_else(KeptContext::create, |address| {
            // SAFETY: `adopt` set `ADOPT`, and by its contract the context is live and, if `owned`, destroyed
            // by nothing else.
            unsafe { KeptContext::of(address, owned) }
        });
        Self {
            raw,
            types,
            attributes,
            names: Names::default(),
            nesting: Mutex::default(),
            retained: RetainedObjects::default(),
            open_trees: AtomicU64::new(0),
            live_modules: AtomicU64::new(0),
            runner: AtomicU64::new(0),
            emit_error_diagnostics: AtomicBool::new(false),
            known: AtomicBool::new(false),
            raised: RaisedByHandlers::default(),
            handling: AtomicU64::new(0),
            callbacks: Callbacks::default(),
            verifies_in_python: AtomicBool::new(false),
            pool: Mutex::default(),
        }
    }

    /// Enters a new wrapper into `OBJECTS`.
    pub(crate) fn remember(slf: &Bound<'_, Self>) {
        OBJECTS.enter(slf.get().raw.address().as_ptr(), slf.as_ptr() as usize);
        slf.get().known.store(true, Ordering::Release);
    }

    /// The wrapper of a context that another extension created. If there is none yet, makes one that does not
    /// own the context.
    ///
    /// # Safety
    ///
    /// There is a live context at the address, which stays live as long as the wrapper is used.
    pub(crate) unsafe fn of(
        py: Python<'_>,
        address: NonNull<std::ffi::c_void>,
    ) -> PyResult<Py<Self>> {
        if let Some(object) = OBJECTS.with(address.as_ptr(), |object| *object) {
            return Self::shared(py, object)
                .ok_or_else(|| PyRuntimeError::new_err("the context is being freed right now"));
        }
        // SAFETY: the context is live by this function's contract, and with `owned` false the wrapper never
        // destroys it.
        unsafe { Self::adopt(py, address, false) }
    }

    /// The wrapper of the context of a callback from MLIR.
    pub(crate) fn calling(py: Python<'_>, ctx: Uniquer<'_>) -> PyResult<Py<Self>> {
        // SAFETY: the context is live, by its brand. A context without a wrapper belongs to another
        // extension, which has to keep it alive as long as Python uses objects of it.
        unsafe { Self::of(py, ctx.address()) }
    }

    /// A reference to a wrapper from `OBJECTS`; None if it is being freed.
    fn shared(py: Python<'_>, object: usize) -> Option<Py<Self>> {
        let object = object as *mut ffi::PyObject;
        // SAFETY: `object` came from the table, which a wrapper leaves in `drop`, so that its memory is still
        // there. While it is being freed, its reference count is 0.
        unsafe { (ffi::Py_REFCNT(object) > 0).then(|| wrapper::borrowed(py, object)) }
    }

    /// The wrappers of all contexts.
    pub(crate) fn all(py: Python<'_>) -> Vec<Py<Self>> {
        OBJECTS
            .all(|object| *object)
            .into_iter()
            .filter_map(|object| Self::shared(py, object))
            .collect()
    }

    /// A new wrapper for the context at an address.
    ///
    /// # Safety
    ///
    /// As for `of`. If `owned`, nothing but the wrapper destroys the context.
    pub(crate) unsafe fn adopt(
        py: Python<'_>,
        address: NonNull<std::ffi::c_void>,
        owned: bool,
    ) -> PyResult<Py<Self>> {
        let class = submodules::ir(py)?.getattr("Context")?;
        ADOPT.set((address.as_ptr(), owned));
        let made = class.call_method1("__new__", (&class,));
        ADOPT.set((ptr::null_mut(), false));
        let object = made?.cast_into::<Self>()?;
        Self::remember(&object);
        Ok(object.unbind())
    }

    /// The wrappers of its types.
    pub(crate) fn types(&self) -> &Table {
        &self.types
    }

    /// The wrappers of its attributes.
    pub(crate) fn attributes(&self) -> &Table {
        &self.attributes
    }

    /// The names of its operations.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// The unreferenced wrappers of its types and attributes that have Python attributes of their own.
    pub(crate) fn retained(&self) -> &RetainedObjects {
        &self.retained
    }

    /// Returns whether there are trees whose operations may use values of other trees.
    pub(crate) fn has_open_trees(&self) -> bool {
        self.open_trees.load(Ordering::Relaxed) != 0
    }

    /// Counts a tree that became open, or (with `more` false) one that ended or was closed.
    pub(crate) fn count_open_trees(&self, more: bool) {
        if more {
            self.open_trees.fetch_add(1, Ordering::Relaxed);
        } else {
            self.open_trees.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Counts a module whose wrapper became active, or (with `more` false) stopped being active.
    pub(crate) fn count_live_modules(&self, more: bool) {
        if more {
            self.live_modules.fetch_add(1, Ordering::Relaxed);
        } else {
            self.live_modules.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// The context's address, for a call that reads or changes it.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<NonNull<std::ffi::c_void>> {
        self.check_access(py)?;
        if !self.known.load(Ordering::Acquire) {
            return Err(uninitialised());
        }
        Ok(self.raw.address())
    }

    /// The callbacks of its diagnostic handlers.
    pub(crate) fn callbacks(&self) -> &Callbacks {
        &self.callbacks
    }

    /// Returns whether errors go to the diagnostic handlers instead of into an `MLIRError`.
    pub(crate) fn emits_errors(&self) -> bool {
        self.emit_error_diagnostics.load(Ordering::Relaxed)
    }

    /// Returns whether the context at an address has a wrapper.
    pub(crate) fn is_known(raw: *const std::ffi::c_void) -> bool {
        OBJECTS.with(raw, |_| ()).is_some()
    }

    /// The number of live contexts.
    pub(crate) fn live() -> u64 {
        LIVE.load(Ordering::Relaxed)
    }

    /// The number of modules that Python refers to.
    pub(crate) fn live_modules(&self) -> u64 {
        self.live_modules.load(Ordering::Relaxed)
    }

    /// Sets whether errors go to the diagnostic handlers or into an `MLIRError`.
    pub(crate) fn emit_errors(&self, emit: bool) {
        self.emit_error_diagnostics.store(emit, Ordering::Relaxed);
    }

    /// The implementation of `__traverse__`.
    pub(crate) fn show(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.retained.traverse(visit)?;
        self.names.traverse(visit)?;
        if let Ok(pool) = self.pool.try_lock() {
            visit.call(&*pool)?;
        }
        self.callbacks.traverse(visit)
    }

    /// The implementation of `__clear__`.
    pub(crate) fn clear(&self, py: Python<'_>) {
        self.names.clear(py);
        self.retained.close();
        self.callbacks.clear();
    }

    /// The Python object of the thread pool that the context was given.
    pub(crate) fn pool(&self) -> MutexGuard<'_, Option<Py<PyAny>>> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether pipelines may use more than one thread.
    pub(crate) fn is_multithreaded(&self) -> bool {
        self.raw.threads() > 1
    }
}

#[cold]
#[inline(never)]
fn uninitialised() -> PyErr {
    PyRuntimeError::new_err("the context was not initialised: Context.__init__ was not called")
}
