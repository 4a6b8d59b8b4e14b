//! Which tree an operation is in.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mondo_sys::*;
use pyo3::prelude::*;

use super::{Observed, OperationBase, wrap};
use crate::ir::block;
use crate::ir::context::Context;
use crate::ownership::tree::{self, Root, Tree};

/// Which root an operation without a parent is, if it is one of ours.
pub(crate) fn root_of(op: MlirOperation) -> Option<Arc<Root>> {
    // SAFETY: the callers pass live operations; so is what is around them.
    unsafe {
        let top = mondoOperationGetRoot(op);
        let block = mlirOperationGetBlock(top);
        if block.ptr.is_null() {
            return tree::root(&Observed::of(top)?.mortal);
        }
        block::root_of(block)
    }
}

/// The tree of an operation that MLIR or an extension speaks of. Where it is in none, one that owns
/// nothing.
///
/// # Safety
///
/// `op` is live.
pub(crate) unsafe fn tree_of<'py>(
    py: Python<'py>,
    op: MlirOperation,
) -> PyResult<Bound<'py, Tree>> {
    if let Some(tree) = root_of(op).and_then(|root| root.tree(py)) {
        return Ok(tree);
    }
    // SAFETY: the operation is live, and so is its context.
    let context = unsafe { Context::of(py, mlirOperationGetContext(op))? };
    Tree::borrowed(py, &context)
}

/// The `Operation` for something that MLIR or an extension speaks of.
///
/// # Safety
///
/// `op` is live.
pub(crate) unsafe fn find(py: Python<'_>, op: MlirOperation) -> PyResult<Py<OperationBase>> {
    // SAFETY: the caller vouches for the operation.
    unsafe {
        // The common case: somebody has the object, and so its tree.
        if let Some(tree) = Observed::of(op).and_then(|it| it.tree(py).ok()) {
            return wrap(py, tree.as_unbound(), op);
        }
        wrap(py, tree_of(py, op)?.as_unbound(), op)
    }
}

/// Makes what belongs to `op` belong to `tree`; what it referred to goes to `before`.
pub(crate) fn retarget(
    py: Python<'_>,
    op: MlirOperation,
    tree: Option<&Py<Tree>>,
    before: &mut Vec<Py<Tree>>,
) {
    // SAFETY: the callers pass live operations.
    let Some(observed) = (unsafe { Observed::of(op) }) else {
        return;
    };
    observed.tree.with(py, |held| {
        if let Some(old) = held.take() {
            *held = tree.map(|tree| tree.clone_ref(py));
            before.push(old);
        }
    });
    let Some(tree) = tree else { return };
    let keep = tree.get().keep();
    keep.take_over(observed.mortal.tie().object());
    keep.take_over(observed.view.load(Ordering::Relaxed));
    keep.take_over(observed.first_result.load(Ordering::Relaxed));
    observed.others.with(py, |others| {
        if let Some(others) = others {
            keep.take_over(others.module.0);
            for object in others.results.iter().chain(&others.regions) {
                keep.take_over(object.0);
            }
        }
    });
}
