//! `Context`: what every other object lives in.

mod access;
mod operation_names;

use std::cell::Cell;
use std::collections::HashMap;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use crate::interop::absent_parts;
use crate::interop::callback::Callbacks;
use crate::interop::capsule;
use crate::interop::string::string_ref;
use crate::interop::submodules;
use crate::ir::attribute::Attribute;
use crate::ir::block::{self, Arguments, Block};
use crate::ir::current;
use crate::ir::diagnostics::DiagnosticHandler;
use crate::ir::dialect_registry::{DialectDescriptor, DialectRegistry, Dialects};
use crate::ir::location::Location;
use crate::ir::operation::{self, Attributes, Few, Recipe, Regions, ValueLike};
use crate::ir::region::{self, Region};
use crate::ir::thread_pool::{self, ThreadPool};
use crate::ir::types::Type;
use crate::ownership::storage_wrapper::Table;
use crate::ownership::wrapper::{self, Keep};

pub(crate) use access::any_is_running;
use operation_names::Names;

/// How many contexts live.
static LIVE: AtomicU64 = AtomicU64::new(0);

/// Fails unless both contexts are the same: MLIR does not look, and the one would be left with
/// pointers into the other.
pub(crate) fn require_same(wanted: &Py<Context>, given: &Py<Context>, what: &str) -> PyResult<()> {
    if given.is(wanted) {
        return Ok(());
    }
    Err(of_another(what))
}

/// The exception for something of another context.
#[cold]
#[inline(never)]
pub(crate) fn of_another(what: &str) -> PyErr {
    PyValueError::new_err(format!("the {what} is of another context"))
}

/// The objects of contexts, by the address of the context. Not references: each leaves when it is
/// freed.
static OBJECTS: Mutex<Option<HashMap<usize, usize>>> = Mutex::new(None);

fn objects() -> MutexGuard<'static, Option<HashMap<usize, usize>>> {
    OBJECTS.lock().unwrap_or_else(PoisonError::into_inner)
}

thread_local! {
    /// A context of somebody else's that the next object made in this thread is for, and whether the
    /// object takes ownership of it.
    static ADOPT: Cell<(*mut std::ffi::c_void, bool)> = const { Cell::new((ptr::null_mut(), false)) };
}

/// An MLIR context: the owner of types, attributes, locations and dialects.
///
/// The package derives `Context` from it, which knows the bundle's dialects.
#[pyclass(frozen, subclass, weakref, name = "_Context")]
pub(crate) struct Context {
    raw: MlirContext,
    /// Whether it is destroyed with this object.
    owned: bool,
    types: Table,
    attributes: Table,
    names: Names,
    /// Types and attributes with attributes of their own that nobody refers to.
    keep: Keep,
    /// How many trees there are whose operations may use values of other trees.
    open_trees: AtomicU64,
    /// How many objects for modules Python refers to.
    live_modules: AtomicU64,
    /// The thread that runs a pass pipeline, or 0.
    runner: AtomicU64,
    emit_error_diagnostics: AtomicBool,
    /// Whether the table of contexts has this object, without which there might be a second one.
    known: AtomicBool,
    /// How many diagnostics are being emitted that a handler written in Python may see.
    handling: AtomicU64,
    /// The callbacks of its diagnostic handlers, which it owns by way of MLIR; for the garbage
    /// collector.
    callbacks: Callbacks,
    /// The threads that it was given, if they are its own.
    pool: Mutex<Option<Py<ThreadPool>>>,
}

