//! A baseline: a file of accepted findings. A project that starts to use the audit records its present findings there, so
//! that only new ones fail.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::audit::Audit;
use crate::finding::count;
use crate::finding::{Finding, Severity};
use crate::fingerprint;

/// The format of the file; another number is refused.
const FORMAT: u32 = 1;

type Known = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Known findings: rule → image → what it is about. Notes are not part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    format: u32,
    known: Known,
}

/// The reason why a baseline is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaselineError {
    /// It is not the JSON that `--write-baseline` writes.
    #[error("{file}:{line}:{column}: {what}")]
    Malformed {
        /// The file.
        file: String,
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// The defect.
        what: String,
    },
    /// It is of another version of this program.
    #[error(
        "{file}: the baseline has format {found}, and this version supports format {FORMAT}; write it again"
    )]
    Format {
        /// The file.
        file: String,
        /// The number in it.
        found: u32,
    },
}

/// The result of applying a baseline to audits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Met {
    /// Number of known details that were removed from the findings.
    pub known: usize,
    /// Details of the baseline that no audit finds any more: `rule: image: what`. They can be removed by writing the
    /// baseline again.
    pub gone: Vec<String>,
}

impl Baseline {
    /// The baseline of all findings in these audits.
    #[must_use]
    pub fn of(audits: &[Audit]) -> Self {
        let mut known = Known::new();
        for finding in audits.iter().flat_map(|audit| &audit.findings) {
            if finding.severity == Severity::Info {
                continue;
            }
            let images = known.entry(finding.rule.name().to_owned()).or_default();
            let subjects = images
                .entry(fingerprint::image(&finding.image))
                .or_default();
            subjects.extend(fingerprint::subjects(finding));
        }
        Self {
            format: FORMAT,
            known,
        }
    }

    /// Reads a baseline; `file` names it in errors.
    ///
    /// # Errors
    ///
    /// [`BaselineError`] where the text is not the JSON of a baseline, or of another format number.
    pub fn parse(file: &str, text: &str) -> Result<Self, BaselineError> {
        let baseline: Self =
            serde_json::from_str(text).map_err(|error| BaselineError::Malformed {
                file: file.to_owned(),
                line: error.line(),
                column: error.column(),
                what: error.to_string(),
            })?;
        match baseline.format {
            FORMAT => Ok(baseline),
            found => Err(BaselineError::Format {
                file: file.to_owned(),
                found,
            }),
        }
    }

    /// The text of the baseline file. It is sorted and has one line for each detail, so that a diff shows what
    /// changed.
    #[must_use]
    pub fn text(&self) -> String {
        // Strings, numbers and maps with string keys are always JSON.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        text + "\n"
    }

    /// Removes the details of the baseline from the findings.
    pub fn apply(&self, audits: &mut [Audit]) -> Met {
        let mut met = Met::default();
        let mut left = self.known.clone();
        for audit in audits {
            audit
                .findings
                .retain_mut(|finding| !self.all_known(finding, &mut left, &mut met));
        }
        for (rule, images) in left {
            for (image, subjects) in images {
                let lines = subjects.into_iter();
                met.gone
                    .extend(lines.map(|subject| format!("{rule}: {image}: {subject}")));
            }
        }
        met
    }

    fn all_known(&self, finding: &mut Finding, left: &mut Known, met: &mut Met) -> bool {
        let rule = finding.rule.name();
        let image = fingerprint::image(&finding.image);
        if finding.severity == Severity::Info {
            return false;
        }
        let Some(known) = self.known.get(rule).and_then(|images| images.get(&image)) else {
            return false;
        };
        let mut still = left.get_mut(rule).and_then(|images| images.get_mut(&image));
        let mut is_known = |subject: &str| {
            if let Some(still) = &mut still {
                still.remove(subject);
            }
            let found = known.contains(subject);
            met.known += usize::from(found);
            found
        };
        if finding.details.is_empty() {
            return fingerprint::subjects(finding)
                .iter()
                .all(|subject| is_known(subject));
        }
        let before = finding.details.len();
        finding
            .details
            .retain(|detail| !is_known(&fingerprint::detail(detail)));
        if finding.more > 0 && is_known(fingerprint::MORE) {
            finding.more = 0;
        }
        let gone = before - finding.details.len();
        if gone > 0 {
            let text = format!(" ({} in the baseline)", count(gone, "is", "are"));
            finding.what.push_str(&text);
        }
        finding.details.is_empty() && finding.more == 0
    }
}
