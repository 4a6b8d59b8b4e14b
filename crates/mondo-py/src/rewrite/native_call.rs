//! The call of a Python function by a PDL pattern, and `PDLResultList`.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_sys::*;
use pyo3::exceptions::PyRuntimeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use crate::interop::callback::Callback;
use crate::ir::attribute::Attribute;
use crate::ir::types::Type;
use crate::ownership::context::Context;
use crate::ownership::owner;
use crate::ownership::value;

use super::drive::Drive;
use super::native::{self, Given, Kind, Place};
use super::rewriter::PatternRewriter;

/// A Python function that patterns call.
pub(super) struct Native {
    pub(super) callback: Arc<Callback>,
    pub(super) name: String,
    /// The results that the patterns take of it.
    pub(super) results: Vec<Kind>,
    pub(super) is_rewrite: bool,
}

impl Native {
    pub(super) fn callback(&self) -> &Callback {
        &self.callback
    }
}

/// The list in which a native function puts its results; valid until it returns.
#[pyclass(frozen, subclass)]
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
        // If the lock is taken, the edge is not shown, and the collector frees less.
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

/// The function that MLIR calls for a native function, whose data is a [`Native`].
pub(super) unsafe extern "C" fn call_native(
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
    /// Fails if that can be, and otherwise goes on with placeholders. The list is empty.
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
            let made = unsafe { place.give_placeholders(&self.results, results) };
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
            unsafe { place.give_placeholders(&self.results, results) };
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
            return storage_wrapper::wrap::<Attribute>(py, context, it.ptr);
        }
        let it = mlirPDLValueAsType(value);
        if !it.ptr.is_null() {
            return storage_wrapper::wrap::<Type>(py, context, it.ptr);
        }
    }
    Err(PyRuntimeError::new_err("unsupported PDL value type"))
}
