//! The class `PDLModule`: patterns that are written in the PDL dialect, with the Python functions that they
//! call.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_ir::declarations as c;
use mondo_ir::nodes::Op;
use mondo_ir::objects::PdlPatterns;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use crate::interop::callback::{Callback, Callbacks};
use crate::interop::two_phase::Late;
use crate::ir::error::ErrorCapture;
use crate::ownership::context::Context;
use crate::ownership::operation::OperationBase;

use super::frozen::FrozenRewritePatternSet;
use super::native::Calls;
use super::native_call::Native;

/// Patterns in the PDL dialect.
#[pyclass(frozen, subclass)]
pub(super) struct PDLModule {
    /// None until `__init__`, and after `freeze`.
    pdl: Mutex<Option<PdlPatterns>>,
    /// The functions that were registered, for the garbage collector.
    functions: Mutex<Vec<Arc<Native>>>,
    /// Declared after `pdl`, so that the context is dropped after the patterns.
    patterns: Late<Patterns>,
}

/// The functions that the patterns of a `PDLModule` call, and their context.
struct Patterns {
    /// The functions that have to be registered.
    calls: Calls,
    context: Py<Context>,
}

impl PDLModule {
    fn functions(&self) -> MutexGuard<'_, Vec<Arc<Native>>> {
        self.functions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn pdl(&self) -> MutexGuard<'_, Option<PdlPatterns>> {
        self.pdl.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check(&self, py: Python<'_>) -> PyResult<()> {
        self.patterns.get()?.context.get().check_access(py)?;
        match *self.pdl() {
            Some(_) => Ok(()),
            None => Err(frozen()),
        }
    }

    fn register(&self, name: &str, function: Bound<'_, PyAny>, is_rewrite: bool) -> PyResult<()> {
        if !function.is_callable() {
            return Err(PyTypeError::new_err(
                "incompatible function arguments: the fn argument must be callable",
            ));
        }
        self.check(function.py())?;
        let Some(results) = self.patterns.get()?.calls.of_kind(is_rewrite).get(name) else {
            // A function that no pattern calls is ignored.
            return Ok(());
        };
        let native = Arc::new(Native {
            callback: Callback::new(function.unbind()),
            name: name.to_owned(),
            results: results.clone(),
            is_rewrite,
        });
        self.functions().push(Arc::clone(&native));
        let mut pdl = self.pdl();
        pdl.as_mut()
            .ok_or_else(frozen)?
            .register(name, is_rewrite, native);
        Ok(())
    }

    /// Fails if a function that the patterns call was not registered. MLIR calls functions by their index,
    /// and would call another one.
    fn check_complete(&self) -> PyResult<()> {
        let functions = self.functions();
        for (is_rewrite, what) in [(false, "constraint"), (true, "rewrite")] {
            let missing = self
                .patterns
                .get()?
                .calls
                .of_kind(is_rewrite)
                .keys()
                .find(|name| {
                    let mut known = functions
                        .iter()
                        .filter(|function| function.is_rewrite == is_rewrite);
                    known.all(|other| other.name != **name)
                });
            if let Some(name) = missing {
                return Err(PyValueError::new_err(format!(
                    "the patterns call the {what} function {name:?}, which was not registered \
                     (register_{what}_function)"
                )));
            }
        }
        Ok(())
    }
}

#[pymethods]
impl PDLModule {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(
            self.patterns
                .known()
                .map(|pattern_set| &pattern_set.context),
        )?;
        let Ok(functions) = self.functions.try_lock() else {
            return Ok(());
        };
        functions
            .iter()
            .try_for_each(|function| function.callback.traverse(&visit))
    }

    fn __clear__(&self) {
        let functions = self.functions().clone();
        for function in functions {
            function.callback.clear();
        }
    }

    /// Takes a copy of a module with PDL patterns.
    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "(module)")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self {
            pdl: Mutex::default(),
            functions: Mutex::default(),
            patterns: Late::empty(),
        }
    }

    fn __init__(&self, module: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = module.py();
        let expected = || {
            PyTypeError::new_err(format!(
                "incompatible function arguments: expected a Module, not {}",
                module.get_type()
            ))
        };
        let owner = module.getattr("operation").map_err(|_| expected())?;
        let operation = owner.cast::<OperationBase>().map_err(|_| expected())?;
        let operation = operation.get();
        operation.read(py, |_| ())?;
        let context = operation.context_of(py)?;
        // MLIR would abort the process when it freezes the patterns of an invalid module.
        let verify = || operation.read(py, |op| c::mlirOperationVerify(op));
        let (valid, errors) = ErrorCapture::run(py, &context, verify)?;
        if !valid? {
            return Err(errors.into_error(py, "Verification failed"));
        }
        let (pdl, calls) = operation.read(py, |op| {
            if op.name().bytes() != b"builtin.module" {
                return Err(expected());
            }
            if !has_patterns(op) {
                // MLIR takes for granted that there is a pattern, and would read one that does not exist.
                return Err(PyValueError::new_err(
                    "the module has no pdl.pattern (of the PDL dialect, if the bundle has that)",
                ));
            }
            let calls = Calls::of(op)?;
            // SAFETY: `mlirOperationVerify` has found the module valid, and `has_patterns` that it has
            // patterns. This object has a reference to the context, in a field that is dropped after the
            // patterns; so has the `Frozen` that `freeze` moves them into.
            Ok((unsafe { PdlPatterns::of(op.duplicate()) }, calls))
        })??;
        self.patterns.set(Patterns { calls, context })?;
        *self.pdl() = Some(pdl);
        Ok(())
    }

    /// Makes the patterns ready to be applied. Nothing can be registered afterwards.
    fn freeze(&self, py: Python<'_>) -> PyResult<FrozenRewritePatternSet> {
        self.check(py)?;
        self.check_complete()?;
        let frozen = self.pdl().take().ok_or_else(frozen)?.freeze();
        let functions = std::mem::take(&mut *self.functions());
        Ok(FrozenRewritePatternSet::own(
            frozen,
            Callbacks::default(),
            functions,
            Some(self.patterns.get()?.context.clone_ref(py)),
            false,
        ))
    }

    /// Makes `fn(rewriter, results, values)` the rewrite function of a name.
    #[pyo3(signature = (name, r#fn))]
    fn register_rewrite_function(&self, name: &str, r#fn: Bound<'_, PyAny>) -> PyResult<()> {
        self.register(name, r#fn, true)
    }

    /// Makes `fn(rewriter, results, values)` the constraint of a name.
    #[pyo3(signature = (name, r#fn))]
    fn register_constraint_function(&self, name: &str, r#fn: Bound<'_, PyAny>) -> PyResult<()> {
        self.register(name, r#fn, false)
    }
}

fn frozen() -> PyErr {
    PyRuntimeError::new_err("the PDL module was frozen")
}

/// Returns whether a module has a `pdl.pattern` of the PDL dialect, and not of an unregistered one.
fn has_patterns(module: Op<'_>) -> bool {
    let name = "pdl.pattern";
    let is_known = module.uniquer().has_operation(name);
    let mut operations = module.blocks().flat_map(|block| block.operations());
    is_known && operations.any(|op| op.name().bytes() == name.as_bytes())
}
