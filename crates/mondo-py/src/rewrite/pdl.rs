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

use crate::interop::callback::{Callback, Callbacks};
use crate::interop::string::{string_ref, to_string};
use crate::ir::attribute;
use crate::ir::error::ErrorCapture;
use crate::ir::types;
use crate::ownership::context::Context;
use crate::ownership::operation::OperationBase;
use crate::ownership::owner;
use crate::ownership::value;

use super::drive::Drive;
use super::native::{self, Calls, Given, Kind, Place};
use super::pattern::{FrozenRewritePatternSet, freeze};
use super::rewriter::PatternRewriter;

/// Patterns in the PDL dialect.
#[pyclass(frozen)]
pub(super) struct PDLModule {
    /// Null once frozen.
    raw: AtomicPtr<c_void>,
    /// What MLIR has bare pointers to.
    functions: Mutex<Vec<Arc<Native>>>,
    /// What has to be registered.
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

/// What MLIR calls for a native function.
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
        self.context.get().check_access(py)?;
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
        let Some(results) = self.calls.of_kind(is_rewrite).get(name) else {
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
            let missing = self.calls.of_kind(is_rewrite).keys().find(|name| {
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
        visit.call(&self.context)?;
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
        // SAFETY: the operation is live and valid.
        let calls = unsafe { Calls::of(op)? };
        // SAFETY: the operation is live and a module. MLIR takes the copy over, which nobody else
        // knows.
        let raw = unsafe {
            let copy = mlirModuleFromOperation(mlirOperationClone(op));
            mlirPDLPatternModuleFromModule(copy)
        };
        Ok(Self {
            raw: AtomicPtr::new(raw.ptr),
            functions: Mutex::default(),
            calls,
            context,
        })
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
            Some(self.context.clone_ref(py)),
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

/// A Python function that patterns call.
pub(super) struct Native {
    callback: Arc<Callback>,
    name: String,
    /// What the patterns take of it.
    results: Vec<Kind>,
    is_rewrite: bool,
}

impl Native {
    pub(super) fn callback(&self) -> &Callback {
        &self.callback
    }
}

/// Where a native function puts its results; valid until it returns.
#[pyclass(frozen)]
pub(super) struct PDLResultList {
    /// None once the function has returned.
    objects: Mutex<Option<Vec<Py<PyAny>>>>,
    context: Py<Context>,
}

impl PDLResultList {
    fn objects(&self) -> MutexGuard<'_, Option<Vec<Py<PyAny>>>> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PDLResultList {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)?;
        // Where the lock is taken, an edge that is not shown makes the collector keep more.
        let Ok(objects) = self.objects.try_lock() else {
            return Ok(());
        };
        let mut objects = objects.iter().flatten();
        objects.try_for_each(|object| visit.call(object))
    }

    /// Appends a value, an operation, a type or an attribute.
    fn append(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        Given::of(value, &self.context)?;
        let mut objects = self.objects();
        let objects = objects.as_mut().ok_or_else(|| {
            PyRuntimeError::new_err(
                "the result list is invalid (used outside of the function it was made for)",
            )
        })?;
        objects.push(value.clone().unbind());
        Ok(())
    }
}

/// What MLIR calls for a native function, whose data is a [`Native`].
unsafe extern "C" fn call_native(
    rewriter: MlirPatternRewriter,
    results: MlirPDLResultList,
    count: usize,
    values: *mut MlirPDLValue,
    data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: the frozen set, which is being applied, keeps the function.
    let native = unsafe { &*data.cast::<Native>() };
    let values: &[MlirPDLValue] = if count == 0 {
        &[]
    } else {
        // SAFETY: MLIR passes as many values as it says.
        unsafe { std::slice::from_raw_parts(values, count) }
    };
    // SAFETY: the rewriter is live, and nothing was done yet. MLIR sets where it inserts before
    // rewrites; what it had before may be gone when it matches.
    let mut place = unsafe { Place::of(rewriter, native.is_rewrite) };
    let attached = catch_unwind(AssertUnwindSafe(|| {
        Python::try_attach(|py| {
            let block = place.block(py);
            let drive = Drive::current();
            let drive = drive.as_deref();
            if drive.is_some_and(Drive::has_raised) {
                return native.fail(py, &place, results, drive);
            }
            let error = match native.call(py, rewriter, results, values, drive) {
                Ok(true) => return true,
                Ok(false) if !native.is_rewrite => return false,
                Ok(false) => PyRuntimeError::new_err(format!(
                    "the rewrite function {:?} failed, and what its pattern did cannot be undone",
                    native.name
                )),
                Err(error) => error,
            };
            match drive {
                Some(drive) => drive.raise(error),
                None => error.write_unraisable(py, None),
            }
            if block.is_none_or(|block| block.get().get(py).is_err()) {
                place.forget_block();
            }
            native.fail(py, &place, results, drive)
        })
    }));
    let succeeded = match attached {
        Ok(Some(succeeded)) => succeeded,
        // The interpreter is ending.
        Ok(None) => native.fail_without_python(&place, results),
        Err(_) => {
            place.forget_block();
            native.fail_without_python(&place, results)
        }
    };
    MlirLogicalResult {
        value: i8::from(succeeded),
    }
}

impl Native {
    /// Fails if that can be, and otherwise goes on with stand-ins. The list is empty.
    fn fail(
        &self,
        py: Python<'_>,
        place: &Place,
        results: MlirPDLResultList,
        drive: Option<&Drive>,
    ) -> bool {
        if self.is_rewrite {
            // SAFETY: MLIR waits for the results, of which there are none yet; the block is live, or
            // was forgotten.
            let made = unsafe { place.give_stand_ins(&self.results, results) };
            if let Some(drive) = drive {
                for op in made {
                    // SAFETY: the operation was just made.
                    drive.remember(unsafe { owner::find(py, op) }.ok());
                }
            }
        }
        self.is_rewrite
    }

    fn fail_without_python(&self, place: &Place, results: MlirPDLResultList) -> bool {
        if self.is_rewrite {
            // SAFETY: as in `fail`.
            unsafe { place.give_stand_ins(&self.results, results) };
        }
        self.is_rewrite
    }

    /// Calls the function. Returns whether it succeeded; if so, its results are in the list.
    fn call(
        &self,
        py: Python<'_>,
        rewriter: MlirPatternRewriter,
        results: MlirPDLResultList,
        values: &[MlirPDLValue],
        drive: Option<&Drive>,
    ) -> PyResult<bool> {
        let callable = self.callback.get(py).ok_or_else(|| {
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
                objects: Mutex::new(Some(Vec::new())),
                context: context.clone_ref(py),
            },
        )?;
        // SAFETY: as above.
        let rewriter =
            unsafe { PatternRewriter::open(py, rewriter, context.clone_ref(py), None, drive) }?;
        if !self.is_rewrite {
            rewriter.get().only_look();
        }
        let arguments = (
            rewriter.clone_ref(py),
            list.clone_ref(py),
            PyList::new(py, values)?,
        );
        let result = callable.call1(py, arguments);
        rewriter.get().close();
        let objects = list.get().objects().take().unwrap_or_default();
        if result?.bind(py).is_truthy()? {
            return Ok(false);
        }
        let objects: Vec<_> = objects.into_iter().map(|it| it.into_bound(py)).collect();
        // SAFETY: MLIR waits for the results, of which there are none yet.
        unsafe { native::give(&self.name, &self.results, &objects, &context, results) }?;
        Ok(true)
    }
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
            return Ok(owner::find(py, it)?.into_any());
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
