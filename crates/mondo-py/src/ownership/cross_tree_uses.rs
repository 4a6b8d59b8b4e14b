//! Uses of values and blocks that reach from one tree into another.

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

/// An operation outside of all `family` (the roots of a tree) that uses a value or a block which the
/// root or something below it defines.
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
        &mut |op| note(&mut || op.results().find_map(|it| user_of(it, family))),
        &mut |block| note(&mut || user_of_block(block, family)),
    );
    found.get()
}

/// Returns whether anything that is not below `root` uses a value or a block in it.
pub(crate) fn is_used_outside(root: Op<'_>) -> bool {
    find_user_outside(Node::Operation(root), &[root.address().as_ptr()]).is_some()
}

/// Returns whether anything below `root` uses a value or a block that is not, or the other way round.
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

/// The operation that a value is a result of, or around the block that it is an argument of.
fn definer(value: Value<'_>) -> Option<Op<'_>> {
    match value.owner() {
        Owner::Op(op) => Some(op),
        Owner::Block(block) => c::mlirBlockGetParentOperation(block),
    }
}

/// Returns whether anything outside of a block, which is to be erased or moved away, uses it or a value in
/// it.
pub(crate) fn block_is_used_outside(block: Block<'_>) -> bool {
    find_user_outside(Node::Block(block), &[block.address().as_ptr()]).is_some()
}

/// A user of a value that is below none of `family`.
fn user_of<'ctx>(value: Value<'ctx>, family: &[*mut c_void]) -> Option<Op<'ctx>> {
    let mut users = value.uses().map(|it| c::mlirOpOperandGetOwner(it));
    users.find(|user| !is_within(*user, family))
}

fn user_of_block<'ctx>(block: Block<'ctx>, family: &[*mut c_void]) -> Option<Op<'ctx>> {
    let of_arguments = block.arguments().find_map(|it| user_of(it, family));
    // A user of the block need not be a terminator, nor be in a block.
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
                || region.is_some_and(|it| family.contains(&it.address().as_ptr()))
        })
    })
}

/// Takes apart what the regions of `op` use of one another, before it is destroyed. MLIR destroys one
/// region after the other, and an operation in a later one would look at values that are gone.
pub(crate) fn part_regions(op: Op<'_>) -> Option<Nowhere> {
    let several = c::mlirOperationGetNumRegions(op) > 1;
    several.then(|| {
        let nowhere = Nowhere::new();
        for_each_op(op, &mut |op| nowhere.take_uses(op));
        nowhere
    })
}

/// Makes everything in roots use nothing, so that they can be destroyed in any order. The result has to
/// outlive them.
pub(super) fn drop_all(roots: &[Arc<Root>]) -> Nowhere {
    let nowhere = Nowhere::new();
    for root in roots {
        root.look(|node| for_each(node, &mut |op| nowhere.take_uses(op), &mut |_| ()));
    }
    nowhere
}
