//! Moving operations and blocks from one tree to another: their wrappers get references to the new tree.

use std::sync::atomic::Ordering;

use mondo_ir::nodes::{self, Op};
use pyo3::prelude::*;

use crate::ownership::block::Block;
use crate::ownership::operation::Observed;
use crate::ownership::traversal::{for_each_op, for_each_op_of};
use crate::ownership::tree::Tree;
use crate::ownership::wrapper::{self, ObservedNode};

/// Moves the wrappers of `op` and of everything below it to `tree`, or to no tree if the operation is about
/// to be destroyed. Returns the references to the previous trees; the caller drops them last, because that
/// may destroy IR.
pub(crate) fn operation_to(py: Python<'_>, op: Op<'_>, tree: Option<&Py<Tree>>) -> Vec<Py<Tree>> {
    let mut before = Vec::new();
    for_each_op(op, &mut |op| retarget_all(py, op, tree, &mut before));
    before
}

/// Moves the wrappers of a block and of everything in it, as [`operation_to`] does.
pub(crate) fn block_to(
    py: Python<'_>,
    block: nodes::Block<'_>,
    tree: Option<&Py<Tree>>,
) -> Vec<Py<Tree>> {
    let mut before = Vec::new();
    retarget_block(py, block, tree, &mut before);
    for_each_op_of(block, &mut |op| retarget_all(py, op, tree, &mut before));
    before
}

/// Moves the wrappers that depend on `op` and on its own blocks to `tree`.
fn retarget_all(py: Python<'_>, op: Op<'_>, tree: Option<&Py<Tree>>, before: &mut Vec<Py<Tree>>) {
    retarget_operation(py, op, tree, before);
    for block in op.blocks() {
        retarget_block(py, block, tree, before);
    }
}

/// Moves the wrappers that depend on `op` to `tree`; the references to the previous tree go to `before`.
fn retarget_operation(
    py: Python<'_>,
    op: Op<'_>,
    tree: Option<&Py<Tree>>,
    before: &mut Vec<Py<Tree>>,
) {
    let Some(observed) = Observed::of(op) else {
        return;
    };
    before.extend(observed.member.retarget(py, tree));
    let Some(tree) = tree else { return };
    let retained = tree.get().retained();
    retained.take_over(observed.member.node.header().object());
    retained.take_over(observed.view.load(Ordering::Relaxed));
    retained.take_over(observed.first_result.get());
    observed.dependents.with(py, |others| {
        if let Some(others) = others {
            retained.take_over(others.module.get());
            for place in others.results.iter().chain(&others.regions) {
                retained.take_over(place.get());
            }
        }
    });
}

/// Moves the wrappers that depend on `block` to `tree`; the references to the previous tree go to `before`.
fn retarget_block(
    py: Python<'_>,
    block: nodes::Block<'_>,
    tree: Option<&Py<Tree>>,
    before: &mut Vec<Py<Tree>>,
) {
    if let Some(object) = Block::of(block) {
        before.extend(object.member.retarget(py, tree));
        if let Some(tree) = tree {
            tree.get()
                .retained()
                .take_over(object.member.node.header().object());
        }
    }
    let Some(tree) = tree.filter(|_| wrapper::some_are_retained()) else {
        return;
    };
    for argument in block.arguments() {
        if let Some(object) = argument.as_argument().and_then(ObservedNode::object_of) {
            tree.get().retained().take_over(object);
        }
    }
}
