//! `PDLModule`: patterns that are written in the PDL dialect.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use crate::attribute::{self, Attribute};
use crate::callback::{Callback, Callbacks};
use crate::context::Context;
use crate::error::ErrorCapture;
use crate::operation::{self, OperationBase};
use crate::string::{string_ref, to_string};
use crate::types::{self, Type};
use crate::value::{self, Value};

use super::drive::Drive;
use super::pattern::{FrozenRewritePatternSet, freeze};
use super::rewriter::PatternRewriter;

/// Patterns in the PDL dialect.
#[pyclass(frozen)]
pub(super) struct PDLModule {
    /// Null once frozen.
    raw: AtomicPtr<c_void>,
    /// What MLIR has bare pointers to.
    functions: Mutex<Vec<Arc<Callback>>>,
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

/// What MLIR calls for a native function, and what it is given for the result.
type Native = unsafe extern "C" fn(
    MlirPatternRewriter,
    MlirPDLResultList,
    usize,
    *mut MlirPDLValue,
    *mut c_void,
) -> MlirLogicalResult;

type Register =
    unsafe extern "C" fn(MlirPDLPatternModule, MlirStringRef, Option<Native>, *mut c_void);

impl PDLModule {
    fn functions(&self) -> MutexGuard<'_, Vec<Arc<Callback>>> {
        self.functions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, py: Python<'_>) -> PyResult<MlirPDLPatternModule> {
        self.context.get().check_access(py)?;
        let ptr = self.raw.load(Ordering::Acquire);
        if ptr.is_null() {
            return Err(PyRuntimeError::new_err("the PDL module was frozen"));
        }
        Ok(MlirPDLPatternModule { ptr })
    }

    fn register(&self, name: &str, function: Bound<'_, PyAny>, register: Register) -> PyResult<()> {
        if !function.is_callable() {
            return Err(PyTypeError::new_err("the fn argument must be callable"));
        }
        let raw = self.get(function.py())?;
        let callback = Callback::new(function.unbind());
        let data = Arc::as_ptr(&callback).cast_mut().cast();
        self.functions().push(callback);
        // SAFETY: the patterns are live, and MLIR copies the name. What `data` points to is kept by
        // this object and by the frozen set.
        unsafe { register(raw, string_ref(name), Some(call_native), data) };
        Ok(())
    }
}

#[pymethods]
impl PDLModule {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)?;
        let Ok(functions) = self.functions.try_lock() else {
            return Ok(());
        };
        functions
            .iter()
            .try_for_each(|function| function.traverse(&visit))
    }

    fn __clear__(&self) {
        let functions = self.functions().clone();
        for function in functions {
            function.clear();
        }
    }

    /// Takes a copy of a module with PDL patterns.
    #[new]
    fn new(module: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = module.py();
        let expected =
            || PyTypeError::new_err(format!("expected a Module, not {}", module.get_type()));
        let owner = module.getattr("operation").map_err(|_| expected())?;
        let operation = owner.cast::<OperationBase>().map_err(|_| expected())?;
        let op = operation.get().get(py)?;
        let context = operation.get().context_of(py)?;
        // What is wrong would end the process when the patterns are frozen.
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
        // SAFETY: the operation is live and a module. MLIR takes the copy over, which nobody else
        // knows.
        let raw = unsafe {
            let copy = mlirModuleFromOperation(mlirOperationClone(op));
            mlirPDLPatternModuleFromModule(copy)
        };
        Ok(Self {
            raw: AtomicPtr::new(raw.ptr),
            functions: Mutex::default(),
            context,
        })
    }

    /// Makes the patterns ready to be applied. Nothing can be registered afterwards.
    fn freeze(&self, py: Python<'_>) -> PyResult<FrozenRewritePatternSet> {
        let raw = self.get(py)?;
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
            Some(self.context.clone_ref(py)),
        ))
    }

    /// Makes `fn(rewriter, results, values)` the rewrite function of a name.
    #[pyo3(signature = (name, r#fn))]
    fn register_rewrite_function(&self, name: &str, r#fn: Bound<'_, PyAny>) -> PyResult<()> {
        self.register(name, r#fn, mlirPDLPatternModuleRegisterRewriteFunction)
    }

    /// Makes `fn(rewriter, results, values)` the constraint of a name.
    #[pyo3(signature = (name, r#fn))]
    fn register_constraint_function(&self, name: &str, r#fn: Bound<'_, PyAny>) -> PyResult<()> {
        self.register(name, r#fn, mlirPDLPatternModuleRegisterConstraintFunction)
    }
}

/// Whether a live module has patterns of the PDL dialect, which is loaded.
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

/// Where a native function puts its results; valid until it returns.
#[pyclass(frozen)]
pub(super) struct PDLResultList {
    /// Null once the function has returned.
    raw: AtomicPtr<c_void>,
    context: Py<Context>,
}

#[pymethods]
impl PDLResultList {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)
    }

    /// Appends a value, an operation, a type or an attribute.
    fn append(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = value.py();
        let ptr = self.raw.load(Ordering::Acquire);
        if ptr.is_null() {
            return Err(PyRuntimeError::new_err(
                "the result list is invalid (used outside of the function it was made for)",
            ));
        }
        let list = MlirPDLResultList { ptr };
        // SAFETY: the list is live until the function returns, and everything is checked to be alive.
        unsafe {
            if let Ok(value) = value.cast::<Value>() {
                mlirPDLResultListPushBackValue(list, value.get().get(py)?);
            } else if let Ok(operation) = value.cast::<OperationBase>() {
                mlirPDLResultListPushBackOperation(list, operation.get().get(py)?);
            } else if let Ok(ty) = value.cast::<Type>() {
                mlirPDLResultListPushBackType(list, ty.get().get_in(py, &self.context)?);
            } else if let Ok(attribute) = value.cast::<Attribute>() {
                mlirPDLResultListPushBackAttribute(
                    list,
                    attribute.get().get_in(py, &self.context)?,
                );
            } else {
                return Err(PyTypeError::new_err(format!(
                    "expected a Value, an operation, a Type or an Attribute, not {}",
                    value.get_type()
                )));
            }
        }
        Ok(())
    }
}

