//! The regions of an operation.

use std::sync::atomic::{AtomicUsize, Ordering};

use mondo_ir::declarations as c;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::ir::lists::sequence::{Span, list_class, list_methods};
use crate::ownership::operation::OperationBase;
use crate::ownership::region::{Region, of};
use crate::ownership::wrapper::{self, impl_transient};

list_class! {
    /// The regions of an operation.
    RegionSequence of OperationBase, c::mlirOperationGetNumRegions
}

impl RegionSequence {
    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        // The number of regions never changes.
        self.of.get().get(py)?;
        Ok(of(py, &self.of, index)?.into_any())
    }
}

list_methods!(RegionSequence {
    fn __iter__(&self, py: Python<'_>) -> RegionIterator {
        RegionIterator {
            of: self.of.clone_ref(py),
            span: self.span,
            next: AtomicUsize::new(0),
        }
    }
});

/// Goes through the regions of an operation.
#[pyclass(frozen, subclass)]
pub(crate) struct RegionIterator {
    of: Py<OperationBase>,
    span: Span,
    next: AtomicUsize,
}

#[pymethods]
impl RegionIterator {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.of)
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<Region>>> {
        let index = self.next.load(Ordering::Relaxed);
        if index >= self.span.len() {
            return Ok(None);
        }
        self.next.store(index + 1, Ordering::Relaxed);
        self.of.get().get(py)?;
        // The number of regions never changes.
        of(py, &self.of, self.span.index(index as isize)?).map(Some)
    }
}
