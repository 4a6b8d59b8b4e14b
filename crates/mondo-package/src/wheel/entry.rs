//! The files of a written wheel.

use serde::Serialize;

/// One file of a written wheel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WheelEntry {
    /// Its path in the wheel.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its size in the archive, without headers, in bytes.
    pub compressed: u64,
    /// Its SHA-256 in hex.
    pub sha256: String,
    /// Its Unix permissions: 0o644 or 0o755.
    pub permissions: u32,
}
