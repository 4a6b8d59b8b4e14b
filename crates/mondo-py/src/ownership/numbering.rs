//! The printed names of values (`%0`), computed once for several prints. MLIR's `AsmState` maps addresses to
//! names. It is valid only until a node is destroyed, because a new node could get the same address.

use std::sync::Arc;

pub(crate) use mondo_ir::nodes::Observation;
use mondo_ir::nodes::{AsmState, Op, TextFlags, Value, deaths};

/// The names, and the number of nodes that had been destroyed when they were computed.
pub(crate) struct Numbering {
    state: AsmState,
    deaths: u64,
}

// SAFETY: an `AsmState` is not bound to the thread that made it. `ir::asm_state` has it in a mutex, so that
// one thread uses it at a time.
unsafe impl Send for Numbering {}

impl Numbering {
    /// The names of the values in the scope of an operation. The caller has an [`Observation`], without which
    /// destroyed nodes are not counted.
    pub(crate) fn of_op(op: Op<'_>, flags: &Arc<TextFlags>) -> Self {
        let deaths = deaths();
        let state = AsmState::of_op(op, flags);
        Self { state, deaths }
    }

    /// The names of all values that are printed together with `value`, which are those in its isolated operation; None for
    /// an argument of a block that is in no operation.
    pub(crate) fn of_value(value: Value<'_>, flags: &Arc<TextFlags>) -> Option<Self> {
        let deaths = deaths();
        let state = AsmState::of_value(value, flags)?;
        Some(Self { state, deaths })
    }

    /// Returns whether no node was destroyed since the names were computed.
    pub(crate) fn is_current(&self) -> bool {
        self.deaths == deaths()
    }

    /// The name of a value; None if the names are not current.
    pub(crate) fn name_of(&self, value: Value<'_>) -> Option<String> {
        // SAFETY: `is_current` has found that no node was destroyed since the state was made.
        self.is_current()
            .then(|| unsafe { self.state.name_of(value) })
    }

    /// The text of an operation; None if the names are not current.
    pub(crate) fn text_of(&self, op: Op<'_>) -> Option<String> {
        // SAFETY: `is_current` has found that no node was destroyed since the state was made.
        self.is_current().then(|| unsafe { self.state.text_of(op) })
    }
}
