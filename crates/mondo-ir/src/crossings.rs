//! The uses that cross the boundary of the tree that MLIR works on, made by a closure that it calls.
//!
//! MLIR follows the values of that tree to their users, and erases both. So when the closure returns, nothing outside of
//! the tree may use it. To look at the whole tree then would take its size for each call. Instead, each call of
//! the API that can make such a use takes a note of the user, while a closure runs.

use std::collections::HashSet;

use mondo_sys::{MlirOperation, mondoOperationGetRoot};

use crate::error::{Error, ErrorKind, Result};
use crate::fence::{Fence, Note};
use crate::scope::State;
use crate::tree::{self, LEVELS};

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

    /// Returns true if a pass of a closure may change the operation, as that is a part of the tree that MLIR works on.
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

    /// Runs a closure inside a fence. Afterwards takes the uses of the fenced tree from all operations of other trees to
    /// which the closure gave some. `new` returns the roots that are going to be in the fenced tree, and may use it.
    /// Returns the closure's result, and an error as in [`cut_crossings`](Self::cut_crossings).
    ///
    /// # Safety
    ///
    /// The fence's operation is live, and so are the roots that `new` returns. The closure does not unwind.
    pub(crate) unsafe fn watched<R>(
        &self,
        fence: Fence,
        run: impl FnOnce() -> R,
        new: impl FnOnce(&R) -> Vec<MlirOperation>,
    ) -> (R, Result<()>) {
        let result = self.fenced(fence, run);
        let (Fence::Inside(op) | Fence::Frozen(op)) = fence else {
            return (result, Ok(()));
        };
        let mut inside = new(&result);
        // SAFETY: the operation is live, as the fence has refused its erasure to the closure, and nothing has been freed
        // since that began; the new roots are live, by this function's contract.
        let crossed = unsafe {
            inside.push(mondoOperationGetRoot(op));
            self.cut_crossings(&inside)
        };
        (result, crossed)
    }

    /// Takes the uses of `inside`, which are roots, from all noted operations that are in other trees.
    ///
    /// # Errors
    /// `ErrorKind::Open` if there was such a use.
    ///
    /// # Safety
    ///
    /// The roots and the noted operations are live.
    unsafe fn cut_crossings(&self, inside: &[MlirOperation]) -> Result<()> {
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
