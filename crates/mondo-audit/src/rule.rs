//! Shape of a rule: its texts, its sources, and its checks with the stage of the audit they run in.

use crate::finding::{Finding, Severity};
use crate::image::Image;
use crate::image_facts::Facts;
use crate::image_set::ImageSet;
use crate::input_kind::InputKind;
use crate::policy::Policy;
use crate::read::error::ReadError;
use crate::rule_id::RuleId;
use crate::wheel_scan::WheelContents;

/// A rule of the audit: identity, texts and checks.
#[derive(Debug)]
pub struct Rule {
    /// Stable name.
    pub id: RuleId,
    /// The kinds of input that the rule can report, sorted. The fixtures of the tests show a violation
    /// and a clean input of each.
    pub applies_to: &'static [InputKind],
    /// Highest severity of a finding about an image that [`Policy::images`] states nothing about. A
    /// stated expectation can raise a warning or a note to an error.
    pub severity: Severity,
    /// The requirement, in one line.
    pub summary: &'static str,
    /// The data that the rule reads, and the conditions under which it reports a finding.
    pub explanation: &'static str,
    /// The consequences of a violation.
    pub rationale: &'static str,
    /// The change that removes a finding.
    pub remedy: &'static str,
    /// The specifications, headers and manuals that the rule follows.
    pub sources: &'static [&'static str],
    /// The checks, each with the stage it runs in.
    pub(crate) checks: &'static [Check],
}

impl Rule {
    /// A finding of this rule about the file or image `image`, with the rule's remedy.
    pub(crate) fn finding(
        &self,
        severity: Severity,
        image: impl Into<String>,
        what: impl Into<String>,
    ) -> Finding {
        Finding {
            image: image.into(),
            severity,
            rule: self.id,
            what: what.into(),
            others: Vec::new(),
            details: Vec::new(),
            more: 0,
            fix: self.remedy,
        }
    }
}

/// Check over the bytes of one file. The images that the file is or contains come with their offsets.
pub(crate) type ByteCheck =
    Box<dyn Fn(&str, &[u8], &[(u64, &Facts<'_>)]) -> Vec<Finding> + Send + Sync>;

/// A check of a rule, by the stage of the audit that it runs in.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Check {
    /// Over the bytes of each file, while they are in memory. The policy makes the check once.
    Bytes(fn(&Policy) -> ByteCheck),
    /// Over each image by itself, objects and archives included.
    AnyImage(fn(&Image<'_>) -> Vec<Finding>),
    /// Over each library and program by itself.
    LinkedImage(fn(&Image<'_>, &Policy) -> Vec<Finding>),
    /// Over each library and program, by its index in the set that it is loaded with.
    MemberOfSet(fn(usize, &ImageSet<'_, '_>) -> Vec<Finding>),
    /// Over all images that are loaded into the interpreter's process.
    Libraries(fn(&[&Image<'_>], &Policy) -> Vec<Finding>),
    /// Over the images of each process: the interpreter's, and that of each program in a wheel.
    Process(fn(&[&Image<'_>]) -> Vec<Finding>),
    /// Over all images of a set that is too large for the stages `MemberOfSet`, `Libraries` and `Process`.
    OversizedSet(fn(&[Image<'_>]) -> Vec<Finding>),
    /// Over a wheel and its images.
    Wheel(fn(&WheelContents<'_>, &[Image<'_>]) -> Vec<Finding>),
    /// Over the files that could not be read.
    Unreadable(fn(&[(&str, ReadError)]) -> Vec<Finding>),
}
