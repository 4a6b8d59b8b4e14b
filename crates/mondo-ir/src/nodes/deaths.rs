//! The number of nodes that have been destroyed.

use mondo_sys::{mondoCountDeaths, mondoDeathCount};

/// Has the nodes counted that are destroyed, in any context, as long as it lives.
#[derive(Debug)]
pub struct Observation(());

impl Observation {
    /// Begins to count.
    pub fn begin() -> Self {
        // SAFETY: there is no precondition; `Drop` takes it back.
        unsafe { mondoCountDeaths(true) };
        Self(())
    }
}

impl Drop for Observation {
    fn drop(&mut self) {
        // SAFETY: each `true` is followed by one `false`.
        unsafe { mondoCountDeaths(false) };
    }
}

/// The number of nodes that have been destroyed, which is counted while there is an [`Observation`].
pub fn deaths() -> u64 {
    // SAFETY: there is no precondition.
    unsafe { mondoDeathCount() }
}
