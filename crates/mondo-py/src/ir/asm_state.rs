//! `AsmState`: the printed names of values (`%0`), computed once for several prints. `ownership/numbering.rs`
//! has the names.

use std::sync::{Arc, Mutex, PoisonError};

use mondo_ir::nodes::{self, TextFlags};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use crate::interop::two_phase::Late;
use crate::ir::printing::PrintOptions;
use crate::ownership::numbering::{Numbering, Observation};
use crate::ownership::operation::{OperationBase, operation_of};
use crate::ownership::value::Value;

/// Names of the values around an operation or a value.
#[pyclass(frozen, subclass)]
pub(crate) struct AsmState {
    names: Late<Names>,
}

/// The contents of an `AsmState`.
struct Names {
    subject: Subject,
    flags: Arc<TextFlags>,
    numbering: Mutex<Numbering>,
    /// The runtime counts destroyed nodes as long as this lives.
    _observation: Observation,
}

enum Subject {
    Operation(Py<OperationBase>),
    Value(Py<Value>),
}

impl Subject {
    fn number(&self, py: Python<'_>, flags: &Arc<TextFlags>) -> PyResult<Numbering> {
        match self {
            Self::Operation(op) => {
                op.get().context_of(py)?.get().get_for_printing(py)?;
                op.get().read(py, |op| Numbering::of_op(op, flags))
            }
            Self::Value(value) => {
                let tree = value.get().tree(py)?;
                tree.get().context().get().get_for_printing(py)?;
                let numbering = |value: nodes::Value<'_>| Numbering::of_value(value, flags);
                value.get().read(py, numbering)?.ok_or_else(|| {
                    PyValueError::new_err(
                        "the value is an argument of a block that is in no operation",
                    )
                })
            }
        }
    }
}

impl Names {
    /// Runs `look` with the names, which are computed again if a node was destroyed since.
    fn with<R>(&self, py: Python<'_>, look: impl FnOnce(&Numbering) -> Option<R>) -> PyResult<R> {
        let lock = || {
            self.numbering
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if !lock().is_current() {
            let fresh = self.subject.number(py, &self.flags)?;
            let old = std::mem::replace(&mut *lock(), fresh);
            drop(old);
        }
        look(&lock()).ok_or_else(|| {
            PyValueError::new_err("the IR changed while its values were given names; try again")
        })
    }
}

impl AsmState {
    /// The name of a value.
    pub(crate) fn name_of(&self, py: Python<'_>, value: &Value) -> PyResult<String> {
        value.get(py)?;
        let names = self.names.get()?;
        names.with(py, |numbering| {
            value.read(py, |value| numbering.name_of(value)).ok()?
        })
    }

    /// The text of an operation.
    pub(crate) fn text(&self, py: Python<'_>, operation: &OperationBase) -> PyResult<String> {
        operation.context_of(py)?.get().get_for_printing(py)?;
        let names = self.names.get()?;
        operation.get(py)?;
        names.with(py, |numbering| {
            operation.read(py, |op| numbering.text_of(op)).ok()?
        })
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
        let subject = if let Ok(value) = given.cast::<Value>() {
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
        let observation = Observation::begin();
        let flags = Arc::new(flags);
        let numbering = subject.number(py, &flags)?;
        self.names.set(Names {
            subject,
            flags,
            numbering: Mutex::new(numbering),
            _observation: observation,
        })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.names.known().map(|names| &names.subject) {
            Some(Subject::Operation(op)) => visit.call(op),
            Some(Subject::Value(value)) => visit.call(value),
            None => Ok(()),
        }
    }
}
