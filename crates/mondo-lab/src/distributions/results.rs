//! What ran in one userland, and how it went.

use mondo_build::toolchain::Userland;
use serde::{Deserialize, Serialize};

/// What runs in a userland.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// The library alone, through ctypes: the wheel is for later Pythons.
    Library,
    /// The wheel.
    Wheel,
}

/// What became of one test folder: pytest's last line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ran {
    pub(super) passed: bool,
    pub(super) summary: String,
}

/// Everything that ran in one userland.
pub(super) struct ImageResults {
    pub(super) userland: Userland,
    pub(super) subject: Subject,
    pub(super) runs: Vec<Ran>,
}
