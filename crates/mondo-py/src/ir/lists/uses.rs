//! `OpOperand`, and the uses of a value.

use std::sync::atomic::{AtomicUsize, Ordering};

use mondo_ir::declarations as c;
use pyo3::exceptions::PyRuntimeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::ownership::operation::{self, OperationBase};
use crate::ownership::value::Value;
use crate::ownership::wrapper::{self, Pool, Transient, impl_transient};

/// A use of a value: an operand of an operation.
#[pyclass(frozen, subclass)]
pub(crate) struct OpOperand {
    owner: Py<OperationBase>,
    number: isize,
}

impl_transient!(OpOperand { owner } { number: 0 });

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

    /// The number of the operand.
    #[getter]
    fn operand_number(&self, py: Python<'_>) -> PyResult<isize> {
        let owner = self.owner.get();
        let count = owner.read(py, |op| c::mlirOperationGetNumOperands(op))?;
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
#[pyclass(frozen, subclass)]
pub(crate) struct OpOperandIterator {
    /// The first two uses, stored without an allocation; most values have no more.
    few: [Option<Use>; 2],
    more: Vec<Use>,
    next: AtomicUsize,
}

/// The operation that has the operand, and the operand's number.
type Use = (Py<OperationBase>, isize);

impl Transient for OpOperandIterator {
    fn pool() -> &'static Pool<Self> {
        static POOL: Pool<OpOperandIterator> = Pool::new();
        &POOL
    }

    fn sample(py: Python<'_>) -> PyResult<Py<Self>> {
        Py::new(py, Self::empty())
    }

    fn release(self, py: Python<'_>) {
        for (owner, _) in self.few.into_iter().flatten().chain(self.more) {
            owner.drop_ref(py);
        }
    }
}

impl OpOperandIterator {
    fn empty() -> Self {
        Self {
            few: [None, None],
            more: Vec::new(),
            next: AtomicUsize::new(0),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Use> {
        self.few.iter().flatten().chain(&self.more)
    }

    /// An iterator over the uses that a value has now.
    pub(crate) fn of<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, Self>> {
        let mut uses = Self::empty();
        value.enter(py, |at, value| {
            for operand in value.uses() {
                let owner = at.operation_anywhere(c::mlirOpOperandGetOwner(operand))?;
                let found = (owner, c::mlirOpOperandGetOperandNumber(operand) as isize);
                match uses.few.iter_mut().find(|place| place.is_none()) {
                    Some(slot) => *slot = Some(found),
                    None => uses.more.push(found),
                }
            }
            Ok(())
        })?;
        wrapper::new(py, uses)
    }
}

#[pymethods]
impl OpOperandIterator {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.all().try_for_each(|(owner, _)| visit.call(owner))
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, OpOperand>>> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let found = match self.few.get(index) {
            Some(few) => few.as_ref(),
            None => self.more.get(index - self.few.len()),
        };
        let Some((owner, number)) = found else {
            // `next` stays at the end, so that further calls do not make it overflow.
            self.next
                .store(self.few.len() + self.more.len(), Ordering::Relaxed);
            return Ok(None);
        };
        owner.get().get(py)?;
        let (owner, number) = (owner.clone_ref(py), *number);
        wrapper::new(py, OpOperand { owner, number }).map(Some)
    }
}
