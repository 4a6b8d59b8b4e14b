//! `InsertionPoint`: the place of new operations.

use mondo_sys::*;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::interop::late::Late;
use crate::ownership::block::{self, Block};
use crate::ownership::context::{Context, require_same};
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::tree::Tree;

/// A place in a block: before an operation, or at the end.
#[pyclass(frozen, subclass)]
pub(crate) struct InsertionPoint {
    pub(super) point: Late<Point>,
}

/// The contents of an `InsertionPoint`.
pub(super) struct Point {
    pub(super) block: Py<Block>,
    pub(super) before: Option<Py<OperationBase>>,
}

/// A place that was just looked up; good until the interpreter runs other code.
pub(crate) struct Place<'py> {
    pub(super) tree: Bound<'py, Tree>,
    block: MlirBlock,
    /// Null at the end.
    before: MlirOperation,
}

impl<'py> Place<'py> {
    /// The tree that it is in.
    pub(crate) fn tree(&self) -> &Tree {
        self.tree.get()
    }

    /// Returns whether the place is in `tree`.
    pub(crate) fn is_in(&self, tree: &Bound<'_, Tree>) -> bool {
        tree.is(&self.tree)
    }

    /// The operation around the place, or null.
    pub(crate) fn around(&self) -> MlirOperation {
        // SAFETY: the block is live.
        unsafe { mlirBlockGetParentOperation(self.block) }
    }

    /// Puts an operation there that has no parent; returns the tree that it is in now.
    pub(crate) fn insert(self, op: MlirOperation) -> Bound<'py, Tree> {
        // SAFETY: all are live, and `before` is in the block, or null.
        unsafe { mlirBlockInsertOwnedOperationBefore(self.block, self.before, op) };
        self.tree
    }
}

impl InsertionPoint {
    /// The tree that its block is in.
    pub(super) fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Tree>> {
        self.point.get()?.block.get().tree(py)
    }

    /// The place, in `context`.
    #[inline]
    pub(crate) fn resolve<'py>(
        &self,
        py: Python<'py>,
        context: &Py<Context>,
    ) -> PyResult<Place<'py>> {
        let place = self.find(py)?;
        require_same(context, place.tree.get().context(), "insertion point")?;
        Ok(place)
    }

    #[inline]
    pub(super) fn find<'py>(&self, py: Python<'py>) -> PyResult<Place<'py>> {
        let Point { block, before } = self.point.get()?;
        let Some(before) = before else {
            let raw = block.get().get(py)?;
            // SAFETY: the block is live.
            if unsafe { !mlirBlockGetTerminator(raw).ptr.is_null() } {
                return Err(PyIndexError::new_err(
                    "Cannot insert operation at the end of a block that already has a terminator. \
                     Did you mean to use 'InsertionPoint.at_block_terminator(block)' versus \
                     'InsertionPoint(block)'?",
                ));
            }
            return Ok(Place {
                tree: block.get().tree(py)?,
                block: raw,
                before: MlirOperation {
                    ptr: std::ptr::null_mut(),
                },
            });
        };
        let raw = before.get().get(py)?;
        // It may have been moved meanwhile: the place is before it.
        // SAFETY: the operation is live.
        let block = unsafe { mlirOperationGetBlock(raw) };
        if block.ptr.is_null() {
            return Err(PyValueError::new_err(
                "the operation that the insertion point is before is in no block any more",
            ));
        }
        Ok(Place {
            tree: before.get().tree(py)?,
            block,
            before: raw,
        })
    }

    /// The block as Python sees it.
    pub(crate) fn block_of(&self, py: Python<'_>) -> PyResult<Py<Block>> {
        let Point { block, before } = self.point.get()?;
        match before {
            None => {
                block.get().get(py)?;
                Ok(block.clone_ref(py))
            }
            Some(_) => {
                let place = self.find(py)?;
                // SAFETY: the block was just found.
                unsafe { block::wrap(py, place.tree.as_unbound(), place.block) }
            }
        }
    }

    /// A place in a block, before an operation of it unless that is null.
    ///
    /// # Safety
    ///
    /// `before` is live and in `block`, or null.
    pub(crate) unsafe fn in_block(
        py: Python<'_>,
        block: &Py<Block>,
        before: MlirOperation,
    ) -> PyResult<Self> {
        let before = if before.ptr.is_null() {
            None
        } else {
            // SAFETY: the operation is live, and in the block's tree.
            Some(unsafe { operation::wrap(py, block.get().tree(py)?.as_unbound(), before)? })
        };
        Ok(Self {
            point: Late::of(Point {
                block: block.clone_ref(py),
                before,
            }),
        })
    }
}
