//! The audit as text for a terminal or a log, and as SARIF.

mod sarif;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

use crate::audit::{Audit, ImageSummary};
use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::rule_id::RuleId;

pub use sarif::sarif;

/// Most details of one finding that are printed; `--json` has them all.
const SHOWN: usize = 10;

/// Most findings of one rule that are printed; `--json` has them all. A wheel of some megabytes can have a broken image for
/// each hundred bytes.
const SHOWN_OF_A_RULE: usize = 100;

/// Number of images from which on a finding that they share is printed once.
const MANY: usize = 3;

/// The text report: the findings grouped by image, then those that many images share. Each rule is explained once,
/// and the last line is a summary.
#[must_use]
pub fn text(audit: &Audit) -> String {
    let mut report = Report::default();
    // Writing to a String cannot fail.
    let _ = report.write_all(audit);
    report.out
}

/// Text of the report, and the rule texts that are already in it.
#[derive(Default)]
struct Report {
    out: String,
    said: BTreeSet<&'static str>,
    /// Findings by rule, written or not.
    findings: BTreeMap<RuleId, usize>,
}

/// Findings that differ only in their image.
fn shared(audit: &Audit) -> Vec<Vec<&Finding>> {
    let mut alike: BTreeMap<_, Vec<&Finding>> = BTreeMap::new();
    for finding in audit
        .findings
        .iter()
        .filter(|finding| finding.others.is_empty())
    {
        let key = (
            finding.severity,
            finding.rule,
            &finding.what,
            &finding.details,
            finding.more,
        );
        alike.entry(key).or_default().push(finding);
    }
    let groups = alike.into_values();
    groups.filter(|group| group.len() >= MANY).collect()
}

impl Report {
    fn write_all(&mut self, audit: &Audit) -> std::fmt::Result {
        let shared = shared(audit);
        let said_below: HashSet<*const Finding> = shared
            .iter()
            .flatten()
            .map(|&finding| std::ptr::from_ref(finding))
            .collect();
        let mut files: BTreeMap<&str, (Option<&ImageSummary>, Vec<&Finding>)> = BTreeMap::new();
        for image in audit.images.iter().rev() {
            files.entry(&image.name).or_default().0 = Some(image);
        }
        for finding in &audit.findings {
            if !said_below.contains(&std::ptr::from_ref(finding)) {
                files.entry(&finding.image).or_default().1.push(finding);
            }
        }
        for (file, (image, findings)) in files {
            let findings: Vec<&Finding> = findings
                .into_iter()
                .filter(|finding| {
                    let written = self.findings.entry(finding.rule).or_default();
                    *written += 1;
                    *written <= SHOWN_OF_A_RULE
                })
                .collect();
            match image {
                Some(image) => write_image(&mut self.out, image)?,
                None if findings.is_empty() => continue,
                None => writeln!(self.out, "{file}")?,
            }
            for finding in findings {
                self.write_finding(finding, &[])?;
            }
            writeln!(self.out)?;
        }
        if !shared.is_empty() {
            writeln!(self.out, "many images")?;
            for group in &shared {
                let images: Vec<&str> = group.iter().map(|one| one.image.as_str()).collect();
                self.write_finding(group[0], &images)?;
            }
            writeln!(self.out)?;
        }
        for (rule, number) in &self.findings {
            if let Some(more @ 1..) = number.checked_sub(SHOWN_OF_A_RULE) {
                let findings = count(more, "finding", "findings");
                writeln!(
                    self.out,
                    "… and {findings} more of the rule `{}`",
                    rule.name()
                )?;
            }
        }
        write_summary(&mut self.out, audit)
    }

    fn write_finding(&mut self, finding: &Finding, images: &[&str]) -> std::fmt::Result {
        let (severity, rule) = (finding.severity.name(), finding.rule);
        writeln!(self.out, "  {severity}[{}]: {}", rule.name(), finding.what)?;
        let known = |other: &String| finding.what.contains(other);
        if !finding.others.iter().all(known) {
            writeln!(self.out, "    with: {}", finding.others.join(", "))?;
        }
        for detail in finding.details.iter().take(SHOWN) {
            write_detail(&mut self.out, detail)?;
        }
        write_rest(&mut self.out, finding.details.len() + finding.more)?;
        if !images.is_empty() {
            writeln!(
                self.out,
                "    in {}:",
                count(images.len(), "image", "images")
            )?;
            for image in images.iter().take(SHOWN) {
                writeln!(self.out, "      {image}")?;
            }
            write_rest(&mut self.out, images.len())?;
        }
        for (word, text) in [("why", rule.rule().rationale), ("fix", finding.fix)] {
            if self.said.insert(text) {
                writeln!(self.out, "    {word}: {text}")?;
            }
        }
        Ok(())
    }
}

fn write_rest(out: &mut String, length: usize) -> std::fmt::Result {
    match length.checked_sub(SHOWN) {
        Some(more) if more > 0 => writeln!(out, "      … and {more} more"),
        _ => Ok(()),
    }
}

fn write_summary(out: &mut String, audit: &Audit) -> std::fmt::Result {
    write!(
        out,
        "{}: {}, {}, {}, {}",
        match (audit.failed(), audit.count(Severity::Warning)) {
            (true, _) => "FAILED",
            (false, 0) => "passed",
            (false, _) => "WARNED",
        },
        count(audit.images.len(), "image", "images"),
        count(audit.count(Severity::Error), "error", "errors"),
        count(audit.count(Severity::Warning), "warning", "warnings"),
        count(audit.count(Severity::Info), "note", "notes"),
    )?;
    if let Some((major, minor)) = audit.minimum_versions().glibc() {
        write!(out, "; glibc {major}.{minor}")?;
    }
    writeln!(out)
}

fn write_image(out: &mut String, image: &ImageSummary) -> std::fmt::Result {
    let arch = image.arch.name(image.format);
    write!(
        out,
        "{}: {} bytes, {arch}, {} exports, {} imports",
        image.name, image.file_size, image.exports, image.imports
    )?;
    for (family, needed) in &image.minimum_versions.needed {
        write!(out, ", {}_{}", family.prefix(), needed.version)?;
    }
    if image.stripped {
        write!(out, ", stripped")?;
    }
    writeln!(out)
}

fn write_detail(out: &mut String, detail: &Detail) -> std::fmt::Result {
    write!(out, "    - {}", detail.name)?;
    if !detail.note.is_empty() {
        write!(out, " ({})", detail.note)?;
    }
    if let Some(offset) = detail.offset {
        write!(out, " at {offset:#x}")?;
    }
    if let Some(section) = &detail.section {
        write!(out, " in {section}")?;
    }
    if let Some(origin) = &detail.origin {
        write!(out, " from {origin}")?;
    }
    writeln!(out)
}
