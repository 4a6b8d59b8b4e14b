//! The class `RewritePatternSet`: patterns that are written as Python functions. `python_pattern.rs` calls
//! them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use mondo_ir::objects::PatternSet;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyString, PyTuple, PyType};

use crate::interop::callback::{Callback, Callbacks};
use crate::interop::two_phase::Late;
use crate::ir::context_stack;
use crate::ownership::context::{Context, Entered};

use super::frozen::FrozenRewritePatternSet;
use super::python_pattern;

const MAX_BENEFIT: u32 = PatternSet::MAX_BENEFIT;

/// Patterns, to be frozen before they are applied.
#[pyclass(frozen, subclass)]
pub(super) struct RewritePatternSet {
    /// None until `__init__`, and after `freeze`.
    set: Mutex<Option<PatternSet>>,
    callbacks: Callbacks,
    /// Declared after the set, so that it is dropped after it.
    context: Late<Py<Context>>,
}

impl RewritePatternSet {
    fn set(&self) -> MutexGuard<'_, Option<PatternSet>> {
        self.set.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn frozen() -> PyErr {
    PyRuntimeError::new_err("the pattern set was frozen")
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
            set: Mutex::default(),
            callbacks: Callbacks::default(),
            context: Late::empty(),
        }
    }

    #[pyo3(signature = (context = None))]
    fn __init__(&self, py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<()> {
        let context = context_stack::resolve_context(py, context)?;
        // SAFETY: this object has a reference to the context, in a field that is dropped after the set; so
        // has the `Frozen` that `freeze` moves the patterns into.
        let new = |ctx: Entered<'_, '_>| Ok(unsafe { PatternSet::new(*ctx) });
        let set = Context::enter(py, &context, new)?;
        self.context.set(context)?;
        *self.set() = Some(set);
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
                "incompatible function arguments: the root argument must be a type or a string",
            ));
        };
        if !r#fn.is_callable() {
            return Err(PyTypeError::new_err(
                "incompatible function arguments: the fn argument must be callable",
            ));
        }
        if name.is_empty() {
            return Err(PyValueError::new_err("the root argument must not be empty"));
        }
        if benefit > MAX_BENEFIT {
            return Err(PyValueError::new_err(format!(
                "the benefit must not be above {MAX_BENEFIT}"
            )));
        }
        self.context.get()?.get().check_access(py)?;
        let set = self.set();
        let set = set.as_ref().ok_or_else(frozen)?;
        let callback = Callback::new(r#fn.unbind());
        self.callbacks.show(&callback);
        set.add(&name, benefit, move |op, rewriter| {
            python_pattern::matches(&callback, op, rewriter)
        });
        Ok(())
    }

    /// Makes the set ready to be applied. Nothing can be added afterwards.
    fn freeze(&self, py: Python<'_>) -> PyResult<FrozenRewritePatternSet> {
        let context = self.context.get()?;
        context.get().check_access(py)?;
        let patterns = self.set().take().ok_or_else(frozen)?.freeze();
        Ok(FrozenRewritePatternSet::own(
            patterns,
            self.callbacks.hand_over(),
            Vec::new(),
            Some(context.clone_ref(py)),
        ))
    }
}
