//! Edits: operations are detached, inserted, and destroyed.

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::ownership::context::require_same;
use crate::ownership::cross_tree_uses;
use crate::ownership::operation::{OperationBase, operation_of};
use crate::ownership::reentrancy;
use crate::ownership::transfer;
use crate::ownership::traversal;
use crate::ownership::tree::{self, RootKind, Tree};
use crate::ownership::wrapper::{Cause, because, reclaim};

/// Puts an operation into a block of `target`, with all below it, wherever it was before. `place`
/// links it in; `around` is the operation around that place, or null.
///
/// Fails, and changes nothing, if the place is in the operation itself, or of another context.
pub(crate) fn attach(
    object: &Bound<'_, OperationBase>,
    target: &Py<Tree>,
    around: MlirOperation,
    place: impl FnOnce(MlirOperation),
) -> PyResult<()> {
    let py = object.py();
    let object = operation_of(object)?;
    object.get().with(py, |observed| {
        let op = observed.get(py)?;
        let from = observed.tree(py)?;
        require_same(target.get().context(), from.get().context(), "operation")?;
        let context = target.get().context().get();
        reentrancy::refuse_edit(py, context, op)?;
        if is_around(op, around) {
            return Err(PyValueError::new_err(
                "an operation cannot be put into itself",
            ));
        }
        let root = tree::root(&observed.node);
        // SAFETY: the operation is live. The place is not in it, so that both stay live.
        let leaves_other = unsafe {
            if !mlirOperationGetBlock(op).ptr.is_null() {
                mlirOperationRemoveFromParent(op);
            }
            place(op);
            !from.is(target) && traversal::uses_other_trees(op, traversal::top_of_operation(op))
        };
        if let Some(root) = root {
            if let Some(tree) = root.tree(py) {
                tree.get().release(&root);
            }
            tree::set_root(&observed.node, None);
        }
        if leaves_other {
            target.get().open();
            from.get().open();
        }
        if !from.is(target) {
            // The old references are dropped when all is done: that may destroy the old tree.
            drop(transfer::move_operation(py, op, Some(target)));
        }
        drop(from);
        reclaim(py);
        Ok(())
    })
}

/// Returns whether `op` is `inner` or around it. Both are live, or null.
fn is_around(op: MlirOperation, inner: MlirOperation) -> bool {
    let mut next = inner;
    while !next.ptr.is_null() {
        if next.ptr == op.ptr {
            return true;
        }
        // SAFETY: what is around a live operation is live.
        next = unsafe { mlirOperationGetParentOperation(next) };
    }
    false
}

impl OperationBase {
    /// Unlinks the operation from its block; it becomes a tree of its own.
    pub(super) fn detach(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |observed| {
            let op = observed.get(py)?;
            let from = observed.tree(py)?;
            let context = from.get().context();
            reentrancy::refuse_edit(py, context.get(), op)?;
            // SAFETY: `op` is live; unlinking leaves it and everything below it in place, and then it
            // has no parent.
            let (tree, root) = unsafe {
                if mlirOperationGetBlock(op).ptr.is_null() {
                    return Err(PyValueError::new_err("Detached operation has no parent."));
                }
                mlirOperationRemoveFromParent(op);
                Tree::adopt(py, context, RootKind::Operation, op.ptr, true)?
            };
            tree::set_root(&observed.node, Some(root));
            drop(transfer::move_operation(py, op, Some(&tree)));
            Ok(())
        })
    }
}

/// Destroys an operation and everything below it.
pub(crate) fn erase(py: Python<'_>, object: &OperationBase) -> PyResult<()> {
    erase_with(py, object, |op| {
        // SAFETY: `op` is live and unused.
        unsafe { mlirOperationDestroy(op) };
    })
}

/// The same; `destroy` is what does it.
pub(crate) fn erase_with(
    py: Python<'_>,
    object: &OperationBase,
    destroy: impl FnOnce(MlirOperation),
) -> PyResult<()> {
    object.with(py, |observed| {
        let op = observed.get(py)?;
        let tree = observed.tree(py)?;
        reentrancy::refuse_edit(py, tree.get().context().get(), op)?;
        refuse_used(op)?;
        // A wrapper whose operation was destroyed keeps nothing alive; `tree` does until the end.
        let before = transfer::move_operation(py, op, None);
        let apart = cross_tree_uses::part_regions(op);
        because(Cause::Erased, || destroy(op));
        drop(apart);
        reclaim(py);
        drop(before);
        Ok(())
    })
}

/// Fails if something outside of `op`, which is live, uses what it defines.
pub(crate) fn refuse_used(op: MlirOperation) -> PyResult<()> {
    // SAFETY: `op` is live, and the indices are below the count.
    let used = unsafe {
        (0..mlirOperationGetNumResults(op)).any(|index| {
            !mlirValueGetFirstUse(mlirOperationGetResult(op, index))
                .ptr
                .is_null()
        })
    };
    if used {
        return Err(PyRuntimeError::new_err(
            "cannot erase an operation while its results have uses",
        ));
    }
    if cross_tree_uses::is_used_outside(op) {
        return Err(PyRuntimeError::new_err(
            "cannot erase an operation while something outside of it (perhaps detached or cloned) \
             uses a value or a block that is inside; erase that first",
        ));
    }
    Ok(())
}
