//! The class `ExecutionEngine`: modules that are compiled for this machine and run in this process.

mod runtime;
mod symbols;

use std::collections::BTreeSet;
use std::ffi::{CString, c_void};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileTypeExt;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_ir::declarations as c;
use mondo_ir::objects::{Engine, EngineForm};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyModule, PyTuple};

use crate::interop::attachment::attached;
use crate::interop::capsule;
use crate::interop::exchanged::{Claim, Exchanged};
use crate::interop::submodules;
use crate::interop::two_phase;
use crate::ir::error::ErrorCapture;
use crate::ownership::module::Module;
use crate::ownership::reentrancy;
use crate::ownership::wrapper;

use symbols::Symbols;

/// The class name in the capsules of engines.
const CAPSULE: &str = "execution_engine.ExecutionEngine";

/// Makes the submodule `_mlir.execution_engine`, if the bundle has an execution engine.
pub(crate) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    if !Engine::is_there() {
        return Ok(());
    }
    let doc = "Compiling modules and running them.";
    let submodule = submodules::submodule(module, "execution_engine", doc)?;
    submodules::add_class(&submodule, module.py().get_type::<ExecutionEngine>())
}

/// The exception of a bundle without an engine.
fn not_there() -> PyErr {
    PyRuntimeError::new_err("this bundle has no execution engine")
}

/// The Python objects that an engine of MLIR needs, and what is known of its symbols.
#[derive(Default)]
struct Parts {
    /// The `ctypes` objects whose functions the compiled code calls by their addresses.
    callbacks: Vec<Py<PyAny>>,
    /// The names that may not be registered again.
    registered: BTreeSet<String>,
    /// The symbols that the module defines; None for an engine that another extension made.
    symbols: Option<Symbols>,
    /// True if the engine has shared libraries, which define symbols as well.
    has_libraries: bool,
    /// True once `provide_runtime` has run.
    is_provided: bool,
    /// True if the engine got a function of the runtime libraries, whose threads may run its code.
    has_runtime: bool,
}

/// The engines that an `ExecutionEngine` owns or has released.
static ENGINES: Exchanged<Option<Parts>> = Exchanged::new();

/// A compiled module.
#[pyclass(frozen, subclass, weakref)]
pub(crate) struct ExecutionEngine {
    /// False until `__init__`.
    initialised: AtomicBool,
    /// None until `__init__`, and after the engine was released or freed.
    engine: Mutex<Option<Arc<Engine>>>,
    parts: Mutex<Parts>,
    /// True once the module was compiled, which the first lookup of a symbol does.
    compiled: AtomicBool,
}

impl Drop for ExecutionEngine {
    fn drop(&mut self) {
        self.destroy();
    }
}

impl ExecutionEngine {
    /// Takes ownership of an engine.
    fn own(engine: Engine, parts: Parts) -> Self {
        ENGINES.own(engine.address());
        Self {
            initialised: AtomicBool::new(true),
            engine: Mutex::new(Some(Arc::new(engine))),
            compiled: AtomicBool::new(parts.symbols.is_none()),
            parts: Mutex::new(parts),
        }
    }

    fn parts(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn slot(&self) -> MutexGuard<'_, Option<Arc<Engine>>> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self) -> PyResult<Arc<Engine>> {
        self.slot()
            .clone()
            .ok_or_else(|| match self.initialised.load(Ordering::Acquire) {
                true => PyRuntimeError::new_err("the execution engine was released or freed"),
                false => two_phase::uninitialised(),
            })
    }

    /// Destroys the engine, if this object owns one. Global destructors of its module may call the registered
    /// functions.
    fn destroy(&self) {
        let Some(engine) = self.slot().take() else {
            return;
        };
        ENGINES.remove(engine.address());
        let callbacks = std::mem::take(&mut self.parts().callbacks);
        if self.parts().has_runtime && !attached(runtime::finish) {
            // Threads may still be in the engine's code, and end with the process.
            std::mem::forget((engine, callbacks));
            return;
        }
        // The engine is dropped before the callbacks, which its global destructors may call.
        drop(engine);
        drop(callbacks);
    }

