//! The class `InsertionPoint`: the place of new operations. Its Python methods are in
//! `insertion_point_methods.rs`.

use mondo_ir::declarations as c;
use mondo_ir::nodes;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::interop::two_phase::Late;
use crate::ir::operation::Spot;
use crate::ownership::block::Block;
use crate::ownership::context::Entered;
use crate::ownership::node_access::{InTree, NodeObject};
use crate::ownership::operation::OperationBase;
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

/// A place that was resolved; valid until other Python code runs.
pub(crate) struct Place<'py, 'ctx> {
    pub(crate) tree: Bound<'py, Tree>,
    pub(crate) spot: Spot<'ctx>,
}

impl<'ctx> Place<'_, 'ctx> {
    /// The tree of the place, in the context that was entered.
    #[inline]
    pub(crate) fn at<'a>(&'a self, ctx: Entered<'a, 'ctx>) -> PyResult<InTree<'a, 'ctx>> {
        InTree::of(ctx, self.tree.as_unbound(), WHAT)
    }
}

/// The noun in error messages.
const WHAT: &str = "insertion point";

impl InsertionPoint {
    /// The tree of the block for which the insertion point was made.
    pub(super) fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Tree>> {
        self.point.get()?.block.get().tree(py)
    }

    /// The tree of the place now: that of the operation before which it is or, at the end of a block, that of
    /// the block.
    pub(super) fn own_tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Tree>> {
        let Point { block, before } = self.point.get()?;
        match before {
            Some(before) => before.get().look(py).map(|(_, tree)| tree),
            None => block.get().node_and_tree(py).map(|(_, tree)| tree),
        }
    }

    /// Resolves the place, in the context that was entered.
    #[inline]
    pub(crate) fn resolve<'py, 'ctx>(
        &self,
        py: Python<'py>,
        ctx: Entered<'_, 'ctx>,
    ) -> PyResult<Place<'py, 'ctx>> {
        let Point { block, before } = self.point.get()?;
        let Some(before) = before else {
            let (block, tree) = block.get().look_within(py, ctx, None, WHAT)?;
            if c::mlirBlockGetTerminator(block).is_some() {
                return Err(PyIndexError::new_err(
                    "Cannot insert operation at the end of a block that already has a terminator. \
                     Did you mean to use 'InsertionPoint.at_block_terminator(block)' versus \
                     'InsertionPoint(block)'?",
                ));
            }
            let spot = Spot::End(block);
            return Ok(Place { tree, spot });
        };
        let (before, tree) = before.get().look_within(py, ctx, None, WHAT)?;
        // The operation may have been moved to another block or detached since; the place moves with it.
        if c::mlirOperationGetBlock(before).is_none() {
            return Err(moved());
        }
        let spot = Spot::Before(before);
        Ok(Place { tree, spot })
    }

    /// The wrapper of the block that operations are inserted into.
    pub(crate) fn block_of(&self, py: Python<'_>) -> PyResult<Py<Block>> {
        let Point { block, before } = self.point.get()?;
        match before {
            None => {
                block.get().get(py)?;
                Ok(block.clone_ref(py))
            }
            Some(before) => before.get().enter(py, |at, before| {
                at.block(c::mlirOperationGetBlock(before).ok_or_else(moved)?)
            }),
        }
    }

    /// Makes an insertion point in a block: before the operation that `find` returns, or at the end for None.
    pub(crate) fn in_block(
        py: Python<'_>,
        block: &Py<Block>,
        find: impl for<'ctx> FnOnce(nodes::Block<'ctx>) -> PyResult<Option<nodes::Op<'ctx>>>,
    ) -> PyResult<Self> {
        let before = block.get().enter(py, |at, block| {
            find(block)?.map(|before| at.operation(before)).transpose()
        })?;
        Ok(Self {
            point: Late::of(Point {
                block: block.clone_ref(py),
                before,
            }),
        })
    }
}

/// The exception for a place before an operation that is in no block.
#[cold]
#[inline(never)]
fn moved() -> PyErr {
    PyValueError::new_err(
        "the operation that the insertion point is before is no longer in a block",
    )
}
