//! The policy file, by which a project configures the audit: the severity of rules, and accepted findings with the
//! reason for each.
//!
//! ```toml
//! [severity]
//! build-id = "off"
//!
//! [[allow]]
//! rule = "needed"
//! image = "acme/*.so"
//! name = "libstdc++.so.6"
//! reason = "the distribution's package depends on it"
//!
//! [[exports]]
//! image = "acme/libacme*.so"
//! names = ["acmeVersion", "acme_*"]
//!
//! [minimum]
//! glibc = "2.28"
//! macos = "11.0"
//! windows = "10.0"
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::audit::Audit;
use crate::finding::{Finding, Severity};
use crate::name_pattern::matches;
use crate::policy::ExportList;
use crate::rule_id::RuleId;

/// A policy file that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PolicyFile {
    /// Severity that replaces that of a rule's findings; `None` where the rule is off.
    pub severities: BTreeMap<RuleId, Option<Severity>>,
    /// Accepted findings, in the file's order.
    pub allows: Vec<Allow>,
    /// Lists of exports, for [`crate::Policy::exports`].
    pub exports: Vec<ExportList>,
    /// The oldest systems that images run on, for the fields of [`crate::Policy`] of these names.
    pub minimum_glibc: Option<(u32, u32)>,
    /// Likewise.
    pub minimum_macos: Option<(u32, u32)>,
    /// Likewise.
    pub minimum_windows: Option<(u32, u32)>,
}

/// A finding that the project has accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Allow {
    /// The rule.
    pub rule: RuleId,
    /// A name pattern for the images in which the finding is accepted; `*` stands for any text. Without it, every
    /// image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// A name pattern for the accepted details. Without it, the whole finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The reason.
    pub reason: String,
    /// The line of the file that it starts in.
    pub line: usize,
}