    /// Defines the functions of the runtime libraries that the module declares and that were not registered.
    /// It runs as late as possible, because a later registration of the same name would be a second
    /// definition.
    fn provide_runtime(&self) -> PyResult<()> {
        let engine = self.get()?;
        let mut parts = self.parts();
        let parts = &mut *parts;
        let Some(symbols) = parts.symbols.as_ref().filter(|_| !parts.is_provided) else {
            return Ok(());
        };
        parts.is_provided = true;
        for name in runtime::wanted(&symbols.declared) {
            if symbols.define(name) || parts.registered.contains(name) {
                continue;
            }
            // SAFETY: the module declares the name without defining it, and `registered` does not have it, so
            // that this is its only definition.
            if unsafe { engine.define_runtime(name) } {
                parts.registered.insert(name.to_owned());
                parts.has_runtime = true;
            }
        }
        Ok(())
    }

    /// Compiles the module, if it is not compiled yet. Fails if it cannot be linked, in which case MLIR would
    /// abort the process.
    fn compile(&self) -> PyResult<()> {
        let engine = self.get()?;
        if self.compiled.load(Ordering::Acquire) {
            return Ok(());
        }
        self.provide_runtime()?;
        let name = {
            let parts = self.parts();
            let Some(symbols) = &parts.symbols else {
                return Ok(());
            };
            match symbols.visible_function() {
                Some(name) => name.to_owned(),
                None if !symbols.has_constructors => return Ok(()),
                None => {
                    return Err(PyRuntimeError::new_err(
                        "the module has constructors, but no function that can be seen from outside, \
                         by which to find out whether it can be linked; give one of them external \
                         linkage",
                    ));
                }
            }
        };
        if !engine.finds(&name) {
            return Err(PyRuntimeError::new_err(format!(
                "the module cannot be linked, as @{name} shows: what is missing is on standard error; \
                 register it, or name the library that has it in shared_libs"
            )));
        }
        self.compiled.store(true, Ordering::Release);
        Ok(())
    }
}

