//! External passes: passes that are written in Python.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_ir::nodes::Op;
use mondo_ir::objects::{PassTexts, Pipeline};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::interop::callback::Callback;
use crate::ownership::owner;
use crate::ownership::reentrancy::run_pass_on;
use crate::ownership::wrapper;

/// The runs of a pass manager.
#[derive(Default)]
pub(crate) struct Run {
    /// The address of the operation that it was started on; none between runs.
    pub(crate) start: Option<usize>,
    /// The first exception of a Python pass.
    pub(crate) raised: Option<PyErr>,
}

/// The run, whatever happened to the thread that held it last.
pub(crate) fn lock(run: &Mutex<Run>) -> MutexGuard<'_, Run> {
    run.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a pass that calls `callback` to a pass manager, whose runs are told through `run`.
pub(crate) fn add(
    pipeline: &Pipeline,
    texts: &PassTexts<'_>,
    callback: Arc<Callback>,
    run: Arc<Mutex<Run>>,
) {
    let pass = PythonPass { callback, run };
    pipeline.add(texts, move |op| {
        catch_unwind(AssertUnwindSafe(|| pass.call(op)))
            .unwrap_or_else(|_| Err(PyRuntimeError::new_err("a Python pass panicked")))
            .unwrap_or_else(|error| {
                lock(&pass.run).raised.get_or_insert(error);
                false
            })
    });
}

/// The pass has not returned.
const RUNNING: u8 = 0;
/// It has not returned, and said that it failed.
const FAILED: u8 = 1;
/// It has returned.
const RETURNED: u8 = 2;

/// A pass that is running, as its Python code sees it.
#[pyclass(frozen, subclass)]
pub(crate) struct ExternalPass {
    state: AtomicU8,
}

#[pymethods]
impl ExternalPass {
    /// Says that the pass failed.
    fn signal_pass_failure(&self) -> PyResult<()> {
        if self.state.load(Ordering::Acquire) == RETURNED {
            return Err(PyRuntimeError::new_err("the pass has returned"));
        }
        self.state.store(FAILED, Ordering::Release);
        Ok(())
    }
}

/// A pass written in Python.
struct PythonPass {
    callback: Arc<Callback>,
    run: Arc<Mutex<Run>>,
}

impl PythonPass {
    /// Calls the callable with `op`. The pipeline's thread holds no interpreter. Returns whether the pass
    /// succeeded.
    fn call(&self, op: Op<'_>) -> PyResult<bool> {
        Python::try_attach(|py| {
            let start = {
                let run = lock(&self.run);
                if run.raised.is_some() {
                    // A pass has raised in another thread, so that nobody would see what this pass
                    // does.
                    return Err(PyRuntimeError::new_err("another pass raised"));
                }
                // The start is none if another extension runs a pass manager that this package
                // made.
                run.start.unwrap_or_default()
            };
            let callable = self.callback.get(py).ok_or_else(|| {
                PyRuntimeError::new_err("the pass was freed by the garbage collector")
            })?;
            let operation = owner::object(py, op)?;
            let context = operation.get().context_of(py)?;
            let state = AtomicU8::new(RUNNING);
            let external = Py::new(py, ExternalPass { state })?;
            let result = context.get().run_within_pipeline(|| {
                run_pass_on(context.get(), op, start, || {
                    callable.call1(py, (operation.clone_ref(py), external.clone_ref(py)))
                })
            });
            let state = external.get().state.swap(RETURNED, Ordering::AcqRel);
            wrapper::reclaim(py);
            result.map(drop)?;
            // An operation that the pass detached may use values that later passes destroy.
            context
                .get()
                .run_within_pipeline(|| operation.get().tree(py)?.get().refuse_loose_uses())?;
            Ok(state != FAILED)
        })
        .unwrap_or_else(|| Err(PyRuntimeError::new_err("the interpreter is ending")))
    }
}
