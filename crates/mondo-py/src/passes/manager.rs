//! The class `PassManager`: building, running and exchanging a pipeline of passes. Passes written in Python
//! are in `external.rs`.

use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_ir::nodes::TextFlags;
use mondo_ir::objects::{IrPrinting, PassTexts, Pipeline};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyString, PyTuple};

use crate::interop::absent_parts;
use crate::interop::callback::{Callback, Callbacks};
use crate::interop::capsule;
use crate::interop::enums;
use crate::interop::exchanged::{Claim, Exchanged};
use crate::interop::interrupts;
use crate::interop::two_phase::{initialised, uninitialised};
use crate::ir::context_stack;
use crate::ir::error::ErrorCapture;
use crate::ownership::context::Context;
use crate::ownership::operation::OperationBase;
use crate::ownership::reentrancy;
use crate::ownership::wrapper::{self, Cause};
use crate::passes::external::{self, Run};

/// The class name in the capsules of pass managers.
const CAPSULE: &str = "passmanager.PassManager";

/// The Python objects that belong to a pass manager of MLIR.
struct Parts {
    /// None for a pass manager that another extension made, until its first run.
    context: Option<Py<Context>>,
    /// The state of the current run, which the Python passes share.
    run: Arc<Mutex<Run>>,
    callbacks: Callbacks,
}

/// The pass managers that a `PassManager` owns or has released.
static MANAGERS: Exchanged<Option<Parts>> = Exchanged::new();

/// A pipeline of passes.
#[pyclass(frozen, subclass)]
pub(crate) struct PassManager {
    /// None until `__init__`, and after the pass manager was released.
    pipeline: Mutex<Option<Arc<Pipeline>>>,
    run: Arc<Mutex<Run>>,
    callbacks: Callbacks,
    /// Declared after the pipeline, so that it is dropped after it.
    context: Mutex<Option<Py<Context>>>,
}

impl Drop for PassManager {
    fn drop(&mut self) {
        if let Some(pipeline) = self.slot().take() {
            MANAGERS.remove(pipeline.address());
        }
    }
}

impl PassManager {
    fn own(pipeline: Pipeline, parts: Parts) -> Self {
        MANAGERS.own(pipeline.address());
        Self {
            pipeline: Mutex::new(Some(Arc::new(pipeline))),
            run: parts.run,
            callbacks: parts.callbacks,
            context: Mutex::new(parts.context),
        }
    }

    fn create(py: Python<'_>, context: &Py<Context>, anchor: &str) -> PyResult<Pipeline> {
        Context::enter(py, context, |ctx| {
            // SAFETY: the `PassManager` that owns the result has a reference to the context, in a field that
            // is dropped after the pipeline.
            Ok(unsafe { Pipeline::new(*ctx, anchor) })
        })
    }

    fn with_anchor(py: Python<'_>, context: Py<Context>, anchor: &str) -> PyResult<Self> {
        let pipeline = Self::create(py, &context, anchor)?;
        let parts = Parts {
            context: Some(context),
            run: Arc::default(),
            callbacks: Callbacks::default(),
        };
        Ok(Self::own(pipeline, parts))
    }

    fn slot(&self) -> MutexGuard<'_, Option<Arc<Pipeline>>> {
        self.pipeline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn holder(&self) -> MutexGuard<'_, Option<Py<Context>>> {
        self.context.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn context(&self, py: Python<'_>) -> Option<Py<Context>> {
        self.holder().as_ref().map(|context| context.clone_ref(py))
    }

    /// The pass manager, for a call that reads it; fails while another thread runs a pipeline on the context.
    fn peek(&self, py: Python<'_>) -> PyResult<Arc<Pipeline>> {
        if let Some(context) = self.context(py) {
            context.get().check_access(py)?;
        }
        self.slot().clone().ok_or_else(|| {
            // `__init__` sets the context. Only a pass manager that another extension made can be without one
            // afterwards.
            match self.holder().is_none() {
                true => uninitialised(),
                false => PyRuntimeError::new_err("the pass manager was released"),
            }
        })
    }

    /// The pass manager, for a call that changes it; fails also while it runs.
    fn get(&self, py: Python<'_>) -> PyResult<Arc<Pipeline>> {
        let pipeline = self.peek(py)?;
        if external::lock(&self.run).start.is_some() {
            return Err(PyRuntimeError::new_err("the pass manager is running"));
        }
        Ok(pipeline)
    }
}

