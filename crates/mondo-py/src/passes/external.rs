//! External passes: passes that are written in Python.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use mondo_sys::*;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::interop::callback::Callback;
use crate::interop::string::string_ref;
use crate::ownership::owner;
use crate::ownership::reentrancy::run_pass_on;
use crate::ownership::wrapper;

/// The runs of a pass manager.
#[derive(Default)]
pub(crate) struct Run {
    /// The operation that it was started on; none between runs.
    pub(crate) start: Option<usize>,
    /// The first exception of a Python pass.
    pub(crate) raised: Option<PyErr>,
}

/// The run, whatever happened to the thread that held it last.
pub(crate) fn lock(run: &Mutex<Run>) -> MutexGuard<'_, Run> {
    run.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The description of a pass for MLIR.
pub(crate) struct PassTexts<'a> {
    pub(crate) name: &'a str,
    /// Its name in a textual pipeline.
    pub(crate) argument: &'a str,
    pub(crate) description: &'a str,
    /// The kind of operation that it runs on; empty: any.
    pub(crate) op_name: &'a str,
}

/// A pass that calls `callback`, for a pass manager whose runs are told through `run`.
pub(crate) fn create(
    callback: Arc<Callback>,
    run: Arc<Mutex<Run>>,
    texts: &PassTexts<'_>,
) -> MlirPass {
    let callbacks = MlirExternalPassCallbacks {
        construct: Some(python_pass::construct),
        destruct: Some(python_pass::destruct),
        initialize: None,
        clone: Some(python_pass::clone),
        run: Some(python_pass::run),
    };
    let pass = Arc::new(PythonPass {
        callback,
        run,
        op_name: texts.op_name.to_owned(),
    });
    let op_name = string_ref(&pass.op_name);
    let data = Arc::into_raw(pass).cast_mut().cast();
    // SAFETY: MLIR copies the texts but for the operation's name, which `data` holds. `destruct`
    // releases `data` with the pass, and each clone has a reference of its own. No dependent dialects
    // need no array.
    unsafe {
        mlirCreateExternalPass(
            new_type_id(),
            string_ref(texts.name),
            string_ref(texts.argument),
            string_ref(texts.description),
            op_name,
            0,
            std::ptr::null_mut(),
            callbacks,
            data,
        )
    }
}

/// A pass that is running, as its Python code sees it.
#[pyclass(frozen, subclass)]
pub(crate) struct ExternalPass {
    /// Null once the pass has returned.
    raw: AtomicPtr<c_void>,
}

#[pymethods]
impl ExternalPass {
    /// Says that the pass failed.
    fn signal_pass_failure(&self) -> PyResult<()> {
        let ptr = self.raw.load(Ordering::Acquire);
        if ptr.is_null() {
            return Err(PyRuntimeError::new_err("the pass has returned"));
        }
        // SAFETY: the pass is running.
        unsafe { mlirExternalPassSignalFailure(MlirExternalPass { ptr }) };
        Ok(())
    }
}

/// A pass written in Python.
struct PythonPass {
    callback: Arc<Callback>,
    run: Arc<Mutex<Run>>,
    /// MLIR has a pointer to it.
    op_name: String,
}

impl PythonPass {
    /// Calls the callable with `op`. The pipeline's thread holds no interpreter.
    fn call(&self, op: MlirOperation, pass: MlirExternalPass) -> PyResult<()> {
        Python::try_attach(|py| {
            let start = {
                let run = lock(&self.run);
                if run.raised.is_some() {
                    // In another thread: nobody would see what this pass did.
                    return Err(PyRuntimeError::new_err("another pass raised"));
                }
                // None if another extension runs a pass manager that it got from us.
                run.start.unwrap_or_default() as *mut c_void
            };
            let callable = self.callback.get(py).ok_or_else(|| {
                PyRuntimeError::new_err("the pass was freed by the garbage collector")
            })?;
            // SAFETY: MLIR runs passes on operations that are alive.
            let operation = unsafe { owner::find(py, op) }?;
            let context = operation.get().context_of(py)?;
            let external = Py::new(
                py,
                ExternalPass {
                    raw: AtomicPtr::new(pass.ptr),
                },
            )?;
            let result = context.get().run_within_pipeline(|| {
                run_pass_on(context.get(), op, start, || {
                    callable.call1(py, (operation.clone_ref(py), external.clone_ref(py)))
                })
            });
            external
                .get()
                .raw
                .store(std::ptr::null_mut(), Ordering::Release);
            wrapper::reclaim(py);
            result.map(drop)?;
            // An operation that the pass detached may use values that later passes destroy.
            context
                .get()
                .run_within_pipeline(|| operation.get().tree(py)?.get().refuse_loose_uses())
        })
        .unwrap_or_else(|| Err(PyRuntimeError::new_err("the interpreter is ending")))
    }
}

/// The functions that MLIR calls for a [`PythonPass`].
mod python_pass {
    use super::*;

    /// The reference that the pass holds was made before it.
    pub(super) unsafe extern "C" fn construct(_data: *mut c_void) {}

    pub(super) unsafe extern "C" fn destruct(data: *mut c_void) {
        // SAFETY: `data` is the reference that `add` or `clone` made for this pass. Python objects
        // in it may be released without the interpreter: PyO3 defers that.
        drop(unsafe { Arc::from_raw(data.cast::<PythonPass>()) });
    }

    /// MLIR clones passes to run them in several threads.
    pub(super) unsafe extern "C" fn clone(data: *mut c_void) -> *mut c_void {
        // SAFETY: `data` is a live reference; this makes another one to the same pass.
        unsafe { Arc::increment_strong_count(data.cast::<PythonPass>()) };
        data
    }

    pub(super) unsafe extern "C" fn run(
        op: MlirOperation,
        external: MlirExternalPass,
        data: *mut c_void,
    ) {
        // SAFETY: `data` is the live reference of the pass that runs.
        let pass = unsafe { &*data.cast::<PythonPass>() };
        let result = catch_unwind(AssertUnwindSafe(|| pass.call(op, external)))
            .unwrap_or_else(|_| Err(PyRuntimeError::new_err("a Python pass panicked")));
        if let Err(error) = result {
            lock(&pass.run).raised.get_or_insert(error);
            // SAFETY: the pass is running.
            unsafe { mlirExternalPassSignalFailure(external) };
        }
    }
}

/// A type id that nothing else has. Passes are told apart by it.
fn new_type_id() -> MlirTypeID {
    struct Allocator(MlirTypeIDAllocator);
    // SAFETY: it is used only under the mutex.
    unsafe impl Send for Allocator {}
    static ALLOCATOR: OnceLock<Mutex<Allocator>> = OnceLock::new();
    let allocator = ALLOCATOR.get_or_init(|| {
        // SAFETY: there is no precondition. It lives as long as the library: MLIR may keep ids.
        Mutex::new(Allocator(unsafe { mlirTypeIDAllocatorCreate() }))
    });
    let allocator = allocator.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the allocator is live.
    unsafe { mlirTypeIDAllocatorAllocateTypeID(allocator.0) }
}
