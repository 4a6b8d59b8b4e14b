//! `signature`: code signatures of macOS.

use crate::finding::{Finding, Severity};
use crate::image::Image;
use crate::image_facts::{Arch, Format};
use crate::input_kind::InputKind;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Signature,
    applies_to: &[InputKind::MachO],
    severity: Severity::Error,
    summary: "an image for Macs with arm64 is signed, and was not changed since",
    explanation: "An image for Macs with arm64 must have a signature; an ad-hoc signature is \
          enough. In every signed image, each page must have the hash that the signature states. \
          Certificates are not checked. Other Macs and Windows load images without a signature.",
    rationale: "Macs with arm64 run no image without a signature. Changing an image after it was \
          linked (install_name_tool, strip) removes or breaks the signature.",
    remedy: "run `codesign --force --sign -` after the last change",
    sources: &["Apple: TN3126, Inside Code Signing: Hashes; xnu: osfmk/kern/cs_blobs.h"],
    checks: &[Check::LinkedImage(|image, _| check(image))],
};

fn check(image: &Image<'_>) -> Vec<Finding> {
    let facts = &image.facts;
    if facts.format != Format::MachO {
        return Vec::new();
    }
    let required = matches!(facts.arch, Arch::Aarch64 | Arch::Arm64e);
    let mut findings = Vec::new();
    if required && facts.signature.is_none() {
        findings.push(RULE.finding(Severity::Error, facts.name, "has no signature"));
    }
    if facts.changed_pages > 0 {
        let severity = if required {
            Severity::Error
        } else {
            Severity::Warning
        };
        let what = "was changed after it was signed: not all of its pages have the hashes of its \
                    signature";
        findings.push(RULE.finding(severity, facts.name, what));
    }
    findings
}
