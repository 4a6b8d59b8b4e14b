//! Results of operations by the operations' objects.

use std::ffi::c_void;
use std::ptr::NonNull;

use mondo_ir::declarations as c;
use mondo_ir::nodes;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use super::{OperationBase, ResultKey, wrap};
use crate::ownership::tree::Tree;

/// A result that an operation has, by the operation's `Operation`, which is one of the same operation as long as it
/// lives. The number of the results of an operation never changes.
pub(crate) struct ResultOf {
    op: Py<OperationBase>,
    /// Below the number of results: only `numbered` and `of` make this.
    index: isize,
}

/// The same with a reference of the caller's.
pub(crate) struct BoundResult<'py> {
    op: Bound<'py, OperationBase>,
    /// As that of a `ResultOf`.
    index: isize,
}

impl ResultOf {
    /// A result that the caller has found in `tree`.
    pub(crate) fn of(
        py: Python<'_>,
        tree: &Py<Tree>,
        result: nodes::OpResult<'_>,
    ) -> PyResult<Self> {
        Ok(Self {
            op: wrap(py, tree, c::mlirOpResultGetOwner(result))?,
            index: c::mlirOpResultGetResultNumber(result),
        })
    }

    /// Runs `work` with the result of an `Operation` by its number; none if there is no such result.
    pub(crate) fn numbered<R>(
        py: Python<'_>,
        op: &Py<OperationBase>,
        index: isize,
        work: impl FnOnce(Self, nodes::Value<'_>) -> R,
    ) -> PyResult<Option<R>> {
        op.get().read(py, |node| {
            // A view may be bound to another operation.
            op.get().observed()?;
            let value = node.result(usize::try_from(index).ok()?)?;
            let op = op.clone_ref(py);
            Some(work(Self { op, index }, value))
        })
    }

    pub(crate) fn op(&self) -> &Py<OperationBase> {
        &self.op
    }

    #[inline]
    pub(crate) fn index(&self) -> isize {
        self.index
    }

    #[inline]
    pub(crate) fn key(&self) -> ResultKey {
        ResultKey(self.index)
    }

    /// Drops it without asking whether the thread is attached.
    #[inline]
    pub(crate) fn drop_ref(self, py: Python<'_>) {
        self.op.drop_ref(py);
    }

    /// Another one for the same result.
    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Self {
        Self {
            op: self.op.clone_ref(py),
            index: self.index,
        }
    }

    #[inline]
    pub(crate) fn bind<'py>(&self, py: Python<'py>) -> BoundResult<'py> {
        BoundResult {
            op: self.op.bind(py).clone(),
            index: self.index,
        }
    }

    pub(crate) fn into_bound(self, py: Python<'_>) -> BoundResult<'_> {
        BoundResult {
            op: self.op.into_bound(py),
            index: self.index,
        }
    }

    /// Shows what it refers to to the garbage collector.
    pub(crate) fn show(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.op)
    }
}

impl<'py> BoundResult<'py> {
    #[inline]
    pub(crate) fn op(&self) -> &OperationBase {
        self.op.get()
    }

    #[inline]
    pub(crate) fn key(&self) -> ResultKey {
        ResultKey(self.index)
    }

    /// The value, which is live at least until the interpreter runs other code.
    #[inline]
    pub(crate) fn get(&self, py: Python<'py>) -> PyResult<NonNull<c_void>> {
        let op = self.op().get(py)?;
        // SAFETY: the address is that of a live operation, which its object gave just now, and it has a result of
        // this number.
        Ok(unsafe { c::mlirOperationGetResult(nodes::Op::at(op), self.index) }.address())
    }
}
