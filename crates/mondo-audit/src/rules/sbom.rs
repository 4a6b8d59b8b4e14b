//! `sbom`: bills of materials of a wheel that bundles libraries.

use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::input_kind::InputKind;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;
use crate::wheel_scan::WheelContents;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Sbom,
    applies_to: &[InputKind::Wheel],
    severity: Severity::Error,
    summary: "bundled software is listed",
    explanation: "Every JSON document in sboms/ must be CycloneDX or SPDX. A wheel without a \
          document that has libraries in the folders of repair tools gets a note.",
    rationale: "Scanners find a vulnerable library in an environment through the documents of its \
          wheels. A library that was copied into a wheel without a document is in no list.",
    remedy: "put a CycloneDX or SPDX document into .dist-info/sboms/ (auditwheel 6.4 and later \
          writes one when it repairs a wheel)",
    sources: &["PEP 770; CycloneDX 1.6, SPDX 2.3 and 3.0"],
    checks: &[Check::Wheel(|contents, _| check(contents))],
};

fn check(contents: &WheelContents<'_>) -> Vec<Finding> {
    let wheel = contents.wheel;
    let Some(folder) = wheel.dist_info() else {
        return Vec::new();
    };
    let folder = format!("{folder}/sboms/");
    let mut findings = Vec::new();
    let mut documents = contents
        .entries()
        .filter(|(entry, _)| entry.name.starts_with(&folder))
        .peekable();
    let none = documents.peek().is_none();
    let mut broken = Vec::new();
    let mut unseen = Vec::new();
    for (entry, seen) in documents {
        if entry.name.ends_with(".json") {
            if entry.zip.unread {
                broken.push(Detail::new(&entry.name, "not read"));
            } else if let Some(note) = &seen.sbom {
                broken.push(Detail::new(&entry.name, note));
            }
        } else {
            unseen.push(Detail::named(&entry.name));
        }
    }
    let finding = |severity, what| RULE.finding(severity, &wheel.name, what);
    if !broken.is_empty() {
        let what = format!("has {}", count(broken.len(), "broken SBOM", "broken SBOMs"));
        findings.push(finding(Severity::Error, what).about(broken));
    }
    if !unseen.is_empty() {
        let what = format!(
            "not checked: {}",
            count(unseen.len(), "SBOM is not JSON", "SBOMs are not JSON")
        );
        findings.push(finding(Severity::Info, what).about(unseen));
    }
    let bundled: Vec<Detail> = wheel
        .entries
        .iter()
        .filter(|entry| is_bundled(&entry.name))
        .map(|entry| Detail::named(&entry.name))
        .collect();
    if none && !bundled.is_empty() {
        let libraries = count(bundled.len(), "library", "libraries");
        let what = format!("bundles {libraries} and has no SBOM");
        findings.push(finding(Severity::Info, what).about(bundled));
    }
    findings
}

/// Recognizes a path in a folder into which auditwheel, delocate and delvewheel copy libraries.
fn is_bundled(name: &str) -> bool {
    let mut folders = name.rsplit('/').skip(1);
    folders.any(|folder| folder.ends_with(".libs") || folder == ".dylibs")
}
