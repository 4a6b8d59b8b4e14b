//! `PassManager`: a pipeline of passes, and its run.

use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyString, PyTuple};

use crate::interop::absent_parts;
use crate::interop::callback::{Callback, Callbacks};
use crate::interop::capsule;
use crate::interop::enums;
use crate::interop::interrupts;
use crate::interop::late::{initialised, uninitialised};
use crate::interop::string::{collect, string_ref};
use crate::ir::current;
use crate::ir::error::{ErrorCapture, succeeded};
use crate::ir::printing::PrintOptions;
use crate::ownership::context::Context;
use crate::ownership::operation::OperationBase;
use crate::ownership::reentrancy;
use crate::ownership::wrapper::{self, Cause};
use crate::passes::external::{self, PassTexts, Run};

/// The capsules of pass managers.
const CAPSULE: &str = "passmanager.PassManager";

/// The objects that belong to a pass manager beside MLIR's.
struct Parts {
    /// None for one that another extension made, until it is run for the first time.
    context: Option<Py<Context>>,
    /// The state of the run that is under way, for its Python passes.
    run: Arc<Mutex<Run>>,
    callbacks: Callbacks,
}

/// The pass managers that objects of ours own, or that were released by them: their parts wait for
/// whoever takes the pass manager over again. By address.
static KNOWN: Mutex<Option<HashMap<usize, Option<Parts>>>> = Mutex::new(None);

fn known() -> MutexGuard<'static, Option<HashMap<usize, Option<Parts>>>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A pipeline of passes.
#[pyclass(frozen, subclass)]
pub(crate) struct PassManager {
    /// Null once released.
    raw: AtomicPtr<c_void>,
    run: Arc<Mutex<Run>>,
    callbacks: Callbacks,
    context: Mutex<Option<Py<Context>>>,
}

impl Drop for PassManager {
    fn drop(&mut self) {
        let ptr = self.raw.load(Ordering::Acquire);
        if ptr.is_null() {
            return;
        }
        if let Some(known) = known().as_mut() {
            known.remove(&(ptr as usize));
        }
        // SAFETY: this object owns the pass manager, whose context it holds.
        unsafe { mlirPassManagerDestroy(MlirPassManager { ptr }) };
    }
}

impl PassManager {
    fn own(raw: MlirPassManager, parts: Parts) -> Self {
        Self::remember(raw);
        Self {
            raw: AtomicPtr::new(raw.ptr),
            run: parts.run,
            callbacks: parts.callbacks,
            context: Mutex::new(parts.context),
        }
    }

    /// Remembers that an object of ours owns a pass manager.
    fn remember(raw: MlirPassManager) {
        known()
            .get_or_insert_default()
            .insert(raw.ptr as usize, None);
    }

    fn create(py: Python<'_>, context: &Py<Context>, anchor: &str) -> PyResult<MlirPassManager> {
        // SAFETY: there is no precondition; the first pass manager makes the passes known.
        unsafe { mondoRegisterBundlePasses() };
        let raw = context.get().get(py)?;
        // SAFETY: the context is live, and MLIR copies the name.
        Ok(unsafe { mlirPassManagerCreateOnOperation(raw, string_ref(anchor)) })
    }

    fn with_anchor(py: Python<'_>, context: Py<Context>, anchor: &str) -> PyResult<Self> {
        let raw = Self::create(py, &context, anchor)?;
        let parts = Parts {
            context: Some(context),
            run: Arc::default(),
            callbacks: Callbacks::default(),
        };
        Ok(Self::own(raw, parts))
    }

    fn holder(&self) -> MutexGuard<'_, Option<Py<Context>>> {
        self.context.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn context(&self, py: Python<'_>) -> Option<Py<Context>> {
        self.holder().as_ref().map(|context| context.clone_ref(py))
    }

    /// The pass manager, if it may be read now.
    fn peek(&self, py: Python<'_>) -> PyResult<MlirPassManager> {
        if let Some(context) = self.context(py) {
            context.get().check_access(py)?;
        }
        let ptr = self.raw.load(Ordering::Acquire);
        if ptr.is_null() {
            // Only one that another extension made has no context.
            return Err(match self.holder().is_none() {
                true => uninitialised(),
                false => PyRuntimeError::new_err("the pass manager was released"),
            });
        }
        Ok(MlirPassManager { ptr })
    }

