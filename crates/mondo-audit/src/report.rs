//! The audit as text for a terminal or a log, and as SARIF.

mod sarif;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::rules::count;
use crate::{Audit, Finding, ImageSummary, Offender, Severity};

pub use sarif::sarif;

/// How many offenders of one finding are printed; `--json` has them all.
const SHOWN: usize = 10;

/// The findings grouped by image, each rule explained once, and a summary as the last line.
#[must_use]
pub fn text(audit: &Audit) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_all(&mut out, audit);
    out
}

fn write_all(out: &mut String, audit: &Audit) -> std::fmt::Result {
    let mut explained = BTreeSet::new();
    let mut files: BTreeMap<&str, (Option<&ImageSummary>, Vec<&Finding>)> = BTreeMap::new();
    for image in audit.images.iter().rev() {
        files.entry(&image.name).or_default().0 = Some(image);
    }
    for finding in &audit.findings {
        files.entry(&finding.image).or_default().1.push(finding);
    }
    for (file, (image, findings)) in files {
        match image {
            Some(image) => write_image(out, image)?,
            None => writeln!(out, "{file}")?,
        }
        for finding in findings {
            write_finding(out, finding, explained.insert(finding.rule))?;
        }
        writeln!(out)?;
    }
    write!(
        out,
        "{}: {}, {}, {}, {}",
        if audit.failed() { "FAILED" } else { "passed" },
        count(audit.images.len(), "image", "images"),
        count(audit.count(Severity::Error), "error", "errors"),
        count(audit.count(Severity::Warning), "warning", "warnings"),
        count(audit.count(Severity::Info), "note", "notes"),
    )?;
    if let Some((major, minor)) = audit.floor().glibc() {
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
    for (family, held) in &image.floor.held {
        write!(out, ", {}_{}", family.prefix(), held.version)?;
    }
    if image.stripped {
        write!(out, ", stripped")?;
    }
    writeln!(out)
}

fn write_finding(out: &mut String, finding: &Finding, explain: bool) -> std::fmt::Result {
    writeln!(
        out,
        "  {}[{}]: {}",
        finding.severity.name(),
        finding.rule.name(),
        finding.what
    )?;
    if finding
        .others
        .iter()
        .any(|other| !finding.what.contains(other))
    {
        writeln!(out, "    with: {}", finding.others.join(", "))?;
    }
    for offender in finding.offenders.iter().take(SHOWN) {
        write_offender(out, offender)?;
    }
    if let Some(more) = finding
        .offenders
        .len()
        .checked_sub(SHOWN)
        .filter(|&more| more > 0)
    {
        writeln!(out, "      … and {more} more")?;
    }
    if explain {
        writeln!(out, "    why: {}", finding.rule.rule().why)?;
    }
    writeln!(out, "    fix: {}", finding.fix)
}

fn write_offender(out: &mut String, offender: &Offender) -> std::fmt::Result {
    write!(out, "    - {}", offender.name)?;
    if !offender.note.is_empty() {
        write!(out, " ({})", offender.note)?;
    }
    if let Some(offset) = offender.offset {
        write!(out, " at {offset:#x}")?;
    }
    if let Some(section) = &offender.section {
        write!(out, " in {section}")?;
    }
    if let Some(origin) = &offender.origin {
        write!(out, " from {origin}")?;
    }
    writeln!(out)
}
