//! Pinned wheels of the package index.

/// A release whose wheels are known by their digests.
#[derive(Debug, Clone, Copy)]
pub struct PinnedWheel {
    /// The distribution.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// SHA-256 of the wheels of that release that are taken, such as one for each machine.
    pub sha256: &'static [&'static str],
    /// The files and folders of the wheel that are used.
    pub contents: &'static [&'static str],
    /// The SHA-256 of `contents` in each of these wheels, as `digest::hash_tree` computes it.
    pub trees: &'static [&'static str],
    /// The end of a sentence that begins with "set": the way to do without the wheel.
    pub instead: &'static str,
}

impl PinnedWheel {
    /// The requirement by which a frontend or a user installs it.
    #[must_use]
    pub fn requirement(&self) -> String {
        format!("{}=={}", self.name, self.version)
    }
}
