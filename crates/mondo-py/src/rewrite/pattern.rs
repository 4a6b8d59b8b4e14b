//! The class `RewritePatternSet`: patterns that are written as Python functions. `python_pattern.rs` calls
//! them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_ir::objects::PatternSet;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use crate::interop::callback::{Callback, Callbacks};
use crate::interop::two_phase::Late;
use crate::ir::context_stack;
use crate::ownership::context::{Context, Entered};

use super::conversion::name_of;
use super::conversion_pattern::ConversionPattern;
use super::frozen::FrozenRewritePatternSet;
use super::python_pattern;
use super::type_converter::{self, TypeConverter};

const MAX_BENEFIT: u32 = PatternSet::MAX_BENEFIT;

/// Patterns, to be frozen before they are applied.
#[pyclass(frozen, subclass)]
pub(super) struct RewritePatternSet {
    /// None until `__init__`, and after `freeze`.
    set: Mutex<Option<PatternSet>>,
    /// The `TypeConverter`s of the patterns, by their numbers in the set, which owns them.
    converters: Mutex<Vec<Arc<Callback>>>,
    callbacks: Callbacks,
    /// Declared after the set, so that it is dropped after it.
    context: Late<Py<Context>>,
}

impl RewritePatternSet {
    fn set(&self) -> MutexGuard<'_, Option<PatternSet>> {
        self.set.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn converters(&self) -> MutexGuard<'_, Vec<Arc<Callback>>> {
        self.converters
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The name of the operations of a pattern. Fails if the pattern cannot be added.
    fn check(
        &self,
        root: &Bound<'_, PyAny>,
        function: &Bound<'_, PyAny>,
        benefit: u32,
    ) -> PyResult<String> {
        let name = name_of(root, "OPERATION_NAME")?;
        if !function.is_callable() {
            return Err(PyTypeError::new_err(
                "incompatible function arguments: the fn argument must be callable",
            ));
        }
        if benefit > MAX_BENEFIT {
            return Err(PyValueError::new_err(format!(
                "the benefit must not be above {MAX_BENEFIT}"
            )));
        }
        self.context.get()?.get().check_access(root.py())?;
        Ok(name)
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
            converters: Mutex::default(),
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
        let name = self.check(root, &r#fn, benefit)?;
        let set = self.set();
        let set = set.as_ref().ok_or_else(frozen)?;
        let callback = Callback::new(r#fn.unbind());
        self.callbacks.show(&callback);
        set.add(&name, benefit, move |op, rewriter| {
            python_pattern::matches(&callback, op, rewriter)
        });
        Ok(())
    }

    /// Adds `func(op, adaptor, type_converter, rewriter)` as a pattern of conversions for operations of a class or a name. It
    /// has matched if it returns nothing or something false.
    #[pyo3(signature = (root, r#fn, type_converter, benefit = 1))]
    fn add_conversion(
        &self,
        root: &Bound<'_, PyAny>,
        r#fn: Bound<'_, PyAny>,
        type_converter: &Bound<'_, TypeConverter>,
        benefit: u32,
    ) -> PyResult<()> {
        let name = self.check(root, &r#fn, benefit)?;
        let mut set = self.set();
        let set = set.as_mut().ok_or_else(frozen)?;
        let object = type_converter.as_any();
        let mut converters = self.converters();
        let known = converters.iter().position(|known| known.is_of(object));
        let number = known.unwrap_or_else(|| {
            let converter = Callback::new(object.clone().unbind());
            self.callbacks.show(&converter);
            let function = type_converter::function(Arc::clone(&converter));
            converters.push(converter);
            set.add_type_converter(function)
        });
        let callback = Callback::new(r#fn.unbind());
        self.callbacks.show(&callback);
        let pattern = ConversionPattern {
            callback,
            converter: Arc::clone(&converters[number]),
        };
        set.add_conversion(&name, benefit, number, move |op, operands, rewriter| {
            pattern.matches(op, operands, rewriter)
        });
        Ok(())
    }

    /// Makes the set ready to be applied. Nothing can be added afterwards.
    fn freeze(&self, py: Python<'_>) -> PyResult<FrozenRewritePatternSet> {
        let context = self.context.get()?;
        context.get().check_access(py)?;
        let patterns = self.set().take().ok_or_else(frozen)?.freeze();
        self.converters().clear();
        Ok(FrozenRewritePatternSet::own(
            patterns,
            self.callbacks.hand_over(),
            Vec::new(),
            Some(context.clone_ref(py)),
            true,
        ))
    }
}
