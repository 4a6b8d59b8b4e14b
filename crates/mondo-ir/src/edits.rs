//! The changes in place that a pattern wants: they are made, looked at, and taken back if one of them is wrong.

use std::collections::HashSet;
use std::ffi::c_void;

use mondo_sys::{
    MlirOperation, MlirRewriterBase, mlirOperationIsBeforeInBlock, mlirOperationVerify,
    mlirRewriterBaseCancelOpModification, mlirRewriterBaseFinalizeOpModification,
    mlirRewriterBaseStartOpModification,
};

use crate::capture::captured_here;
use crate::error::{Error, ErrorKind, Result};
use crate::handle::{Block, Op, Value};
use crate::tree;
use crate::uniqued_handles::Attribute;

pub(crate) fn refused(message: &str) -> Error {
    Error::new(ErrorKind::Structure, message)
}

/// A change in place.
#[derive(Debug)]
pub(crate) enum Edit<'call, 'ctx> {
    Attribute(Op<'call, 'ctx>, String, Option<Attribute<'ctx>>),
    Operand(Op<'call, 'ctx>, usize, Value<'call, 'ctx>),
    Erase(Op<'call, 'ctx>),
}

impl<'call, 'ctx> Edit<'call, 'ctx> {
    pub(crate) fn op(&self) -> Op<'call, 'ctx> {
        match self {
            Self::Attribute(op, ..) | Self::Operand(op, ..) | Self::Erase(op) => *op,
        }
    }

    pub(crate) fn erased(&self) -> Option<MlirOperation> {
        match self {
            Self::Erase(op) => Some(op.raw()),
            Self::Attribute(..) | Self::Operand(..) => None,
        }
    }

