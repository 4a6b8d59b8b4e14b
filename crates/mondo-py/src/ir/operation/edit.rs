//! Detaching and inserting operations. `ownership/erasure.rs` destroys them.

use mondo_ir::declarations as c;
use mondo_ir::nodes::{Block, Loose, Op};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::ownership::conversions::Newcomer;
use crate::ownership::node_access::InTree;
use crate::ownership::operation::{OperationBase, operation_of};
use crate::ownership::reentrancy;
use crate::ownership::transfer;
use crate::ownership::traversal;
use crate::ownership::tree::{self, Tree};
use crate::ownership::wrapper::reclaim;

/// A place at which an operation can be inserted.
pub(crate) enum Spot<'ctx> {
    /// At the end of a block.
    End(Block<'ctx>),
    /// Before an operation, which is in a block.
    Before(Op<'ctx>),
    /// After an operation, which is in a block.
    After(Op<'ctx>),
}

/// The exception for regions that nest too deep.
#[cold]
#[inline(never)]
pub(crate) fn too_deep() -> PyErr {
    PyValueError::new_err("regions nest deeper than 1000 levels")
}

impl<'ctx> Spot<'ctx> {
    /// The parent operation of the place.
    pub(crate) fn around(&self) -> Option<Op<'ctx>> {
        match self {
            Self::End(block) => c::mlirBlockGetParentOperation(*block),
            Self::Before(other) | Self::After(other) => c::mlirOperationGetParentOperation(*other),
        }
    }

    /// Fails if an operation at the place would nest deeper than MLIR can follow.
    #[inline]
    pub(crate) fn check_depth(&self, op: Op<'ctx>) -> PyResult<()> {
        if op.is_too_deep_in(self.around()) {
            return Err(too_deep());
        }
        Ok(())
    }

    /// Inserts an operation at the place.
    #[inline]
    pub(crate) fn insert(&self, op: Loose<Op<'ctx>>) {
        match self {
            Self::End(block) => {
                block.append(op);
            }
            Self::Before(other) => {
                other.insert_before(op);
            }
            Self::After(other) => {
                other.insert_after(op);
            }
        }
    }
}

/// The references that moved wrappers had to their previous tree. They are dropped at the end of a move.
#[must_use]
pub(crate) struct Moved<'py> {
    from: Bound<'py, Tree>,
    before: Vec<Py<Tree>>,
}

impl Moved<'_> {
    /// Drops the references, which may destroy the previous tree and run Python code.
    pub(crate) fn settle(self) {
        let py = self.from.py();
        drop(self.before);
        drop(self.from);
        reclaim(py);
    }
}

/// Fails if an operation with regions cannot be at the place: the place is in the operation itself, or too deep.
fn check_place<'ctx>(op: Op<'ctx>, spot: &Spot<'ctx>) -> PyResult<()> {
    let mut above = 0;
    for ancestor in spot.around().into_iter().flat_map(Op::with_ancestors) {
        if ancestor == op {
            return Err(PyValueError::new_err(
                "an operation cannot be put into itself",
            ));
        }
        above += 1;
    }
    // Where it is now, it does not nest too deep. Only a deeper place needs a walk through it.
    if above >= op.with_ancestors().count() {
        spot.check_depth(op)?;
    }
    Ok(())
}

/// Moves an operation, with everything below it, from wherever it is to a place.
///
/// Fails, and changes nothing, if the place is in the operation itself, or of another context.
pub(crate) fn attach<'py, 'ctx>(
    at: InTree<'_, 'ctx>,
    object: &Bound<'py, OperationBase>,
    spot: &Spot<'ctx>,
) -> PyResult<Moved<'py>> {
    let py = object.py();
    let object = operation_of(object)?;
    let target = at.tree();
    let (op, from) = object.get().look_within(py, at.ctx(), None, "operation")?;
    object.get().with(py, |observed| {
        reentrancy::refuse_move(at.object().get(), op)?;
        if op.regions().next().is_some() {
            check_place(op, spot)?;
        }
        target
            .get()
            .refuse_insertion(spot.around(), Newcomer::Op(op))?;
        let root = tree::root(&observed.member.node);
        spot.insert(op.take_out());
        target.get().inserted(op);
        let leaves_other = !from.is(target) && traversal::uses_others(op);
        if let Some(root) = root {
            if let Some(tree) = root.tree(py) {
                tree.get().release(&root);
            }
            tree::set_root(&observed.member.node, None);
        }
        if leaves_other {
            target.get().open();
            from.get().open();
        }
        let before = if from.is(target) {
            Vec::new()
        } else {
            transfer::operation_to(py, op, Some(target))
        };
        Ok(Moved { from, before })
    })
}

impl OperationBase {
    /// Unlinks the operation from its block; it becomes a tree of its own.
    pub(super) fn detach(&self, py: Python<'_>) -> PyResult<()> {
        let before = self.enter(py, |at, op| {
            reentrancy::refuse_move(at.object().get(), op)?;
            if c::mlirOperationGetBlock(op).is_none() {
                return Err(PyValueError::new_err("Detached operation has no parent."));
            }
            let (tree, root) = Tree::adopt(at.ctx(), op.take_out(), true)?;
            self.with(py, |observed| {
                tree::set_root(&observed.member.node, Some(root));
                Ok(())
            })?;
            Ok(transfer::operation_to(py, op, Some(&tree)))
        })?;
        drop(before);
        Ok(())
    }
}
