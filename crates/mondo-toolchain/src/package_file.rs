//! A package file, and the digest by which it is known.

use camino::Utf8PathBuf;

/// A package file to unpack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageFile {
    /// Its path.
    pub path: Utf8PathBuf,
    /// Its SHA-256 in hex, if a lock or apt's lists have it.
    pub sha256: Option<String>,
}
