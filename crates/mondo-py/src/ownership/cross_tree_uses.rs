//! Uses of values and blocks across trees: a detached or cloned operation may use values of the tree that it
//! came from.

use std::ffi::c_void;
use std::sync::Arc;

use mondo_ir::declarations as c;
use mondo_ir::nodes::{Block, Nowhere, Op, Owner, Value};

use crate::ownership::traversal::{for_each_op, for_each_op_of, operands, successors};
use crate::ownership::tree::{Node, Root};

/// Calls `visit_op` for every operation and `visit_block` for every block of a root.
fn for_each<'ctx>(
    root: Node<'ctx>,
    visit_op: &mut dyn FnMut(Op<'ctx>),
    visit_block: &mut dyn FnMut(Block<'ctx>),
) {
    let mut both = |op: Op<'ctx>| {
        visit_op(op);
        op.blocks().for_each(&mut *visit_block);
    };
    match root {
        Node::Operation(op) => for_each_op(op, &mut both),
        Node::Block(block) => {
            for_each_op_of(block, &mut both);
            visit_block(block);
        }
        Node::Region(region) => {
            for block in region.blocks() {
                for_each_op_of(block, &mut both);
            }
            region.blocks().for_each(visit_block);
        }
    }
}

/// Finds an operation that uses a value or block defined in `root` and that is in none of `family`, the
/// addresses of a tree's roots.
pub(crate) fn find_user_outside<'ctx>(
    root: Node<'ctx>,
    family: &[*mut c_void],
) -> Option<Op<'ctx>> {
    let found = std::cell::Cell::new(None);
    let note = |user: &mut dyn FnMut() -> Option<Op<'ctx>>| {
        if found.get().is_none() {
            found.set(user());
        }
    };
    for_each(
        root,
        &mut |op| note(&mut || op.results().find_map(|result| user_of(result, family))),
        &mut |block| note(&mut || user_of_block(block, family)),
    );
    found.get()
}

/// Returns whether an operation outside of `root` uses a value or a block that is defined in it.
pub(crate) fn is_used_outside(root: Op<'_>) -> bool {
    find_user_outside(Node::Operation(root), &[root.address().as_ptr()]).is_some()
}

/// Returns whether `root` is not self-contained: an operation in it uses a value or block from outside, or
/// one outside uses a value or block from it.
pub(crate) fn reaches_outside(root: Op<'_>) -> bool {
    let family = [root.address().as_ptr()];
    let is_outside = |value: Option<Value<'_>>| {
        value
            .and_then(definer)
            .is_none_or(|op| !is_within(op, &family))
    };
    let is_elsewhere = |block: Block<'_>| {
        c::mlirBlockGetParentOperation(block).is_none_or(|op| !is_within(op, &family))
    };
    let mut reaches = is_used_outside(root);
    for_each_op(root, &mut |op| {
        reaches = reaches || operands(op).any(is_outside) || successors(op).any(is_elsewhere);
    });
    reaches
}

/// The operation that a value is a result of, or the parent operation of the block that it is an argument of.
fn definer(value: Value<'_>) -> Option<Op<'_>> {
    match value.owner() {
        Owner::Op(op) => Some(op),
        Owner::Block(block) => c::mlirBlockGetParentOperation(block),
    }
}

/// Returns whether an operation outside of a block uses the block or a value that is defined in it. Then the
/// block can be neither erased nor moved away.
pub(crate) fn block_is_used_outside(block: Block<'_>) -> bool {
    find_user_outside(Node::Block(block), &[block.address().as_ptr()]).is_some()
}

/// A user of a value that is in none of `family`.
fn user_of<'ctx>(value: Value<'ctx>, family: &[*mut c_void]) -> Option<Op<'ctx>> {
    let mut users = value
        .uses()
        .map(|operand| c::mlirOpOperandGetOwner(operand));
    users.find(|user| !is_within(*user, family))
}

fn user_of_block<'ctx>(block: Block<'ctx>, family: &[*mut c_void]) -> Option<Op<'ctx>> {
    let of_arguments = block
        .arguments()
        .find_map(|argument| user_of(argument, family));
    // Not only terminators of sibling blocks use a block: a detached operation can have it as a successor.
    of_arguments.or_else(|| block.users().find(|user| !is_within(*user, family)))
}

/// Returns whether `op` is in a root of `family`.
fn is_within(op: Op<'_>, family: &[*mut c_void]) -> bool {
    op.with_ancestors().any(|op| {
        if family.contains(&op.address().as_ptr()) {
            return true;
        }
        c::mlirOperationGetBlock(op).is_some_and(|block| {
            let region = block.region();
            family.contains(&block.address().as_ptr())
                || region.is_some_and(|parent| family.contains(&parent.address().as_ptr()))
        })
    })
}

/// Drops the uses between the regions of `op` before it is destroyed. MLIR destroys the regions one after the
/// other, and an operation in a later region could read values of an earlier one that are destroyed.
pub(crate) fn part_regions(op: Op<'_>) -> Option<Nowhere> {
    let several = c::mlirOperationGetNumRegions(op) > 1;
    several.then(|| {
        let nowhere = Nowhere::new();
        for_each_op(op, &mut |op| nowhere.take_uses(op));
        nowhere
    })
}

/// Redirects all operands in the roots to placeholders, so that the roots can be destroyed in any order. The
/// result has the placeholders and has to outlive the roots.
pub(super) fn drop_all(roots: &[Arc<Root>]) -> Nowhere {
    let nowhere = Nowhere::new();
    for root in roots {
        root.look(|node| for_each(node, &mut |op| nowhere.take_uses(op), &mut |_| ()));
    }
    nowhere
}
