//! The names of values, worked out once for several prints. MLIR knows the values by their addresses: the names are
//! of use as long as no node is destroyed, whose address another one might get.

use std::sync::Arc;

pub(crate) use mondo_ir::nodes::Observation;
use mondo_ir::nodes::{AsmState, Op, TextFlags, Value, deaths};

/// The names, and the number of nodes that had been destroyed when they were worked out.
pub(crate) struct Numbering {
    state: AsmState,
    deaths: u64,
}

// SAFETY: the state is used only with the interpreter attached, under a mutex.
unsafe impl Send for Numbering {}

impl Numbering {
    /// The names around an operation. There is an [`Observation`].
    pub(crate) fn of_op(op: Op<'_>, flags: &Arc<TextFlags>) -> Self {
        let deaths = deaths();
        let state = AsmState::of_op(op, flags);
        Self { state, deaths }
    }

    /// The names around a value; none where it is an argument of a block that is in no operation.
    pub(crate) fn of_value(value: Value<'_>, flags: &Arc<TextFlags>) -> Option<Self> {
        let deaths = deaths();
        let state = AsmState::of_value(value, flags)?;
        Some(Self { state, deaths })
    }

    /// Returns whether no node was destroyed since.
    pub(crate) fn is_current(&self) -> bool {
        self.deaths == deaths()
    }

    /// The name of a value; none if a node was destroyed since.
    pub(crate) fn name_of(&self, value: Value<'_>) -> Option<String> {
        // SAFETY: `is_current` has found that no node was destroyed since the state was made.
        self.is_current()
            .then(|| unsafe { self.state.name_of(value) })
    }

    /// The text of an operation; none if a node was destroyed since.
    pub(crate) fn text_of(&self, op: Op<'_>) -> Option<String> {
        // SAFETY: `is_current` has found that no node was destroyed since the state was made.
        self.is_current().then(|| unsafe { self.state.text_of(op) })
    }
}
