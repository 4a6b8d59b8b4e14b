//! `duplicates`: large files that are in a wheel twice.

use std::collections::BTreeMap;

use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::input_kind::InputKind;
use crate::read::wheel::Entry;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;
use crate::wheel_scan::{EntryScan, WheelContents};

pub(super) const RULE: Rule = Rule {
    id: RuleId::Duplicates,
    applies_to: &[InputKind::Wheel],
    severity: Severity::Warning,
    summary: "no large file is in a wheel twice",
    explanation: "Finds files of 4096 bytes and more with the same contents.",
    rationale: "A wheel has no links, so a library under its name and its SONAME, or a header in \
          two places, is downloaded and installed twice. For the loader, two copies of one \
          library under two names are two libraries.",
    remedy: "ship the file once, under the name that others need it by",
    sources: &["PyPA: Binary distribution format; zlib's CRC-32, confirmed byte by byte"],
    checks: &[Check::Wheel(|contents, _| {
        check(contents).into_iter().collect()
    })],
};

/// The minimum size for a finding. Small equal files are common and cost nothing: licences, empty packages, markers.
const SMALLEST: u64 = 4096;

fn check(contents: &WheelContents<'_>) -> Option<Finding> {
    let mut by_sum: BTreeMap<(u64, u32), Vec<(&Entry<'_>, &EntryScan)>> = BTreeMap::new();
    for (entry, seen) in contents.entries() {
        if entry.zip.size >= SMALLEST && !entry.zip.unread {
            let key = (entry.zip.size, entry.zip.crc);
            by_sum.entry(key).or_default().push((entry, seen));
        }
    }
    let mut more = 0;
    let mut twice = Vec::new();
    for mut entries in by_sum.into_values() {
        entries.sort_by_key(|(entry, _)| &entry.name);
        let ((first, first_seen), rest) = entries.split_first()?;
        for (entry, seen) in rest {
            if seen.sum == first_seen.sum {
                more += entry.zip.size;
                let note = format!("{} bytes, the same as {}", entry.zip.size, first.name);
                twice.push(Detail::new(&entry.name, note));
            }
        }
    }
    (!twice.is_empty()).then(|| {
        let files = count(twice.len(), "file", "files");
        let what = format!("has {files} a second time, {more} bytes");
        RULE.finding(Severity::Warning, &contents.wheel.name, what)
            .about(twice)
    })
}