    /// The pass manager, if it may be changed now.
    fn get(&self, py: Python<'_>) -> PyResult<MlirPassManager> {
        let raw = self.peek(py)?;
        if external::lock(&self.run).start.is_some() {
            return Err(PyRuntimeError::new_err("the pass manager is running"));
        }
        Ok(raw)
    }

    /// Calls a parser of the C API that prints what is wrong.
    fn parse_with(
        py: Python<'_>,
        parse: impl FnOnce(MlirStringCallback, *mut c_void) -> MlirLogicalResult,
    ) -> PyResult<()> {
        let mut valid = false;
        let message = collect(|callback, data| valid = succeeded(parse(callback, data)));
        if valid {
            Ok(())
        } else {
            Err(PyValueError::new_err(absent_parts::pipeline(py, &message)))
        }
    }
}

#[pymethods]
impl PassManager {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Ok(context) = self.context.try_lock() {
            visit.call(&*context)?;
        }
        self.callbacks.traverse(&visit)
    }

    fn __clear__(&self) {
        // Not the context, which has to outlive the pass manager.
        self.callbacks.clear();
    }

    #[new]
    #[pyo3(signature = (*_args, **_kwargs),
           text_signature = "(anchor_op='any', context=None)")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self {
            raw: AtomicPtr::default(),
            run: Arc::default(),
            callbacks: Callbacks::default(),
            context: Mutex::default(),
        }
    }

    #[pyo3(signature = (anchor_op = "any", context = None))]
    fn __init__(
        &self,
        py: Python<'_>,
        anchor_op: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<()> {
        let context = current::resolve_context(py, context)?;
        let raw = Self::create(py, &context, anchor_op)?;
        if self.holder().is_some() || !self.raw.load(Ordering::Acquire).is_null() {
            // SAFETY: the pass manager was just made, and nobody else knows it.
            unsafe { mlirPassManagerDestroy(raw) };
            return Err(initialised());
        }
        *self.holder() = Some(context);
        Self::remember(raw);
        self.raw.store(raw.ptr, Ordering::Release);
        Ok(())
    }

    /// Makes a pass manager from a textual pipeline; raises `ValueError` if it cannot be parsed.
    #[staticmethod]
    #[pyo3(signature = (pipeline, context = None))]
    fn parse(
        py: Python<'_>,
        pipeline: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Self> {
        let manager = Self::with_anchor(py, current::resolve_context(py, context)?, "any")?;
        let raw = manager.get(py)?;
        // SAFETY: the pass manager is live, and the text is only read; the last two arguments belong
        // together.
        Self::parse_with(py, |callback, data| unsafe {
            let ops = mlirPassManagerGetAsOpPassManager(raw);
            mlirParsePassPipeline(ops, string_ref(pipeline), callback, data)
        })?;
        Ok(manager)
    }

    /// `add(pipeline)` adds textual pipeline elements;
    /// `add(run, name=None, argument=None, description=None, op_name=None)` adds a Python callable as
    /// a pass.
    ///
    /// The callable gets the operation and an `ExternalPass`.
    #[pyo3(signature = (run = None, name = None, argument = None, description = None,
                        op_name = None, *, pipeline = None), text_signature = "($self, run=..., name=None, argument='', \
           description='', op_name='', *, pipeline=...)")]
    #[expect(
        clippy::too_many_arguments,
        reason = "upstream has two overloads of this name"
    )]
    fn add(
        &self,
        py: Python<'_>,
        run: Option<Bound<'_, PyAny>>,
        name: Option<String>,
        argument: Option<&str>,
        description: Option<&str>,
        op_name: Option<&str>,
        pipeline: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let what = run.or(pipeline).ok_or_else(|| {
            PyTypeError::new_err(
                "incompatible function arguments: add() takes a pipeline (str) or a callable",
            )
        })?;
        if let Ok(pipeline) = what.cast::<PyString>() {
            let pipeline = pipeline.to_str()?;
            let raw = self.get(py)?;
            // SAFETY: the pass manager is live, and the text is only read; the last two arguments
            // belong together.
            return Self::parse_with(py, |callback, data| unsafe {
                let ops = mlirPassManagerGetAsOpPassManager(raw);
                mlirOpPassManagerAddPipeline(ops, string_ref(pipeline), callback, data)
            });
        }
        if !what.is_callable() {
            return Err(PyTypeError::new_err(
                "incompatible function arguments: add() takes a pipeline (str) or a callable",
            ));
        }
        let name = match name {
            Some(name) => name,
            None => what.getattr("__name__")?.extract()?,
        };
        if let Some(op_name) = op_name.filter(|name| !name.is_empty()) {
            let text = self.__str__(py)?;
            let anchor = text
                .split_once('(')
                .map_or(text.as_str(), |(anchor, _)| anchor);
            if anchor != "any" && anchor != op_name {
                // MLIR would end the process.
                return Err(PyValueError::new_err(format!(
                    "a pass on '{op_name}' cannot be added to a pass manager on '{anchor}'"
                )));
            }
        }
        let texts = PassTexts {
            name: &name,
            argument: argument.unwrap_or_default(),
            description: description.unwrap_or_default(),
            op_name: op_name.unwrap_or_default(),
        };
        // Not before: asking for the name may run code of Python, even this pass manager.
        let raw = self.get(py)?;
        let callback = Callback::new(what.unbind());
        self.callbacks.show(&callback);
        let pass = external::create(callback, Arc::clone(&self.run), &texts);
        // SAFETY: both are live, and the pass manager takes the pass over.
        unsafe { mlirPassManagerAddOwnedPass(raw, pass) };
        Ok(())
    }

    /// Runs the pipeline on an operation; raises `MLIRError` if a pass fails. Other threads of
    /// Python go on meanwhile, but cannot use the context.
    fn run(&self, py: Python<'_>, operation: &Bound<'_, OperationBase>) -> PyResult<()> {
        struct Job(MlirPassManager, MlirOperation);
        // SAFETY: `run_alone` keeps every other thread away from what the pointers lead to.
        unsafe impl Send for Job {}

        let raw = self.get(py)?;
        let base = operation.get();
        let op = base.get(py)?;
        let tree = base.tree(py)?;
        let context = base.context_of(py)?;
        if !self
            .holder()
            .get_or_insert_with(|| context.clone_ref(py))
            .is(&context)
        {
            return Err(PyValueError::new_err(
                "the operation is of another context than the pass manager",
            ));
        }
        reentrancy::refuse_run(context.get(), op)?;
        tree.get().refuse_loose_uses()?;
        external::lock(&self.run).start = Some(op.ptr as usize);
        let job = Job(raw, op);
        let outcome = ErrorCapture::run(py, &context, || {
            // The context is taken before the interpreter is let go, and given back after.
            context.get().run_alone(|| {
                // SAFETY: the context is live, and was asked for above.
                let raw_context = unsafe { mlirOperationGetContext(op) };
                interrupts::watch(py, raw_context, false, || {
                    reentrancy::run_outside_pass(|| {
                        py.detach(|| {
                            let job = job;
                            // SAFETY: both are live: `operation` and `self` hold them for the time
                            // of the call, and no other thread gets at them.
                            wrapper::because(Cause::Pipeline, || unsafe {
                                mlirPassManagerRunOnOp(job.0, job.1).value
                            })
                        })
                    })
                })
            })
        });
        let Run { raised, .. } = std::mem::take(&mut *external::lock(&self.run));
        wrapper::reclaim(py);
        let ((value, interrupted), errors) = outcome?;
        if let Some(error) = interrupted.or(raised) {
            return Err(error);
        }
        if value == 0 {
            return Err(errors.into_error(py, "Failure while executing pass pipeline"));
        }
        errors.finish()
    }

    /// Returns whether the verifier runs after each pass.
    fn enable_verifier(&self, py: Python<'_>, enable: bool) -> PyResult<()> {
        // SAFETY: the pass manager is live and not running.
        unsafe { mlirPassManagerEnableVerifier(self.get(py)?, enable) };
        Ok(())
    }

    /// Prints how long each pass takes, to standard error.
    fn enable_timing(&self, py: Python<'_>) -> PyResult<()> {
        // SAFETY: the pass manager is live and not running.
        unsafe { mlirPassManagerEnableTiming(self.get(py)?) };
        Ok(())
    }

    /// Prints the statistics of passes, to standard error.
    #[pyo3(signature = (displayMode = None), text_signature = "($self, displayMode=...)")]
    #[expect(non_snake_case, reason = "upstream's name of the argument")]
    fn enable_statistics(
        &self,
        py: Python<'_>,
        displayMode: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mode = enums::pass_display_mode(displayMode)?;
        // SAFETY: the pass manager is live and not running.
        unsafe { mlirPassManagerEnableStatistics(self.get(py)?, mode) };
        Ok(())
    }

    /// Prints the IR around passes, to standard error or into a folder.
    #[pyo3(signature = (print_before_all = false, print_after_all = true,
        print_module_scope = false, print_after_change = false, print_after_failure = false,
        large_elements_limit = None, large_resource_limit = None, enable_debug_info = false,
        print_generic_op_form = false, tree_printing_dir_path = None))]
    #[expect(
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        reason = "upstream's"
    )]
    fn enable_ir_printing(
        &self,
        py: Python<'_>,
        print_before_all: bool,
        print_after_all: bool,
        print_module_scope: bool,
        print_after_change: bool,
        print_after_failure: bool,
        large_elements_limit: Option<isize>,
        large_resource_limit: Option<isize>,
        enable_debug_info: bool,
        print_generic_op_form: bool,
        tree_printing_dir_path: Option<&str>,
    ) -> PyResult<()> {
        let raw = self.get(py)?;
        let threads = self
            .context(py)
            .is_some_and(|context| context.get().is_multithreaded());
        if print_module_scope && threads {
            return Err(PyValueError::new_err(
                "print_module_scope needs a context without threads: call \
                 context.enable_multithreading(False) first",
            ));
        }
        let flags = PrintOptions {
            large_elements_limit,
            large_resource_limit: large_resource_limit.or(large_elements_limit),
            enable_debug_info,
            print_generic_op_form,
            ..PrintOptions::default()
        }
        .flags()?;
        // SAFETY: the pass manager is live and not running; MLIR copies the flags and the path.
        unsafe {
            mlirPassManagerEnableIRPrinting(
                raw,
                print_before_all,
                print_after_all,
                print_module_scope,
                print_after_change,
                print_after_failure,
                flags.get(),
                string_ref(tree_printing_dir_path.unwrap_or_default()),
            );
        }
        Ok(())
    }

    /// A capsule with the `MlirPassManager`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, CAPSULE, self.get(py)?.ptr)
    }

    /// Takes over the `MlirPassManager` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let ptr = capsule::unwrap(capsule, CAPSULE)?;
        let waiting = known()
            .get_or_insert_default()
            .get_mut(&(ptr as usize))
            .map(Option::take);
        let parts = match waiting {
            None => Parts {
                context: None,
                run: Arc::default(),
                callbacks: Callbacks::default(),
            },
            Some(Some(parts)) => parts,
            Some(None) => {
                return Err(PyRuntimeError::new_err(
                    "another PassManager owns the pass manager in the capsule, and would destroy it \
                     a second time",
                ));
            }
        };
        Ok(Self::own(MlirPassManager { ptr }, parts))
    }

    /// Gives up the pass manager, which lives on without an owner.
    fn _testing_release(&self, py: Python<'_>) -> PyResult<()> {
        let raw = self.get(py)?;
        self.raw.store(ptr::null_mut(), Ordering::Release);
        let parts = Parts {
            context: self.context(py),
            run: Arc::clone(&self.run),
            callbacks: self.callbacks.hand_over(),
        };
        known()
            .get_or_insert_default()
            .insert(raw.ptr as usize, Some(parts));
        Ok(())
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let raw = self.peek(py)?;
        // SAFETY: the pass manager is live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirPrintPassPipeline(mlirPassManagerGetAsOpPassManager(raw), callback, data);
        }))
    }
}
