//! `OpOperand`, and the uses of a value.

use std::sync::atomic::{AtomicUsize, Ordering};

use mondo_sys::*;
use pyo3::exceptions::PyRuntimeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::operation::{self, OperationBase};
use crate::tree::Tree;

/// A use of a value: an operand of an operation.
#[pyclass(frozen)]
pub(crate) struct OpOperand {
    owner: Py<OperationBase>,
    number: isize,
}

#[pymethods]
impl OpOperand {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.owner)
    }

    /// The operation that has this operand.
    #[getter]
    fn owner(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        operation::view_of(py, &self.owner)
    }

    /// Which of its operands this is.
    #[getter]
    fn operand_number(&self, py: Python<'_>) -> PyResult<isize> {
        // SAFETY: the operation is live.
        let count = unsafe { mlirOperationGetNumOperands(self.owner.get().get(py)?) };
        if self.number >= count {
            return Err(PyRuntimeError::new_err("the operand has been removed"));
        }
        Ok(self.number)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            other.owner.is(&self.owner) && other.number == self.number
        })
    }

    fn __hash__(&self) -> usize {
        (self.owner.as_ptr() as usize >> 4)
            .wrapping_mul(31)
            .wrapping_add(self.number.unsigned_abs())
    }
}

/// Goes through the uses that a value had when it was asked for them.
#[pyclass(frozen)]
pub(crate) struct OpOperandIterator {
    uses: Vec<(Py<OperationBase>, isize)>,
    next: AtomicUsize,
}

impl OpOperandIterator {
    /// The uses of `value`, of which `tree` is the tree.
    ///
    /// # Safety
    ///
    /// `value` is live.
    pub(crate) unsafe fn of(py: Python<'_>, tree: &Py<Tree>, value: MlirValue) -> PyResult<Self> {
        let elsewhere = tree.get().context().get().has_open_trees();
        let mut uses = Vec::new();
        // SAFETY: the value is live, and so are its uses and what owns them: making objects runs no
        // code that could change them.
        unsafe {
            let mut operand = mlirValueGetFirstUse(value);
            while !mlirOpOperandIsNull(operand) {
                let owner = mlirOpOperandGetOwner(operand);
                let owner = if elsewhere {
                    operation::find(py, owner)?
                } else {
                    operation::wrap(py, tree, owner)?
                };
                uses.push((owner, mlirOpOperandGetOperandNumber(operand) as isize));
                operand = mlirOpOperandGetNextUse(operand);
            }
        }
        Ok(Self {
            uses,
            next: AtomicUsize::new(0),
        })
    }
}

#[pymethods]
impl OpOperandIterator {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.uses
            .iter()
            .try_for_each(|(owner, _)| visit.call(owner))
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<OpOperand>> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let Some((owner, number)) = self.uses.get(index) else {
            // So that it never wraps.
            self.next.store(self.uses.len(), Ordering::Relaxed);
            return Ok(None);
        };
        owner.get().get(py)?;
        Ok(Some(OpOperand {
            owner: owner.clone_ref(py),
            number: *number,
        }))
    }
}
