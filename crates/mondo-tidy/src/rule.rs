//! A rule: its name, and its check.

use crate::sources::SourceFile;

/// A named check over the tracked files.
pub(crate) struct Rule {
    /// The name of the rule, which ARCHITECTURE.md gives as `tidy: <name>`.
    pub(crate) name: &'static str,
    /// Complaints, each with its place.
    pub(crate) check: fn(&[SourceFile]) -> Vec<String>,
}
