//! Findings of rules, with their severities and details.

use serde::Serialize;

use crate::printable::print;
use crate::rule_id::RuleId;

/// Severity of a finding; the worst comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The image must not ship.
    Error,
    /// Probably wrong, or wrong for an image that nobody stated expectations for.
    Warning,
    /// Information, above all about parts that could not be checked.
    Info,
}

impl Severity {
    /// The severity with this name in reports.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::Error, Self::Warning, Self::Info]
            .into_iter()
            .find(|severity| severity.name() == name)
    }

    /// The word in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// One thing that a finding is about: a symbol, a path, a library, a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Detail {
    /// The symbol as it is mangled, the path, the library, the file.
    pub name: String,
    /// A remark about this detail in a few words; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Origin (an archive and its member). Left empty here: a caller with a link map
    /// fills it in, and reports print it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Offset in the file, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The section that `offset` is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
}

impl Detail {
    /// A detail with a note.
    pub(crate) fn new(name: impl Into<String>, note: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            note: note.into(),
            origin: None,
            offset: None,
            section: None,
        }
    }

    /// A detail that needs no note.
    pub(crate) fn named(name: impl Into<String>) -> Self {
        Self::new(name, "")
    }
}

/// Result of one rule about one image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The image or file, as the caller named it.
    pub image: String,
    /// Severity.
    pub severity: Severity,
    /// The rule that found it.
    pub rule: RuleId,
    /// One sentence without a full stop.
    pub what: String,
    /// The other images that are part of the defect, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
    /// Symbols, paths, libraries or files that it is about, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<Detail>,
    /// Number of further details, which are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: usize,
    /// Remedy.
    pub fix: &'static str,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Finding {
    /// Adds details; they are sorted here.
    pub(crate) fn about(mut self, details: impl IntoIterator<Item = Detail>) -> Self {
        self.details.extend(details);
        self.details.sort();
        self.details.dedup();
        self
    }

    /// Escapes characters that a terminal would obey in all texts that come from files.
    pub(crate) fn print(&mut self) {
        print(&mut self.image);
        print(&mut self.what);
        self.others.iter_mut().for_each(print);
        for detail in &mut self.details {
            print(&mut detail.name);
            print(&mut detail.note);
            detail.section.iter_mut().for_each(print);
        }
    }

    /// Adds the other images, sorted here.
    pub(crate) fn with(mut self, others: impl IntoIterator<Item = String>) -> Self {
        self.others.extend(others);
        self.others.sort();
        self.others.dedup();
        self
    }
}

/// `1 library`, `2 libraries`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
