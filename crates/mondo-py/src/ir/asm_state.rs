//! `AsmState`: the names of values, worked out once for several prints.

use std::sync::{Mutex, MutexGuard, PoisonError};

use mondo_sys::*;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use crate::interop::late::Late;
use crate::interop::string::collect;
use crate::ir::printing::{PrintFlags, PrintOptions};
use crate::ownership::operation::{OperationBase, operation_of};
use crate::ownership::value::Value;

/// Names of the values around an operation or a value.
#[pyclass(frozen, subclass)]
pub(crate) struct AsmState {
    names: Late<Names>,
}

/// The contents of an `AsmState`.
struct Names {
    of: Subject,
    flags: PrintFlags,
    numbering: Mutex<Numbering>,
}

enum Subject {
    Operation(Py<OperationBase>),
    Value(Py<Value>),
}

/// MLIR's names, which it knows by the values' addresses: they are valid as long as nothing is destroyed,
/// whose address something else might get.
struct Numbering {
    state: MlirAsmState,
    /// The number of nodes that had been destroyed when it was made.
    deaths: u64,
}

// SAFETY: the state is used only with the interpreter attached, under the mutex.
unsafe impl Send for Numbering {}
// SAFETY: the flags are only read.
unsafe impl Sync for Names {}
// SAFETY: as above.
unsafe impl Send for Names {}

impl Drop for Names {
    fn drop(&mut self) {
        let numbering = self
            .numbering
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the state is this object's own; every `true` is followed by one `false`.
        unsafe {
            mlirAsmStateDestroy(numbering.state);
            mondoCountDeaths(false);
        }
    }
}

/// Returns whether MLIR can name a live value, which takes an operation around it.
pub(crate) fn can_number(value: MlirValue) -> bool {
    // SAFETY: the callers pass live values; so is what defines them.
    unsafe {
        !mlirValueIsABlockArgument(value)
            || !mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                .ptr
                .is_null()
    }
}

impl Subject {
    fn number(&self, py: Python<'_>, flags: &PrintFlags) -> PyResult<Numbering> {
        // SAFETY: what is numbered is live, and the flags outlive the state.
        unsafe {
            let deaths = mondoDeathCount();
            let state = match self {
                Self::Operation(op) => {
                    op.get().context_of(py)?.get().get_for_printing(py)?;
                    mlirAsmStateCreateForOperation(op.get().get(py)?, flags.get())
                }
                Self::Value(value) => {
                    let tree = value.get().tree(py)?;
                    tree.get().context().get().get_for_printing(py)?;
                    let raw = value.get().get(py)?;
                    if !can_number(raw) {
                        return Err(PyValueError::new_err(
                            "the value is an argument of a block that is in no operation",
                        ));
                    }
                    mlirAsmStateCreateForValue(raw, flags.get())
                }
            };
            Ok(Numbering { state, deaths })
        }
    }
}

impl Names {
    /// The names as they are now.
    fn numbering(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Numbering>> {
        let lock = || {
            self.numbering
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        // SAFETY: there is no precondition.
        if unsafe { mondoDeathCount() } == lock().deaths {
            return Ok(lock());
        }
        let fresh = self.of.number(py, &self.flags)?;
        let mut numbering = lock();
        let old = std::mem::replace(&mut *numbering, fresh);
        // SAFETY: the state was this object's own, and is no more.
        unsafe { mlirAsmStateDestroy(old.state) };
        Ok(numbering)
    }
}

impl AsmState {
    /// The name of a value, which is live.
    pub(crate) fn name_of(
        &self,
        py: Python<'_>,
        value: &Value,
        raw: MlirValue,
    ) -> PyResult<String> {
        value.get(py)?;
        let numbering = self.names.get()?.numbering(py)?;
        // SAFETY: the value and the state are live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirValuePrintAsOperand(raw, numbering.state, callback, data);
        }))
    }

    /// The text of an operation.
    pub(crate) fn text(&self, py: Python<'_>, operation: &OperationBase) -> PyResult<String> {
        operation.context_of(py)?.get().get_for_printing(py)?;
        let numbering = self.names.get()?.numbering(py)?;
        let op = operation.get(py)?;
        // SAFETY: the operation and the state are live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirOperationPrintWithState(op, numbering.state, callback, data);
        }))
    }
}

#[pymethods]
impl AsmState {
    /// `AsmState(value)` or `AsmState(op)`.
    #[new]
    #[pyo3(signature = (*_args, **_kwargs),
           text_signature = "(value=..., use_local_scope=False, *, op=...)")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self {
            names: Late::empty(),
        }
    }

    #[pyo3(signature = (value = None, use_local_scope = false, *, op = None))]
    fn __init__(
        &self,
        py: Python<'_>,
        value: Option<&Bound<'_, PyAny>>,
        use_local_scope: bool,
        op: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let given = value.or(op).ok_or_else(|| {
            PyTypeError::new_err(
                "incompatible function arguments: AsmState() takes a value or an operation",
            )
        })?;
        let of = if let Ok(value) = given.cast::<Value>() {
            Subject::Value(value.clone().unbind())
        } else if let Ok(op) = given.cast::<OperationBase>() {
            Subject::Operation(operation_of(op)?)
        } else {
            return Err(PyTypeError::new_err(format!(
                "incompatible function arguments: AsmState() takes a value or an operation, not {}",
                given.get_type()
            )));
        };
        let flags = PrintOptions {
            use_local_scope,
            ..PrintOptions::default()
        }
        .flags()?;
        // SAFETY: there is no precondition; `Drop` takes it back, or the line below.
        unsafe { mondoCountDeaths(true) };
        match of.number(py, &flags) {
            Ok(numbering) => self.names.set(Names {
                of,
                flags,
                numbering: Mutex::new(numbering),
            }),
            Err(error) => {
                // SAFETY: as above.
                unsafe { mondoCountDeaths(false) };
                Err(error)
            }
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.names.known().map(|names| &names.of) {
            Some(Subject::Operation(op)) => visit.call(op),
            Some(Subject::Value(value)) => visit.call(value),
            None => Ok(()),
        }
    }
}
