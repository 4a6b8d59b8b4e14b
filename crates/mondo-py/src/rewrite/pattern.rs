//! `RewritePatternSet`: patterns that are written as Python functions.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString, PyType};

use crate::interop::callback::{Callback, Callbacks};
use crate::interop::string::string_ref;
use crate::ir::current;
use crate::ownership::context::Context;
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::owner;

use super::drive::Drive;
use super::frozen::{FrozenRewritePatternSet, freeze};
use super::rewriter::PatternRewriter;

/// The highest benefit; one more stands for "impossible".
const MAX_BENEFIT: u32 = 65534;

/// Patterns, to be frozen before they are applied.
#[pyclass(frozen)]
pub(super) struct RewritePatternSet {
    /// Null once frozen.
    raw: AtomicPtr<c_void>,
    callbacks: Callbacks,
    context: Py<Context>,
}

impl Drop for RewritePatternSet {
    fn drop(&mut self) {
        let ptr = self.raw.load(Ordering::Acquire);
        if !ptr.is_null() {
            // SAFETY: this object owns the set.
            unsafe { mlirRewritePatternSetDestroy(MlirRewritePatternSet { ptr }) };
        }
    }
}

impl RewritePatternSet {
    fn get(&self) -> PyResult<MlirRewritePatternSet> {
        let ptr = self.raw.load(Ordering::Acquire);
        if ptr.is_null() {
            return Err(PyRuntimeError::new_err("the pattern set was frozen"));
        }
        Ok(MlirRewritePatternSet { ptr })
    }
}

#[pymethods]
impl RewritePatternSet {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)?;
        self.callbacks.traverse(&visit)
    }

    fn __clear__(&self) {
        self.callbacks.clear();
    }

    #[new]
    #[pyo3(signature = (context = None))]
    fn new(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Self> {
        let context = current::resolve_context(py, context)?;
        // SAFETY: the context is live.
        let raw = unsafe { mlirRewritePatternSetCreate(context.get().get(py)?) };
        Ok(Self {
            raw: AtomicPtr::new(raw.ptr),
            callbacks: Callbacks::default(),
            context,
        })
    }

    /// Adds `func(op, rewriter)` as a pattern for operations of a class or a name. It has matched if it
    /// returns nothing or something false.
    #[pyo3(signature = (root, r#fn, benefit = 1))]
    fn add(&self, root: &Bound<'_, PyAny>, r#fn: Bound<'_, PyAny>, benefit: u32) -> PyResult<()> {
        let py = root.py();
        let name: String = if root.is_instance_of::<PyType>() {
            root.getattr("OPERATION_NAME")?.extract()?
        } else if root.is_instance_of::<PyString>() {
            root.extract()?
        } else {
            return Err(PyTypeError::new_err(
                "the root argument must be a type or a string",
            ));
        };
        if !r#fn.is_callable() {
            return Err(PyTypeError::new_err("the fn argument must be callable"));
        }
        if name.is_empty() {
            return Err(PyValueError::new_err("the root argument must not be empty"));
        }
        if benefit > MAX_BENEFIT {
            return Err(PyValueError::new_err(format!(
                "the benefit must not be above {MAX_BENEFIT}"
            )));
        }
        let context = self.context.get().get(py)?;
        let set = self.get()?;
        let callback = Callback::new(r#fn.unbind());
        self.callbacks.show(&callback);
        let callbacks = MlirRewritePatternCallbacks {
            construct: Some(python_pattern::construct),
            destruct: Some(python_pattern::destruct),
            matchAndRewrite: Some(python_pattern::match_and_rewrite),
        };
        let data = Arc::into_raw(callback).cast_mut().cast();
        // SAFETY: the context and the set are live, MLIR copies the name, and gives `data` back to
        // `destruct` with the pattern, which the set takes over. No names need no array.
        unsafe {
            let pattern = mlirOpRewritePatternCreate(
                string_ref(&name),
                benefit,
                context,
                callbacks,
                data,
                0,
                ptr::null_mut(),
            );
            mlirRewritePatternSetAdd(set, pattern);
        }
        Ok(())
    }

    /// Makes the set ready to be applied. Nothing can be added afterwards.
    fn freeze(&self, py: Python<'_>) -> PyResult<FrozenRewritePatternSet> {
        self.context.get().check_access(py)?;
        let set = self.get()?;
        self.raw.store(ptr::null_mut(), Ordering::Release);
        // SAFETY: the set is live, and nobody else has it any more.
        let raw = unsafe { freeze(set) };
        Ok(FrozenRewritePatternSet::own(
            raw,
            self.callbacks.hand_over(),
            Vec::new(),
            Some(self.context.clone_ref(py)),
        ))
    }
}

/// What MLIR calls for a pattern, whose data is a reference to a [`Callback`].
mod python_pattern {
    use super::*;

    /// The reference that the pattern holds was made before it.
    pub(super) unsafe extern "C" fn construct(_data: *mut c_void) {}

    pub(super) unsafe extern "C" fn destruct(data: *mut c_void) {
        // SAFETY: `data` is the reference that `add` made for this pattern.
        drop(unsafe { Arc::from_raw(data.cast::<Callback>()) });
    }

    pub(super) unsafe extern "C" fn match_and_rewrite(
        _pattern: MlirRewritePattern,
        op: MlirOperation,
        rewriter: MlirPatternRewriter,
        data: *mut c_void,
    ) -> MlirLogicalResult {
        // SAFETY: `data` is the live reference of the pattern that runs.
        let callback = unsafe { &*data.cast::<Callback>() };
        let matched = catch_unwind(AssertUnwindSafe(|| {
            Python::try_attach(|py| call(py, callback, op, rewriter))
        }))
        .ok()
        .flatten()
        .unwrap_or(false);
        MlirLogicalResult {
            value: i8::from(matched),
        }
    }
}

/// Calls a pattern with `op`. Returns whether it matched.
fn call(
    py: Python<'_>,
    callback: &Callback,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
) -> bool {
    let drive = Drive::current();
    if drive.as_ref().is_some_and(|drive| drive.has_raised()) {
        return false;
    }
    let mut operation = None;
    let result = call_with(py, callback, op, rewriter, drive.as_deref(), &mut operation);
    // The driver would go on with an operation that is no more.
    let gone = operation.is_some_and(|operation: Py<OperationBase>| !operation.get().is_alive(py));
    match result {
        Ok(matched) => matched || gone,
        Err(error) => {
            match drive {
                Some(drive) => drive.raise(error),
                None => error.write_unraisable(py, None),
            }
            gone
        }
    }
}

fn call_with(
    py: Python<'_>,
    callback: &Callback,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
    drive: Option<&Drive>,
    seen: &mut Option<Py<OperationBase>>,
) -> PyResult<bool> {
    let callable = callback
        .get(py)
        .ok_or_else(|| PyRuntimeError::new_err("the pattern was freed by the garbage collector"))?;
    // SAFETY: drivers apply patterns to operations that are alive.
    let operation = unsafe { owner::find(py, op) }?;
    *seen = Some(operation.clone_ref(py));
    let tree = operation.get().tree(py)?;
    let context = operation.get().context_of(py)?;
    // SAFETY: as above, and the operation is of that tree.
    let view = unsafe { operation::view(py, tree.as_unbound(), op) }?;
    // SAFETY: MLIR's rewriter is live until this function returns.
    let rewriter =
        unsafe { PatternRewriter::open(py, rewriter, context, Some(&operation), drive) }?;
    let result = callable.call1(py, (view, rewriter.clone_ref(py)));
    rewriter.get().close();
    Ok(!result?.bind(py).is_truthy()?)
}