    /// Makes the change, and returns the one that takes it back; none for an operation that is yet to be erased.
    fn make(&self) -> Result<Option<Self>> {
        Ok(match self {
            Self::Attribute(op, name, value) => {
                let before = op.attribute(name);
                match value {
                    Some(value) => op.set_attribute(name, *value)?,
                    None => drop(op.remove_attribute(name)?),
                }
                Some(Self::Attribute(*op, name.clone(), before))
            }
            Self::Operand(op, index, value) => {
                let before = op.operand(*index);
                op.set_operand(*index, *value)?;
                before.map(|before| Self::Operand(*op, *index, before))
            }
            Self::Erase(_) => None,
        })
    }
}

/// Makes the changes in place, or none of them. What is to be erased is looked at and left: `goes` says whether an operation
/// is replaced or erased as the one that matched.
///
/// # Safety
///
/// The rewriter is live, and nothing is freed until this returns.
pub(crate) unsafe fn edit<'call, 'ctx>(
    rewriter: MlirRewriterBase,
    matched: Op<'call, 'ctx>,
    edits: &[Edit<'call, 'ctx>],
    goes: impl Fn(Op<'call, 'ctx>) -> bool,
    erased: bool,
) -> Result<()> {
    let root = matched.root();
    for (at, one) in edits.iter().enumerate() {
        let op = one.op();
        if op.block().is_none() || op.root() != root || goes(op) {
            return Err(refused(
                "a change in place is of an operation that is not in the tree, or that goes",
            ));
        }
        let is_last = op.block().and_then(Block::terminator) == Some(op);
        let again = edits[..at].iter().filter_map(Edit::erased);
        if one.erased().is_some()
            && (is_last || again.into_iter().any(|other| other.ptr == op.raw().ptr))
        {
            return Err(refused(
                "an operation is erased that ends a block, or is erased already",
            ));
        }
    }
    let mut undo = Vec::new();
    let mut changed: Vec<Op<'call, 'ctx>> = Vec::new();
    let mut outcome = Ok(());
    for one in edits {
        let op = one.op();
        if one.erased().is_none() && !changed.contains(&op) {
            // SAFETY: the rewriter and the operation are live.
            unsafe { mlirRewriterBaseStartOpModification(rewriter, op.raw()) };
            changed.push(op);
        }
        match one.make() {
            Ok(back) => undo.extend(back),
            Err(error) => {
                outcome = Err(error);
                break;
            }
        }
    }
    let outcome = outcome.and_then(|()| {
        edits
            .iter()
            .try_for_each(|one| check_edit(one, edits, &goes))
    });
    let outcome = outcome.and_then(|()| {
        // SAFETY: the operation is live.
        if erased && unsafe { tree::is_used_outside(matched.raw()) } {
            let message = format!("`{}` is still used, so it cannot be erased", matched.name());
            return Err(Error::new(ErrorKind::InUse, message));
        }
        Ok(())
    });
    if outcome.is_err() {
        for back in undo.into_iter().rev() {
            // What was there is taken again.
            drop(back.make());
        }
    }
    for op in changed {
        // SAFETY: the rewriter and the operation are live, and the modification was begun above.
        unsafe {
            if outcome.is_ok() {
                mlirRewriterBaseFinalizeOpModification(rewriter, op.raw());
            } else {
                mlirRewriterBaseCancelOpModification(rewriter, op.raw());
            }
        }
    }
    outcome
}

/// Checks an operation that was changed, or that is to be erased.
fn check_edit<'call, 'ctx>(
    one: &Edit<'call, 'ctx>,
    edits: &[Edit<'call, 'ctx>],
    goes: &impl Fn(Op<'call, 'ctx>) -> bool,
) -> Result<()> {
    let op = one.op();
    if one.erased().is_some() {
        let is_erased = |user: Op<'call, 'ctx>| {
            goes(user)
                || edits
                    .iter()
                    .filter_map(Edit::erased)
                    .any(|other| other.ptr == user.raw().ptr)
        };
        let mut users = op.iter_results().flat_map(Value::users);
        // What is erased is erased in the order of the edits, so that a user must come before.
        if users.any(|user| !is_erased(user)) || op.region(0).is_some() {
            let message = format!("`{}` is still used, so it cannot be erased", op.name());
            return Err(Error::new(ErrorKind::InUse, message));
        }
        let place = |wanted: Op<'call, 'ctx>| {
            edits
                .iter()
                .filter_map(Edit::erased)
                .position(|other| other.ptr == wanted.raw().ptr)
        };
        let erased = place(op);
        let mut users = op.iter_results().flat_map(Value::users);
        if users.any(|user| place(user).is_some_and(|at| Some(at) > erased)) {
            return Err(refused("an operation is erased before what uses it"));
        }
        return Ok(());
    }
    let none = HashSet::new();
    if !op.iter_operands().all(|value| reaches(value, op, &none)) {
        return Err(refused(
            "an operand is set to a value that is not known to be there",
        ));
    }
    // SAFETY: the operation is live, and so is all that it uses, in the same tree.
    let (valid, diagnostics) = captured_here(op.state, || unsafe { mlirOperationVerify(op.raw()) });
    if valid {
        return Ok(());
    }
    let message = format!("the changed `{}` is not valid", op.name());
    Err(Error::new(ErrorKind::Verify, message).with(diagnostics))
}

/// Returns true if the value dominates `at`: it is defined before `at` in its block or in an enclosing one, or is one of `known`.
/// A value of another block of the same region counts as not dominating.
pub(crate) fn reaches<'call, 'ctx>(
    value: Value<'call, 'ctx>,
    at: Op<'call, 'ctx>,
    known: &HashSet<*const c_void>,
) -> bool {
    if known.contains(&value.raw().ptr) {
        return true;
    }
    let definition = value.defining_op();
    let block = definition.map_or_else(|| value.argument_of(), Op::block);
    let mut place = at;
    while place.block() != block {
        let Some(parent) = place.parent() else {
            return false;
        };
        place = parent;
    }
    definition.is_none_or(|definition| {
        // SAFETY: the handles borrow the token, so both operations are live; the loop above ended where
        // `place` is in the block of the definition.
        let before =
            |op: Op<'_, '_>| unsafe { mlirOperationIsBeforeInBlock(op.raw(), place.raw()) };
        block.is_some() && definition != place && before(definition)
    })
}
