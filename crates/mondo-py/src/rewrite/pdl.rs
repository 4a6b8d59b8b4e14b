//! `PDLModule`: patterns that are written in the PDL dialect.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use crate::interop::callback::{Callback, Callbacks};
use crate::interop::late::Late;
use crate::interop::string::{string_ref, to_string};
use crate::ir::error::ErrorCapture;
use crate::ownership::context::Context;
use crate::ownership::operation::OperationBase;

use super::frozen::{FrozenRewritePatternSet, freeze};
use super::native::Calls;
use super::native_call::{Native, call_native};

/// Patterns in the PDL dialect.
#[pyclass(frozen, subclass)]
pub(super) struct PDLModule {
    /// Null once frozen.
    raw: AtomicPtr<c_void>,
    /// The functions that MLIR has bare pointers to.
    functions: Mutex<Vec<Arc<Native>>>,
    patterns: Late<Patterns>,
}

/// The facts about the patterns of a `PDLModule`.
struct Patterns {
    /// The functions that have to be registered.
    calls: Calls,
    context: Py<Context>,
}

impl Drop for PDLModule {
    fn drop(&mut self) {
        let ptr = self.raw.load(Ordering::Acquire);
        if !ptr.is_null() {
            // SAFETY: this object owns the patterns.
            unsafe { mlirPDLPatternModuleDestroy(MlirPDLPatternModule { ptr }) };
        }
    }
}

/// The function that MLIR calls for a native function.
type Function = unsafe extern "C" fn(
    MlirPatternRewriter,
    MlirPDLResultList,
    usize,
    *mut MlirPDLValue,
    *mut c_void,
) -> MlirLogicalResult;

type Register =
    unsafe extern "C" fn(MlirPDLPatternModule, MlirStringRef, Option<Function>, *mut c_void);

impl PDLModule {
    fn functions(&self) -> MutexGuard<'_, Vec<Arc<Native>>> {
        self.functions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, py: Python<'_>) -> PyResult<MlirPDLPatternModule> {
        self.patterns.get()?.context.get().check_access(py)?;
        let ptr = self.raw.load(Ordering::Acquire);
        if ptr.is_null() {
            return Err(PyRuntimeError::new_err("the PDL module was frozen"));
        }
        Ok(MlirPDLPatternModule { ptr })
    }

    fn register(
        &self,
        name: &str,
        function: Bound<'_, PyAny>,
        is_rewrite: bool,
        register: Register,
    ) -> PyResult<()> {
        if !function.is_callable() {
            return Err(PyTypeError::new_err("the fn argument must be callable"));
        }
        let raw = self.get(function.py())?;
        let Some(results) = self.patterns.get()?.calls.of_kind(is_rewrite).get(name) else {
            // No pattern calls it.
            return Ok(());
        };
        let native = Arc::new(Native {
            callback: Callback::new(function.unbind()),
            name: name.to_owned(),
            results: results.clone(),
            is_rewrite,
        });
        let data = Arc::as_ptr(&native).cast_mut().cast();
        self.functions().push(native);
        // SAFETY: the patterns are live, and MLIR copies the name. What `data` points to is kept by
        // this object and by the frozen set.
        unsafe { register(raw, string_ref(name), Some(call_native), data) };
        Ok(())
    }

    /// Fails if a function that the patterns call was not registered: MLIR would call another one.
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
                    let mut known = functions.iter().filter(|it| it.is_rewrite == is_rewrite);
                    known.all(|it| it.name != **name)
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
        visit.call(self.patterns.known().map(|it| &it.context))?;
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
            raw: AtomicPtr::default(),
            functions: Mutex::default(),
            patterns: Late::empty(),
        }
    }

    fn __init__(&self, module: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = module.py();
        let expected =
            || PyTypeError::new_err(format!("expected a Module, not {}", module.get_type()));
        let owner = module.getattr("operation").map_err(|_| expected())?;
        let operation = owner.cast::<OperationBase>().map_err(|_| expected())?;
        let op = operation.get().get(py)?;
        let context = operation.get().context_of(py)?;
        // An invalid module would end the process when the patterns are frozen.
        // SAFETY: the operation is live.
        let (valid, errors) =
            ErrorCapture::run(py, &context, || unsafe { mlirOperationVerify(op) })?;
        if !valid {
            return Err(errors.into_error(py, "Verification failed"));
        }
        // SAFETY: the operation is live.
        let module = unsafe { mlirModuleFromOperation(op) };
        if module.ptr.is_null() {
            return Err(expected());
        }
        if !has_patterns(module) {
            // MLIR would go through patterns that are not there.
            return Err(PyValueError::new_err(
                "the module has no pdl.pattern (of the PDL dialect, if the bundle has that)",
            ));
        }
        // SAFETY: the operation is live and valid.
        let calls = unsafe { Calls::of(op)? };
        // SAFETY: the operation is live and a module. MLIR takes the copy over, which nobody else
        // knows.
        let raw = unsafe {
            let copy = mlirModuleFromOperation(mlirOperationClone(op));
            mlirPDLPatternModuleFromModule(copy)
        };
        if let Err(error) = self.patterns.set(Patterns { calls, context }) {
            // SAFETY: the patterns were just made, and nobody else knows them.
            unsafe { mlirPDLPatternModuleDestroy(raw) };
            return Err(error);
        }
        self.raw.store(raw.ptr, Ordering::Release);
        Ok(())
    }

    /// Makes the patterns ready to be applied. Nothing can be registered afterwards.
    fn freeze(&self, py: Python<'_>) -> PyResult<FrozenRewritePatternSet> {
        let raw = self.get(py)?;
        self.check_complete()?;
        self.raw.store(ptr::null_mut(), Ordering::Release);
        // SAFETY: the patterns are live, and nobody else has them any more. Moving them into a set
        // leaves a shell, which is to be destroyed.
        let frozen = unsafe {
            let set = mlirRewritePatternSetFromPDLPatternModule(raw);
            mlirPDLPatternModuleDestroy(raw);
            freeze(set)
        };
        let functions = std::mem::take(&mut *self.functions());
        Ok(FrozenRewritePatternSet::own(
            frozen,
            Callbacks::default(),
            functions,
            Some(self.patterns.get()?.context.clone_ref(py)),
        ))
    }

    /// Makes `fn(rewriter, results, values)` the rewrite function of a name.
    #[pyo3(signature = (name, r#fn))]
    fn register_rewrite_function(&self, name: &str, r#fn: Bound<'_, PyAny>) -> PyResult<()> {
        self.register(
            name,
            r#fn,
            true,
            mlirPDLPatternModuleRegisterRewriteFunction,
        )
    }

    /// Makes `fn(rewriter, results, values)` the constraint of a name.
    #[pyo3(signature = (name, r#fn))]
    fn register_constraint_function(&self, name: &str, r#fn: Bound<'_, PyAny>) -> PyResult<()> {
        self.register(
            name,
            r#fn,
            false,
            mlirPDLPatternModuleRegisterConstraintFunction,
        )
    }
}

/// Returns whether a live module has patterns of the PDL dialect, which is loaded.
fn has_patterns(module: MlirModule) -> bool {
    let name = "pdl.pattern";
    // SAFETY: the module is live, and so are its operations and their names.
    unsafe {
        let context = mlirModuleGetContext(module);
        if !mlirContextIsRegisteredOperation(context, string_ref(name)) {
            return false;
        }
        let mut op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
        while !op.ptr.is_null() {
            if to_string(mlirIdentifierStr(mlirOperationGetName(op))) == name {
                return true;
            }
            op = mlirOperationGetNextInBlock(op);
        }
    }
    false
}