/// The reason for which a policy file is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {what}")]
pub struct PolicyFileError {
    /// The file.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
    /// The defect.
    pub what: String,
    /// The bytes of the file that are wrong.
    pub span: Range<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    severity: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    allow: Vec<Spanned<AllowTable>>,
    #[serde(default)]
    exports: Vec<ExportsTable>,
    #[serde(default)]
    minimum: MinimumTable,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct MinimumTable {
    glibc: Option<Spanned<String>>,
    macos: Option<Spanned<String>>,
    windows: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportsTable {
    image: String,
    names: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AllowTable {
    rule: Spanned<String>,
    image: Option<String>,
    name: Option<String>,
    reason: Spanned<String>,
}

impl PolicyFile {
    /// Reads a policy file; `file` names it in errors.
    ///
    /// # Errors
    ///
    /// [`PolicyFileError`] where it is not TOML, has keys that do not exist, names a rule or a
    /// severity that does not exist, or allows something without a reason.
    pub fn parse(file: &str, text: &str) -> Result<Self, PolicyFileError> {
        let fail = |span: Range<usize>, what: String| {
            let (line, column) = place(text, span.start);
            PolicyFileError {
                file: file.to_owned(),
                line,
                column,
                what,
                span,
            }
        };
        let rule = |name: &Spanned<String>| {
            RuleId::by_name(name.get_ref()).ok_or_else(|| {
                let what = format!("there is no rule `{}`", name.get_ref());
                fail(name.span(), what)
            })
        };
        let document: Document = toml::from_str(text)
            .map_err(|error| fail(error.span().unwrap_or(0..0), error.message().to_owned()))?;
        let mut read = Self::default();
        for (name, level) in &document.severity {
            let severity = match level.get_ref().as_str() {
                "off" => None,
                word => Some(Severity::by_name(word).ok_or_else(|| {
                    let what = format!("`{word}` is not one of error, warning, info, off");
                    fail(level.span(), what)
                })?),
            };
            read.severities.insert(rule(name)?, severity);
        }
        let version = |text: &Option<Spanned<String>>| {
            let Some(text) = text else {
                return Ok(None);
            };
            let (major, minor) = text
                .get_ref()
                .split_once('.')
                .unwrap_or((text.get_ref(), "0"));
            match (major.parse(), minor.parse()) {
                (Ok(major), Ok(minor)) => Ok(Some((major, minor))),
                _ => {
                    let what = format!("`{}` is not a version like \"2.28\"", text.get_ref());
                    Err(fail(text.span(), what))
                }
            }
        };
        read.minimum_glibc = version(&document.minimum.glibc)?;
        read.minimum_macos = version(&document.minimum.macos)?;
        read.minimum_windows = version(&document.minimum.windows)?;
        read.exports = document
            .exports
            .into_iter()
            .map(|table| ExportList {
                image: table.image,
                names: table.names,
            })
            .collect();
        // Lines are counted from the previous entry on and not from the start of the file, so that this takes linear
        // time.
        let (mut line, mut counted) = (1, 0);
        for table in document.allow {
            let start = table.span().start;
            line += text
                .get(counted..start)
                .map_or(0, |between| between.matches('\n').count());
            counted = start;
            let table = table.into_inner();
            if table.reason.get_ref().trim().is_empty() {
                let what = "an allowed finding needs a reason".to_owned();
                return Err(fail(table.reason.span(), what));
            }
            read.allows.push(Allow {
                rule: rule(&table.rule)?,
                image: table.image,
                name: table.name,
                reason: table.reason.into_inner(),
                line,
            });
        }
        Ok(read)
    }

    /// Applies the policy to findings; returns the indexes in [`PolicyFile::allows`] that had
    /// something to allow.
    ///
    /// A note about an input that could not be checked stays a note.
    pub fn apply(&self, audit: &mut Audit) -> BTreeSet<usize> {
        let mut used = BTreeSet::new();
        audit.findings.retain_mut(|finding| {
            let level = self.severities.get(&finding.rule).copied();
            if level == Some(None) {
                return false;
            }
            if let Some(Some(severity)) = level
                && finding.severity != Severity::Info
            {
                finding.severity = severity;
            }
            !self.allowed(finding, &mut used)
        });
        audit.sort();
        used
    }

    /// The entries that matched no finding. `used` has the indexes that [`Self::apply`] returned for all audits.
    pub fn unused<'s>(&'s self, used: &'s BTreeSet<usize>) -> impl Iterator<Item = &'s Allow> {
        let all = self.allows.iter().enumerate();
        all.filter(|(index, _)| !used.contains(index))
            .map(|(_, allow)| allow)
    }

    /// Removes the accepted details of a finding; returns whether the whole finding is accepted.
    fn allowed(&self, finding: &mut Finding, used: &mut BTreeSet<usize>) -> bool {
        let before = finding.details.len();
        for (index, allow) in self.allows.iter().enumerate() {
            let here = |pattern: &str| matches(pattern, &finding.image);
            if allow.rule != finding.rule || !allow.image.as_deref().is_none_or(here) {
                continue;
            }
            let Some(pattern) = &allow.name else {
                used.insert(index);
                return true;
            };
            let found = finding.details.len();
            finding
                .details
                .retain(|detail| !matches(pattern, &detail.name));
            if finding.details.len() < found {
                used.insert(index);
            }
        }
        let allowed = before - finding.details.len();
        if allowed > 0 {
            finding.what.push_str(&format!(" ({allowed} allowed)"));
        }
        allowed > 0 && finding.details.is_empty() && finding.more == 0
    }
}

/// The line and column of a byte, both counted from 1.
fn place(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    (
        before.matches('\n').count() + 1,
        before[line..].chars().count() + 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_point_at_what_is_wrong() {
        let cases = [
            (
                "[severity]\nexprots = \"off\"\n",
                "p:2:1: there is no rule `exprots`",
            ),
            (
                "[severity]\nexports = \"bad\"\n",
                "p:2:11: `bad` is not one of error, warning, info, off",
            ),
            (
                "[[allow]]\nrule = \"nope\"\nreason = \"x\"\n",
                "p:2:8: there is no rule `nope`",
            ),
            (
                "[[allow]]\nrule = \"exports\"\nreason = \" \"\n",
                "p:3:10: an allowed finding needs a reason",
            ),
            (
                "[[allow]]\nrule = \"exports\"\n",
                "p:1:1: missing field `reason`",
            ),
            (
                "[minimum]\nmacos = \"eleven\"\n",
                "p:2:9: `eleven` is not a version like \"2.28\"",
            ),
        ];
        for (text, message) in cases {
            let error = PolicyFile::parse("p", text).expect_err("wrong");
            assert_eq!(error.to_string(), message);
        }
        let error = PolicyFile::parse("p", "[x]\n").expect_err("wrong");
        assert!(
            error.to_string().starts_with("p:1:2: unknown field `x`"),
            "{error}"
        );
        let error = PolicyFile::parse("p", "a = = 1").expect_err("wrong");
        assert!(error.to_string().starts_with("p:1:"), "{error}");
    }

    #[test]
    fn entries_are_read_with_their_lines() {
        let text = "[severity]\nrelro = \"info\"\nbuild-id = \"off\"\n\n[[allow]]\nrule = \"needed\"\n\
                    name = \"lib*\"\nreason = \"why\"\n";
        let file = PolicyFile::parse("p", text).expect("right");
        let severities = BTreeMap::from([
            (RuleId::Relro, Some(Severity::Info)),
            (RuleId::BuildId, None),
        ]);
        assert_eq!(file.severities, severities);
        assert_eq!(file.allows[0].line, 5);
        let minimums = PolicyFile::parse("p", "[minimum]\nglibc = \"2.28\"\nmacos = \"11\"\n");
        let minimums = minimums.expect("right");
        assert_eq!(
            (minimums.minimum_glibc, minimums.minimum_macos),
            (Some((2, 28)), Some((11, 0)))
        );
        assert_eq!(minimums.minimum_windows, None);
        assert_eq!(file.unused(&BTreeSet::new()).count(), 1);
        assert_eq!(file.unused(&BTreeSet::from([0])).count(), 0);
    }
}
