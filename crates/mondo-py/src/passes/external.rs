//! External passes: passes that are written in Python. `manager.rs` adds them to a pass manager.

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

/// The state of a pass manager's run, which its Python passes share.
#[derive(Default)]
pub(crate) struct Run {
    /// The address of the operation that the run was started on; None between runs.
    pub(crate) start: Option<usize>,
    /// The first exception of a Python pass.
    pub(crate) raised: Option<PyErr>,
}

/// Locks the run, also if a thread that had it locked panicked.
pub(crate) fn lock(run: &Mutex<Run>) -> MutexGuard<'_, Run> {
    run.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a pass that calls `callback` to a pass manager. `run` has the state of the pass manager's run.
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

/// The pass is running.
const RUNNING: u8 = 0;
/// The pass is running, and has called `signal_pass_failure`.
const FAILED: u8 = 1;
/// The pass has returned.
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
    /// Attaches the thread, which the pipeline had detached, and calls the callable with `op`. Returns
    /// whether the pass succeeded.
    fn call(&self, op: Op<'_>) -> PyResult<bool> {
        Python::try_attach(|py| {
            let start = {
                let run = lock(&self.run);
                if run.raised.is_some() {
                    // A pass in another thread has raised, so that the pipeline fails anyway and the result
                    // of this pass would be lost.
                    return Err(PyRuntimeError::new_err("another pass raised"));
                }
                // `start` is None if another extension runs a pass manager that this package made.
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
            // The pass fails if it left a detached operation that uses values of this tree, because later
            // passes may destroy these values.
            context
                .get()
                .run_within_pipeline(|| operation.get().tree(py)?.get().refuse_loose_uses())?;
            Ok(state != FAILED)
        })
        .unwrap_or_else(|| Err(PyRuntimeError::new_err("the interpreter is ending")))
    }
}
