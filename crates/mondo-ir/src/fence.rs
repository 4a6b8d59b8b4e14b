//! What a closure that MLIR calls must leave alone: the fence around the tree that MLIR works on, and the uses that
//! cross it.
//!
//! MLIR follows the values of that tree to their users, and erases both. So when the closure returns, nothing outside of
//! the tree may use what is in it. To look at the whole tree then would take its size for each call. Instead, each call of
//! the API that can make such a use takes a note of the user, while a closure runs.

use std::cell::RefCell;
use std::collections::HashSet;

use mondo_sys::{MlirOperation, mondoOperationGetRoot};

use crate::error::{Error, ErrorKind, Result};
use crate::scope::State;
use crate::tree::{self, LEVELS};

/// The fence: which changes of a tree are refused while C++ calls a closure.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Fence {
    /// No change is refused.
    #[default]
    Open,
    /// Changes in the operation's tree, but outside of the operation, are refused.
    Inside(MlirOperation),
    /// Every change in the operation's tree is refused.
    Frozen(MlirOperation),
}

impl Fence {
    fn is_open(self) -> bool {
        matches!(self, Self::Open)
    }
}

pub(crate) fn outside() -> Error {
    Error::new(
        ErrorKind::Outside,
        "a pass changes only what is in its operation",
    )
}

pub(crate) fn too_deep() -> Error {
    let message = format!("regions nest deeper than {LEVELS} levels");
    Error::new(ErrorKind::Structure, message)
}

/// Refuses a change of `op`, or of what is in it, where the fence does not let it.
pub(crate) fn check_inside(fence: Fence, op: MlirOperation) -> Result<()> {
    let (Fence::Inside(top) | Fence::Frozen(top)) = fence else {
        return Ok(());
    };
    let mut root = op;
    // SAFETY: the caller has a handle of the operation, which borrows the token; MLIR keeps the fence's
    // operation until the closure returns that the fence is for (`State::fenced`).
    for (level, above) in unsafe { tree::ancestors(op) }.enumerate() {
        if above.ptr == top.ptr && matches!(fence, Fence::Inside(_)) {
            return Ok(());
        }
        // A tree of another depth cannot get to MLIR.
        if level > 2 * LEVELS {
            return Err(too_deep());
        }
        root = above;
    }
    // SAFETY: the fence's operation is live, as above.
    if root.ptr == unsafe { mondoOperationGetRoot(top) }.ptr {
        Err(outside())
    } else {
        Ok(())
    }
}

/// A user that a closure has made or moved.
#[derive(Debug, Clone, Copy)]
enum Note {
    /// The operation's own uses.
    Uses(MlirOperation),
    /// Those of all that is in it, too.
    UsesWithin(MlirOperation),
}

/// The operations that have got a use, or another place, while a closure runs. None of them is freed before it
/// returns.
#[derive(Debug, Default)]
pub(crate) struct Crossings(RefCell<Vec<Note>>);

impl State {
    /// Takes note of an operation that uses something else now.
    pub(crate) fn note_uses(&self, op: MlirOperation) {
        if !self.fence().is_open() {
            self.crossings.0.borrow_mut().push(Note::Uses(op));
        }
    }

    /// Takes note of an operation that is new, or in another tree now.
    pub(crate) fn note_uses_within(&self, op: MlirOperation) {
        if !self.fence().is_open() {
            self.crossings.0.borrow_mut().push(Note::UsesWithin(op));
        }
    }

    /// True if a pass of a closure may change the operation, as that is a part of the tree that MLIR works on.
    ///
    /// # Safety
    ///
    /// The operation is null or live.
    pub(crate) unsafe fn is_in_pass(&self, op: MlirOperation) -> bool {
        let Fence::Inside(top) = self.fence() else {
            return false;
        };
        // SAFETY: the operation is live, by this function's contract, and nothing is moved meanwhile.
        let mut around = unsafe { tree::ancestors(op) }.take(2 * LEVELS + 2);
        around.any(|above| above.ptr == top.ptr)
    }

    /// Takes note of all that uses a tree from outside, as that becomes a part of the one that MLIR works on.
    ///
    /// # Safety
    ///
    /// The operation is live.
    pub(crate) unsafe fn note_users(&self, op: MlirOperation) {
        // SAFETY: the operation is live, by this function's contract, and nothing is changed meanwhile.
        unsafe {
            if tree::is_used_outside(op) {
                let users = tree::descent(op).flat_map(|inner| tree::users_of(inner));
                self.crossings.0.borrow_mut().extend(users.map(Note::Uses));
            }
        }
    }

    /// Takes the uses of `inside`, which are roots, from all noted operations that are in other trees.
    ///
    /// # Errors
    /// `ErrorKind::Open` where there was such a use.
    ///
    /// # Safety
    ///
    /// The roots and the noted operations are live.
    pub(crate) unsafe fn cut_crossings(&self, inside: &[MlirOperation]) -> Result<()> {
        let notes = self.crossings.0.take();
        let mut found = false;
        let mut seen = HashSet::new();
        // SAFETY: nothing is freed while a closure runs, and this is called before anything else is.
        unsafe {
            // The tree that MLIR works on is not deeper, or the pass fails.
            let is_inside = |op: MlirOperation| {
                let mut around = tree::ancestors(op).take(2 * LEVELS + 2);
                around.any(|above| inside.iter().any(|root| root.ptr == above.ptr))
            };
            let crosses = |op: &MlirOperation| tree::used_by(*op).any(is_inside);
            for note in notes {
                let (Note::Uses(op) | Note::UsesWithin(op)) = note;
                if !seen.insert((op.ptr, matches!(note, Note::Uses(_)))) || is_inside(op) {
                    continue;
                }
                let count = match note {
                    Note::Uses(_) => 1,
                    Note::UsesWithin(_) => usize::MAX,
                };
                for user in tree::descent(op).take(count).filter(crosses) {
                    found = true;
                    self.cut_one(user);
                }
            }
        }
        if !found {
            return Ok(());
        }
        let message = "a closure has let another tree use values or blocks of the one that MLIR works on; these \
                       uses were removed";
        Err(Error::new(ErrorKind::Open, message))
    }
}