#[pymethods]
impl ExecutionEngine {
    /// Compiles `module`, which has to consist of what can be translated to LLVM IR.
    ///
    /// `opt_level` goes from 0 to 3; `shared_libs` are paths of libraries that have what the module
    /// only declares.
    #[new]
    #[pyo3(signature = (*_args, **_kwargs),
           text_signature = "(module, opt_level=2, shared_libs=[], enable_object_dump=True, \
               enable_pic=False)")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self {
            initialised: AtomicBool::new(false),
            engine: Mutex::default(),
            compiled: AtomicBool::new(false),
            parts: Mutex::default(),
        }
    }

    #[pyo3(signature = (module, opt_level = 2, shared_libs = Vec::new(), enable_object_dump = true,
                        enable_pic = false))]
    fn __init__(
        &self,
        module: &Bound<'_, Module>,
        opt_level: i32,
        shared_libs: Vec<String>,
        enable_object_dump: bool,
        enable_pic: bool,
    ) -> PyResult<()> {
        let py = module.py();
        if !Engine::is_there() {
            return Err(not_there());
        }
        if self.initialised.load(Ordering::Acquire) {
            return Err(two_phase::initialised());
        }
        if !(0..=3).contains(&opt_level) {
            return Err(PyValueError::new_err(format!(
                "opt_level goes from 0 to 3, and is {opt_level}"
            )));
        }
        let libraries = shared_libs
            .into_iter()
            .map(CString::new)
            .collect::<Result<Vec<_>, _>>()?;
        i32::try_from(libraries.len())?;
        let form = EngineForm {
            level: opt_level,
            libraries: &libraries,
            object_dump: enable_object_dump,
            position_independent: enable_pic,
        };

        let operation = module.get().operation_of(py)?;
        let operation = operation.get();
        operation.read(py, |_| ())?;
        let context = operation.context_of(py)?;
        // Compiling registers translations with the context, and may change the module.
        context.get().refuse_while_running()?;
        operation.read(py, |op| reentrancy::refuse_run(context.get(), op))??;
        operation.tree(py)?.get().refuse_loose_uses()?;
        let verify = || operation.read(py, |op| c::mlirOperationVerify(op));
        let (valid, errors) = ErrorCapture::run(py, &context, verify)?;
        if !valid? {
            return Err(errors.into_error(py, "Verification failed"));
        }
        let symbols = operation.read(py, Symbols::of)??;
        let engine = context.get().run_alone(|| {
            operation.read(py, |op| {
                // SAFETY: `mlirOperationVerify` has found the module valid, and `Symbols::of` that no symbol
                // is defined twice. Running the module's code is what the caller asks for.
                unsafe { Engine::create(op, &form) }
            })
        });
        wrapper::reclaim(py);
        let Some(engine) = engine? else {
            return Err(PyRuntimeError::new_err(
                "Failure while creating the ExecutionEngine.",
            ));
        };
        let parts = Parts {
            callbacks: Vec::new(),
            registered: BTreeSet::new(),
            symbols: Some(symbols),
            has_libraries: !libraries.is_empty(),
            is_provided: false,
            has_runtime: false,
        };
        if self.initialised.swap(true, Ordering::AcqRel) {
            return Err(two_phase::initialised());
        }
        *self.parts() = parts;
        ENGINES.own(engine.address());
        *self.slot() = Some(Arc::new(engine));
        Ok(())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // If the mutex is locked, its references are not visited; the collector then frees less, never too
        // much.
        self.parts.try_lock().map_or(Ok(()), |parts| {
            parts
                .callbacks
                .iter()
                .try_for_each(|callback| visit.call(callback))
        })
    }

    fn __clear__(&self) {
        self.destroy();
    }

    /// A capsule with the `MlirExecutionEngine`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, CAPSULE, self.get()?.address())
    }

    /// Takes over the `MlirExecutionEngine` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let ptr = capsule::unwrap(capsule, CAPSULE)?;
        let parts = match ENGINES.claim(ptr) {
            Claim::Foreign => Parts {
                callbacks: Vec::new(),
                registered: BTreeSet::new(),
                symbols: None,
                has_libraries: true,
                is_provided: true,
                has_runtime: true,
            },
            Claim::Released(parts) => parts,
            Claim::Owned => {
                return Err(PyRuntimeError::new_err(
                    "another ExecutionEngine owns the engine in the capsule, and would destroy it a \
                     second time",
                ));
            }
        };
        // SAFETY: by the protocol of capsules, the code that made this one put a live engine into it and
        // gives up its ownership.
        let engine = unsafe { Engine::adopt(ptr) };
        Ok(Self::own(engine.ok_or_else(not_there)?, parts))
    }

    /// Gives up the engine, which lives on without an owner.
    fn _testing_release(&self) -> PyResult<()> {
        let engine = self.get()?;
        drop(self.slot().take());
        let address = Arc::into_inner(engine).map(Engine::release);
        let mut parts = self.parts();
        let parts = Parts {
            callbacks: std::mem::take(&mut parts.callbacks),
            registered: std::mem::take(&mut parts.registered),
            symbols: parts.symbols.take(),
            has_libraries: parts.has_libraries,
            is_provided: parts.is_provided,
            has_runtime: parts.has_runtime,
        };
        ENGINES.release(address.unwrap_or(ptr::null_mut()), parts);
        Ok(())
    }

    /// The address of a function that takes its arguments packed, or 0.
    fn raw_lookup(&self, func_name: &str) -> PyResult<usize> {
        self.provide_runtime()?;
        let found = self.get()?.lookup_packed(func_name);
        if !found.is_null() {
            self.compiled.store(true, Ordering::Release);
        }
        Ok(found as usize)
    }

    /// The LLVM type of a function that can be called by its C interface: `!llvm.func<void (i32)>`.
    fn _function_type(&self, name: &str) -> Option<String> {
        let parts = self.parts();
        parts.symbols.as_ref()?.types.get(name).cloned()
    }

    /// The functions that the module declares and nothing defines.
    fn _undefined_functions(&self) -> PyResult<Vec<String>> {
        let engine = self.get()?;
        let parts = self.parts();
        let declared = parts.symbols.as_ref().map(|symbols| &symbols.declared);
        let undefined = declared
            .into_iter()
            .flatten()
            .filter(|name| !parts.registered.contains(*name) && !engine.finds(name));
        Ok(undefined.cloned().collect())
    }

    /// Makes `callback`, a `ctypes.c_void_p`, what the symbol `name` stands for.
    fn raw_register_runtime(&self, name: String, callback: Bound<'_, PyAny>) -> PyResult<()> {
        let engine = self.get()?;
        let address: Option<usize> = callback.getattr("value")?.extract()?;
        let address = address.ok_or_else(|| {
            PyTypeError::new_err("the callback is a null pointer, not a function")
        })?;
        let (defined, may_look) = {
            let parts = self.parts();
            let symbols = parts.symbols.as_ref();
            let defined = parts.registered.contains(&name)
                || symbols.is_some_and(|symbols| symbols.define(&name));
            let compiled = self.compiled.load(Ordering::Acquire);
            (defined, compiled || parts.has_libraries)
        };
        // A lookup binds the name for good to a symbol that the process has under it. It is made only if
        // `may_look`: when the compiled code has bound its names already, or when a library may define the
        // name.
        let defined = defined || may_look && engine.finds(&name);
        if defined {
            return Err(PyValueError::new_err(format!(
                "the symbol {name:?} is defined already, by the module, by a library or by an earlier \
                 registration"
            )));
        }
        {
            let mut parts = self.parts();
            parts.callbacks.push(callback.unbind());
            parts.registered.insert(name.clone());
        }
        // SAFETY: nothing else defines the name, as checked above, and `callbacks` keeps the function alive
        // as long as the engine. That its arguments fit the call is up to the caller, as for every function
        // that is called by its address.
        unsafe { engine.define(&name, address as *mut c_void) };
        Ok(())
    }

    /// Runs the module's global constructors; only the first call does anything.
    fn initialize(&self) -> PyResult<()> {
        self.compile()?;
        let engine = self.get()?;
        // SAFETY: `compile` has found that the module can be linked. Running its constructors is what the
        // caller asks for.
        unsafe { engine.initialise() };
        Ok(())
    }

    /// Writes the compiled code to an object file.
    fn dump_to_object_file(&self, py: Python<'_>, file_name: &str) -> PyResult<()> {
        self.provide_runtime()?;
        let engine = self.get()?;
        let symbols_known = self.parts().symbols.as_ref().map(Symbols::has_functions);
        if symbols_known == Some(false) {
            return Err(PyRuntimeError::new_err(
                "the module has no function with a body, so that there is no code to write",
            ));
        }
        // MLIR prints errors of the file to standard error and returns nothing, so that the file is opened
        // here first, which raises `OSError`.
        // Opening a pipe waits for its reader, which may be another thread of this process. So MLIR never writes to one:
        // it writes to a file, while attached, because no other thread may compile meanwhile.
        let open = || OpenOptions::new().append(true).create(true).open(file_name);
        let mut target = py.detach(open)?;
        if !target.metadata()?.file_type().is_fifo() {
            engine.dump(file_name);
            return Ok(());
        }
        let code = py.import("tempfile")?.call_method0("NamedTemporaryFile")?;
        let path: String = code.getattr("name")?.extract()?;
        engine.dump(&path);
        py.detach(|| std::io::copy(&mut File::open(&path)?, &mut target))?;
        code.call_method0("close").map(drop)
    }
}