// SAFETY: an MLIR context may be used by any thread, and `check_access` keeps all others out while
// one runs a pipeline without the interpreter.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Drop for Context {
    fn drop(&mut self) {
        if let Some(objects) = objects().as_mut() {
            objects.remove(&(self.raw.ptr as usize));
        }
        self.keep.close();
        // SAFETY: everything that lives in a context and that Python refers to holds a reference to
        // this object, so that only parked objects are left of it.
        unsafe {
            self.types.free::<Type>();
            self.attributes.free::<Attribute>();
            if self.owned {
                mlirContextDestroy(self.raw);
            }
        }
        LIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Context {
    /// The object for a context that an extension speaks of; one that is not known yet is made, and
    /// does not own the context.
    ///
    /// # Safety
    ///
    /// `raw` is a live context, and stays so as long as it is used.
    pub(crate) unsafe fn of(py: Python<'_>, raw: MlirContext) -> PyResult<Py<Self>> {
        let known = objects()
            .as_ref()
            .and_then(|objects| objects.get(&(raw.ptr as usize)).copied());
        if let Some(object) = known {
            let object = object as *mut ffi::PyObject;
            // SAFETY: the object is in the table until it is freed; its count is 0 while that goes on.
            if unsafe { ffi::Py_REFCNT(object) } > 0 {
                // SAFETY: as above.
                return Ok(unsafe { wrapper::borrowed(py, object) });
            }
            return Err(PyRuntimeError::new_err(
                "the context is being freed right now",
            ));
        }
        Self::adopt(py, raw, false)
    }

    /// A new object for `raw`.
    fn adopt(py: Python<'_>, raw: MlirContext, owned: bool) -> PyResult<Py<Self>> {
        let class = submodules::ir(py)?.getattr("Context")?;
        ADOPT.set((raw.ptr, owned));
        let made = class.call_method1("__new__", (&class,));
        ADOPT.set((ptr::null_mut(), false));
        let made = made?.cast_into::<Self>()?;
        Self::_remember(&made);
        Ok(made.unbind())
    }

    /// The objects of its types.
    pub(crate) fn types(&self) -> &Table {
        &self.types
    }

    /// The objects of its attributes.
    pub(crate) fn attributes(&self) -> &Table {
        &self.attributes
    }

    /// The names of its operations.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// What holds its types and attributes that have attributes of their own.
    pub(crate) fn keep(&self) -> &Keep {
        &self.keep
    }

    /// Whether there are trees whose operations may use values of other trees.
    pub(crate) fn has_open_trees(&self) -> bool {
        self.open_trees.load(Ordering::Relaxed) != 0
    }

    /// Counts a tree that became open, or that ended or was closed.
    pub(crate) fn count_open_trees(&self, more: bool) {
        if more {
            self.open_trees.fetch_add(1, Ordering::Relaxed);
        } else {
            self.open_trees.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Counts an object for a module that Python begins to refer to, or does no more.
    pub(crate) fn count_live_modules(&self, more: bool) {
        if more {
            self.live_modules.fetch_add(1, Ordering::Relaxed);
        } else {
            self.live_modules.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// The context, for a call that reads or changes it.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<MlirContext> {
        self.check_access(py)?;
        if !self.known.load(Ordering::Acquire) {
            return Err(uninitialised());
        }
        Ok(self.raw)
    }

    /// The callbacks of its diagnostic handlers.
    pub(crate) fn callbacks(&self) -> &Callbacks {
        &self.callbacks
    }

    /// Whether errors go to the diagnostic handlers rather than into `MLIRError`.
    pub(crate) fn emits_errors(&self) -> bool {
        self.emit_error_diagnostics.load(Ordering::Relaxed)
    }

    /// `name`'s dialect, loaded if need be; null if there is none.
    pub(crate) fn dialect(&self, py: Python<'_>, name: &str) -> PyResult<MlirDialect> {
        let raw = self.get(py)?;
        // SAFETY: the context is live, and MLIR copies the name.
        Ok(unsafe { mlirContextGetOrLoadDialect(raw, string_ref(name)) })
    }
}

#[cold]
#[inline(never)]
fn uninitialised() -> PyErr {
    PyRuntimeError::new_err("the context was not initialised: Context.__init__ was not called")
}

#[pymethods]
impl Context {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        LIVE.fetch_add(1, Ordering::Relaxed);
        let (ptr, owned) = ADOPT.replace((ptr::null_mut(), false));
        let (raw, owned) = if ptr.is_null() {
            // SAFETY: there is no precondition. Threads are switched on later, as upstream does.
            (unsafe { mlirContextCreateWithThreading(false) }, true)
        } else {
            (MlirContext { ptr }, owned)
        };
        Self {
            raw,
            owned,
            types: Table::default(),
            attributes: Table::default(),
            names: Names::default(),
            keep: Keep::default(),
            open_trees: AtomicU64::new(0),
            live_modules: AtomicU64::new(0),
            runner: AtomicU64::new(0),
            emit_error_diagnostics: AtomicBool::new(false),
            known: AtomicBool::new(false),
            handling: AtomicU64::new(0),
            callbacks: Callbacks::default(),
            pool: Mutex::default(),
        }
    }

    // A callback that uses its context keeps it alive, which keeps the callback alive.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.keep.traverse(&visit)?;
        self.names.traverse(&visit)?;
        if let Ok(pool) = self.pool.try_lock() {
            visit.call(&*pool)?;
        }
        self.callbacks.traverse(&visit)
    }

    fn __clear__(&self, py: Python<'_>) {
        self.names.clear(py);
        self.keep.close();
        self.callbacks.clear();
    }

    /// A capsule with the `MlirContext`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, "ir.Context", self.get(py)?.ptr)
    }

    /// Takes over the `MlirContext` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let ptr = capsule::unwrap(capsule, "ir.Context")?;
        let known = objects()
            .as_ref()
            .is_some_and(|objects| objects.contains_key(&(ptr as usize)));
        if known {
            // SAFETY: the context of an object is live.
            return unsafe { Self::of(capsule.py(), MlirContext { ptr }) };
        }
        Self::adopt(capsule.py(), MlirContext { ptr }, true)
    }

    /// The context itself.
    fn _get_context_again(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// The number of modules of the context that Python refers to.
    fn _get_live_module_count(&self) -> u64 {
        self.live_modules.load(Ordering::Relaxed)
    }

    /// The number of live contexts.
    #[staticmethod]
    fn _get_live_count() -> u64 {
        LIVE.load(Ordering::Relaxed)
    }

    // Called with every new object, before `__init__` of the derived class.
    fn _remember(slf: &Bound<'_, Self>) {
        let address = slf.get().raw.ptr as usize;
        objects()
            .get_or_insert_default()
            .insert(address, slf.as_ptr() as usize);
        slf.get().known.store(true, Ordering::Release);
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        current::push_context(&slf);
        slf
    }

    fn __exit__(
        slf: &Bound<'_, Self>,
        exc_type: &Bound<'_, PyAny>,
        exc_value: &Bound<'_, PyAny>,
        traceback: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let _ = (exc_type, exc_value, traceback);
        current::pop_context(slf)
    }

    /// Makes an operation that is in no block yet.
    ///
    /// `regions` are regions that `new_region` made, or the number of empty ones. Without `results`
    /// they are inferred.
    #[pyo3(signature = (name, *, results = None, operands = None, attributes = None,
                        successors = None, regions = None, loc = None))]
    #[expect(clippy::too_many_arguments, reason = "all that an operation has")]
    fn new_op<'py>(
        slf: &Bound<'py, Self>,
        name: &str,
        results: Option<Vec<Bound<'py, Type>>>,
        operands: Option<Vec<Bound<'py, PyAny>>>,
        attributes: Option<Bound<'py, PyDict>>,
        successors: Option<Vec<Option<Bound<'py, Block>>>>,
        regions: Option<Bound<'py, PyAny>>,
        loc: Option<Bound<'py, Location>>,
    ) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let regions = match regions {
            None => Regions::Empty(0),
            Some(regions) => match regions.extract::<usize>() {
                Ok(count) => Regions::Empty(count),
                Err(_) => Regions::Given(regions.extract()?),
            },
        };
        let recipe = Recipe {
            name,
            infer: results.is_none(),
            results: results.map(Few::from_vec),
            operands: operands
                .iter()
                .flatten()
                .map(ValueLike::of)
                .collect::<PyResult<_>>()?,
            attributes: Attributes::of(attributes.as_ref(), name)?,
            successors: operation::blocks_of(successors)?,
            regions,
        };
        let location = match loc.or_else(|| current::location(py).map(|it| it.into_bound(py))) {
            Some(location) => location,
            None => {
                // SAFETY: the context is live, and the location is its own.
                unsafe {
                    let raw = mlirLocationUnknownGet(slf.get().get(py)?);
                    Location::new(py, slf.clone().unbind(), raw)?
                }
            }
        };
        require_same(slf.as_unbound(), location.get().context_ref(), "location")?;
        let operation = operation::new_op(recipe, &location, None)?;
        operation::view_of(py, &operation)
    }

    /// Makes a region that is in no operation yet.
    fn new_region(slf: &Bound<'_, Self>) -> PyResult<Py<Region>> {
        region::create(slf.py(), slf.as_unbound())
    }

    /// Makes a block that is in no region yet, with arguments of these types.
    #[pyo3(signature = (arg_types = None, arg_locs = None))]
    fn new_block(
        slf: &Bound<'_, Self>,
        arg_types: Option<Vec<Bound<'_, Type>>>,
        arg_locs: Option<Vec<Bound<'_, Location>>>,
    ) -> PyResult<Py<Block>> {
        let py = slf.py();
        slf.get().get(py)?;
        let arguments = Arguments::new(
            py,
            slf.as_unbound(),
            &arg_types.unwrap_or_default(),
            arg_locs.as_deref(),
        )?;
        // SAFETY: the block is new and ours.
        unsafe { block::adopt(py, slf.as_unbound(), arguments.block()) }
    }

    /// The dialects by name.
    #[getter]
    fn dialects(slf: &Bound<'_, Self>) -> Dialects {
        Dialects::new(slf.clone().unbind())
    }

    /// The dialects by name; short for `dialects`.
    #[getter]
    fn d(slf: &Bound<'_, Self>) -> Dialects {
        Self::dialects(slf)
    }

    /// Loads a dialect and returns its descriptor.
    fn get_dialect_descriptor(
        slf: &Bound<'_, Self>,
        dialect_name: &str,
    ) -> PyResult<DialectDescriptor> {
        let dialect = slf.get().dialect(slf.py(), dialect_name)?;
        DialectDescriptor::new(slf.clone().unbind(), dialect)
            .ok_or_else(|| PyValueError::new_err(absent_parts::not_found(slf.py(), dialect_name)))
    }

    /// Whether operations, types and attributes of unknown dialects are let through.
    #[getter]
    fn get_allow_unregistered_dialects(&self, py: Python<'_>) -> PyResult<bool> {
        let raw = self.get(py)?;
        // SAFETY: the context is live.
        Ok(unsafe { mlirContextGetAllowUnregisteredDialects(raw) })
    }

    #[setter]
    fn set_allow_unregistered_dialects(&self, py: Python<'_>, value: bool) -> PyResult<()> {
        let raw = self.get(py)?;
        // SAFETY: the context is live.
        unsafe { mlirContextSetAllowUnregisteredDialects(raw, value) };
        Ok(())
    }

    /// Whether errors go to the diagnostic handlers instead of into `MLIRError`.
    #[getter]
    fn get_emit_error_diagnostics(&self) -> bool {
        self.emits_errors()
    }

    #[setter]
    fn set_emit_error_diagnostics(&self, value: bool) {
        self.emit_error_diagnostics.store(value, Ordering::Relaxed);
    }

    /// Calls `callback` with every diagnostic, until the handler is detached. The callback returns
    /// whether it dealt with it.
    fn attach_diagnostic_handler(
        slf: &Bound<'_, Self>,
        callback: Bound<'_, PyAny>,
    ) -> PyResult<Py<DiagnosticHandler>> {
        DiagnosticHandler::attach(slf, callback)
    }

    /// Switches the context's threads on or off: those that it was given, or those that all contexts of
    /// the process share.
    fn enable_multithreading(&self, py: Python<'_>, enable: bool) -> PyResult<()> {
        let raw = self.get(py)?;
        self.refuse_while_running()?;
        let own = self.pool().is_some();
        // SAFETY: the context is live and runs no pipeline. Threads are off before others are set.
        unsafe {
            if !enable || own {
                mlirContextEnableMultithreading(raw, enable);
            } else if !self.is_multithreaded() {
                mlirContextEnableMultithreading(raw, false);
                mondoContextUseSharedThreadPool(raw);
            }
        }
        Ok(())
    }

    /// Gives the context threads of its own.
    fn set_thread_pool(&self, py: Python<'_>, pool: &Bound<'_, ThreadPool>) -> PyResult<()> {
        let raw = self.get(py)?;
        self.refuse_while_running()?;
        // SAFETY: both are live, the context runs no pipeline, and it holds the pool from here on.
        unsafe {
            mlirContextEnableMultithreading(raw, false);
            mlirContextSetThreadPool(raw, pool.get().get());
        }
        let before = self.pool().replace(pool.clone().unbind());
        drop(before);
        Ok(())
    }

    /// The address of the threads that it uses.
    fn _mlir_thread_pool_ptr(&self, py: Python<'_>) -> PyResult<String> {
        let raw = self.get(py)?;
        if self.pool().is_none() && !self.is_multithreaded() {
            return Err(PyRuntimeError::new_err(
                "the context's threads are switched off",
            ));
        }
        // SAFETY: the context is live and has threads.
        Ok(thread_pool::address(unsafe {
            mlirContextGetThreadPool(raw)
        }))
    }

    /// The number of threads that a pipeline may use.
    fn get_num_threads(&self, py: Python<'_>) -> PyResult<u32> {
        let raw = self.get(py)?;
        // SAFETY: the context is live.
        Ok(unsafe { mlirContextGetNumThreads(raw) })
    }

    /// Whether an operation of this name is registered.
    fn is_registered_operation(&self, py: Python<'_>, operation_name: &str) -> PyResult<bool> {
        let raw = self.get(py)?;
        // SAFETY: the context is live, and the name is only read.
        Ok(unsafe { mlirContextIsRegisteredOperation(raw, string_ref(operation_name)) })
    }

    /// Makes the dialects of a registry available.
    fn append_dialect_registry(
        &self,
        py: Python<'_>,
        registry: &Bound<'_, DialectRegistry>,
    ) -> PyResult<()> {
        let raw = self.get(py)?;
        self.refuse_while_running()?;
        // SAFETY: both are live, and MLIR copies what it needs of the registry.
        unsafe { mlirContextAppendDialectRegistry(raw, registry.get().get()) };
        Ok(())
    }

    /// Loads every dialect that a registry made available.
    fn load_all_available_dialects(&self, py: Python<'_>) -> PyResult<()> {
        let raw = self.get(py)?;
        self.refuse_while_running()?;
        // SAFETY: the context is live and runs no pipeline.
        unsafe { mlirContextLoadAllAvailableDialects(raw) };
        Ok(())
    }
}

impl Context {
    fn pool(&self) -> MutexGuard<'_, Option<Py<ThreadPool>>> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether pipelines may use more than one thread.
    pub(crate) fn is_multithreaded(&self) -> bool {
        // SAFETY: the context is live, and the number is set before pipelines run.
        unsafe { mlirContextGetNumThreads(self.raw) > 1 }
    }
}
