//! The number of nodes that have been destroyed.

use mondo_sys::{mondoCountDeaths, mondoDeathCount};

/// Has the nodes counted that are destroyed, in any context, as long as it lives.
#[derive(Debug)]
pub struct Observation(());

impl Observation {
    /// Begins to count.
    pub fn begin() -> Self {
        // SAFETY: `mondoCountDeaths` wants as many calls with `false` as with `true`, and `drop` makes the
        // one for this.
        unsafe { mondoCountDeaths(true) };
        Self(())
    }
}

impl Drop for Observation {
    fn drop(&mut self) {
        // SAFETY: `begin` made the call with `true` that this one belongs to.
        unsafe { mondoCountDeaths(false) };
    }
}

/// The number of nodes that have been destroyed, which is counted while there is an [`Observation`].
pub fn deaths() -> u64 {
    // SAFETY: `mondoDeathCount` has no precondition.
    unsafe { mondoDeathCount() }
}
