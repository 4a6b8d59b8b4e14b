//! The results of the tests in one distribution image.

use super::image::Image;
use serde::{Deserialize, Serialize};

/// The subject of the tests in a distribution image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// The library alone, through ctypes, because the wheel requires a later Python.
    Library,
    /// The wheel.
    Wheel,
}

/// The result of one test folder: pytest's last line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ran {
    pub(super) passed: bool,
    pub(super) summary: String,
}

/// The results of one distribution image.
pub(super) struct ImageResults {
    pub(super) system: Image,
    pub(super) subject: Subject,
    pub(super) runs: Vec<Ran>,
}
