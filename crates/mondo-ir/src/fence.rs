//! The fence around the tree that MLIR works on while it calls a closure, and the limit of depth.

use std::cell::RefCell;

use mondo_sys::{MlirOperation, mondoOperationGetRoot};

use crate::error::{Error, ErrorKind, Result};
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
    pub(crate) fn is_open(self) -> bool {
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
pub(crate) enum Note {
    /// The operation's own uses.
    Uses(MlirOperation),
    /// Those of all that is in it, too.
    UsesWithin(MlirOperation),
}

/// The operations that have got a use, or another place, while a closure runs. None of them is freed before it
/// returns.
#[derive(Debug, Default)]
pub(crate) struct Crossings(pub(crate) RefCell<Vec<Note>>);