/// What MLIR calls for a native function, whose data is a [`Callback`].
unsafe extern "C" fn call_native(
    rewriter: MlirPatternRewriter,
    results: MlirPDLResultList,
    count: usize,
    values: *mut MlirPDLValue,
    data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: the frozen set, which is being applied, keeps the callback.
    let callback = unsafe { &*data.cast::<Callback>() };
    let values: &[MlirPDLValue] = if count == 0 {
        &[]
    } else {
        // SAFETY: MLIR passes as many values as it says.
        unsafe { std::slice::from_raw_parts(values, count) }
    };
    let succeeded = catch_unwind(AssertUnwindSafe(|| {
        Python::try_attach(|py| {
            let drive = Drive::current();
            if drive.as_ref().is_some_and(|drive| drive.has_raised()) {
                return false;
            }
            let result = call(py, callback, rewriter, results, values, drive.as_deref());
            result.unwrap_or_else(|error| {
                match drive {
                    Some(drive) => drive.raise(error),
                    None => error.write_unraisable(py, None),
                }
                false
            })
        })
    }))
    .ok()
    .flatten()
    .unwrap_or(false);
    MlirLogicalResult {
        value: i8::from(succeeded),
    }
}

fn call(
    py: Python<'_>,
    callback: &Callback,
    rewriter: MlirPatternRewriter,
    results: MlirPDLResultList,
    values: &[MlirPDLValue],
    drive: Option<&Drive>,
) -> PyResult<bool> {
    let callable = callback.get(py).ok_or_else(|| {
        PyRuntimeError::new_err("the function was freed by the garbage collector")
    })?;
    // SAFETY: the rewriter is live during this call.
    let context = unsafe {
        let raw = mlirRewriterBaseGetContext(mlirPatternRewriterAsBase(rewriter));
        Context::of(py, raw)?
    };
    let values = values
        .iter()
        .map(|value| object(py, &context, *value))
        .collect::<PyResult<Vec<_>>>()?;
    let list = Py::new(
        py,
        PDLResultList {
            raw: AtomicPtr::new(results.ptr),
            context: context.clone_ref(py),
        },
    )?;
    // SAFETY: as above.
    let rewriter = unsafe { PatternRewriter::open(py, rewriter, context, None, drive) }?;
    let arguments = (
        rewriter.clone_ref(py),
        list.clone_ref(py),
        PyList::new(py, values)?,
    );
    let result = callable.call1(py, arguments);
    rewriter.get().close();
    list.get().raw.store(ptr::null_mut(), Ordering::Release);
    Ok(!result?.bind(py).is_truthy()?)
}

/// The object for something that a native function is given.
fn object(py: Python<'_>, context: &Py<Context>, value: MlirPDLValue) -> PyResult<Py<PyAny>> {
    // SAFETY: what a pattern matched is alive and of the context of its rewriter.
    unsafe {
        let it = mlirPDLValueAsValue(value);
        if !it.ptr.is_null() {
            return value::find(py, it);
        }
        let it = mlirPDLValueAsOperation(value);
        if !it.ptr.is_null() {
            return Ok(operation::find(py, it)?.into_any());
        }
        let it = mlirPDLValueAsAttribute(value);
        if !it.ptr.is_null() {
            return attribute::wrap(py, context, it);
        }
        let it = mlirPDLValueAsType(value);
        if !it.ptr.is_null() {
            return types::wrap(py, context, it);
        }
    }
    Err(PyRuntimeError::new_err("unsupported PDL value type"))
}
