//! `RewritePatternSet`: patterns that are written as Python functions.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyString, PyTuple, PyType};

use crate::interop::callback::{Callback, Callbacks};
use crate::interop::late::Late;
use crate::interop::string::string_ref;
use crate::ir::current;
use crate::ownership::context::Context;

use super::frozen::{FrozenRewritePatternSet, freeze};
use super::python_pattern;

/// The highest benefit; one more stands for "impossible".
const MAX_BENEFIT: u32 = 65534;

/// Patterns, to be frozen before they are applied.
#[pyclass(frozen, subclass)]
pub(super) struct RewritePatternSet {
    /// Null once frozen.
    raw: AtomicPtr<c_void>,
    callbacks: Callbacks,
    context: Late<Py<Context>>,
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
        self.context.get()?;
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
        visit.call(self.context.known())?;
        self.callbacks.traverse(&visit)
    }

    fn __clear__(&self) {
        self.callbacks.clear();
    }

    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "(context=None)")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self {
            raw: AtomicPtr::default(),
            callbacks: Callbacks::default(),
            context: Late::empty(),
        }
    }

    #[pyo3(signature = (context = None))]
    fn __init__(&self, py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<()> {
        let context = current::resolve_context(py, context)?;
        let raw = context.get().get(py)?;
        self.context.set(context)?;
        // SAFETY: the context is live.
        let raw = unsafe { mlirRewritePatternSetCreate(raw) };
        self.raw.store(raw.ptr, Ordering::Release);
        Ok(())
    }

    /// Adds `func(op, rewriter)` as a pattern for operations of a class or a name. It has matched if
    /// it returns nothing or something false.
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
        let context = self.context.get()?.get().get(py)?;
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
        let context = self.context.get()?;
        context.get().check_access(py)?;
        let set = self.get()?;
        self.raw.store(ptr::null_mut(), Ordering::Release);
        // SAFETY: the set is live, and nobody else has it any more.
        let raw = unsafe { freeze(set) };
        Ok(FrozenRewritePatternSet::own(
            raw,
            self.callbacks.hand_over(),
            Vec::new(),
            Some(context.clone_ref(py)),
        ))
    }
}