/// The exception for a pipeline that cannot be parsed.
fn not_parsed(py: Python<'_>, message: &str) -> PyErr {
    PyValueError::new_err(absent_parts::pipeline(py, message))
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
        // The reference to the context stays, because the context has to outlive the pass manager.
        self.callbacks.clear();
    }

    #[new]
    #[pyo3(signature = (*_args, **_kwargs),
           text_signature = "(anchor_op='any', context=None)")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self {
            pipeline: Mutex::default(),
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
        let context = context_stack::resolve_context(py, context)?;
        let pipeline = Self::create(py, &context, anchor_op)?;
        if self.holder().is_some() || self.slot().is_some() {
            return Err(initialised());
        }
        *self.holder() = Some(context);
        MANAGERS.own(pipeline.address());
        *self.slot() = Some(Arc::new(pipeline));
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
        let manager = Self::with_anchor(py, context_stack::resolve_context(py, context)?, "any")?;
        let parsed = manager.get(py)?.parse(pipeline);
        parsed.map_err(|message| not_parsed(py, &message))?;
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
            let added = self.get(py)?.append(pipeline);
            return added.map_err(|message| not_parsed(py, &message));
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
                // MLIR would abort the process for such a pass.
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
        // The pipeline is read after the name, because reading the name may run Python code, which may run or
        // release this pass manager.
        let pipeline = self.get(py)?;
        let callback = Callback::new(what.unbind());
        self.callbacks.show(&callback);
        external::add(&pipeline, &texts, callback, Arc::clone(&self.run));
        Ok(())
    }

    /// Runs the pipeline on an operation; raises `MLIRError` if a pass fails. Other threads of
    /// Python go on meanwhile, but cannot use the context.
    fn run(&self, py: Python<'_>, operation: &Bound<'_, OperationBase>) -> PyResult<()> {
        let pipeline = self.get(py)?;
        let base = operation.get();
        let (run, start) = base.read(py, |op| (pipeline.run_on(op), op.address()))?;
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
        base.read(py, |op| reentrancy::refuse_run(context.get(), op))??;
        tree.get().refuse_loose_uses()?;
        external::lock(&self.run).start = Some(start.as_ptr() as usize);
        let outcome = Context::enter(py, &context, |ctx| {
            ErrorCapture::run(py, &context, || {
                // `run_alone` is entered before the thread detaches from the interpreter, and left after it
                // has attached again, so that no other thread uses the context in between.
                context.get().run_alone(|| {
                    interrupts::watch(py, *ctx, false, || {
                        reentrancy::run_outside_pass(|| {
                            py.detach(|| {
                                // SAFETY: `read` above has found the operation live, no Python code has run
                                // since, and `operation` keeps its tree alive. `run_alone` keeps all other
                                // threads from the context.
                                wrapper::because(Cause::Pipeline, || unsafe { run.start() })
                            })
                        })
                    })
                })
            })
        });
        let Run { raised, .. } = std::mem::take(&mut *external::lock(&self.run));
        wrapper::reclaim(py);
        let ((succeeded, interrupted), errors) = outcome?;
        if let Some(error) = interrupted.or(raised) {
            return Err(error);
        }
        if !succeeded {
            return Err(errors.into_error(py, "Failure while executing pass pipeline"));
        }
        errors.finish()
    }

    /// Switches the verifier, which runs after each pass, on or off.
    fn enable_verifier(&self, py: Python<'_>, enable: bool) -> PyResult<()> {
        self.get(py)?.enable_verifier(enable);
        Ok(())
    }

    /// Prints how long each pass takes, to standard error.
    fn enable_timing(&self, py: Python<'_>) -> PyResult<()> {
        self.get(py)?.enable_timing();
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
        self.get(py)?.enable_statistics(mode != 0);
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
        let pipeline = self.get(py)?;
        let threads = self
            .context(py)
            .is_some_and(|context| context.get().is_multithreaded());
        if print_module_scope && threads {
            return Err(PyValueError::new_err(
                "print_module_scope needs a context without threads: call \
                 context.enable_multithreading(False) first",
            ));
        }
        let mut flags = TextFlags::new();
        if let Some(limit) = large_elements_limit {
            flags.elide_elements(limit);
        }
        if let Some(limit) = large_resource_limit.or(large_elements_limit) {
            flags.elide_resources(limit);
        }
        if enable_debug_info {
            flags.locations(false);
        }
        if print_generic_op_form {
            flags.generic();
        }
        let how = IrPrinting {
            before_all: print_before_all,
            after_all: print_after_all,
            module_scope: print_module_scope,
            after_change: print_after_change,
            after_failure: print_after_failure,
            folder: tree_printing_dir_path.unwrap_or_default(),
        };
        pipeline.enable_ir_printing(&how, &flags);
        Ok(())
    }

    /// A capsule with the `MlirPassManager`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, CAPSULE, self.get(py)?.address())
    }

    /// Takes over the `MlirPassManager` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let ptr = capsule::unwrap(capsule, CAPSULE)?;
        let parts = match MANAGERS.claim(ptr) {
            Claim::Foreign => Parts {
                context: None,
                run: Arc::default(),
                callbacks: Callbacks::default(),
            },
            Claim::Released(parts) => parts,
            Claim::Owned => {
                return Err(PyRuntimeError::new_err(
                    "another PassManager owns the pass manager in the capsule, and would destroy it \
                     a second time",
                ));
            }
        };
        // SAFETY: by the protocol of capsules, the code that made this one put a live pass manager into it,
        // gives up its ownership, and keeps its context alive.
        Ok(Self::own(unsafe { Pipeline::adopt(ptr) }, parts))
    }

    /// Gives up the pass manager, which lives on without an owner.
    fn _testing_release(&self, py: Python<'_>) -> PyResult<()> {
        let pipeline = self.get(py)?;
        drop(self.slot().take());
        let address = Arc::into_inner(pipeline).map(Pipeline::release);
        let parts = Parts {
            context: self.context(py),
            run: Arc::clone(&self.run),
            callbacks: self.callbacks.hand_over(),
        };
        MANAGERS.release(address.unwrap_or(ptr::null_mut()), parts);
        Ok(())
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.peek(py)?.to_text())
    }
}
