//! `duplicates`: no file is in a wheel twice.

use std::collections::BTreeMap;

use super::count;
use crate::read::wheel::Entry;
use crate::wheel_scan::{Contents, Seen};
use crate::{Finding, Offender, Rule, RuleId, Severity, Subject};

pub(crate) const RULE: Rule = Rule {
    title: "no large file is in a wheel twice",
    applies: &[Subject::Wheel],
    why: "A wheel has no links, so that a library under its name and its SONAME, or a header in two \
          places, is downloaded and installed twice; and two copies of one library under two names \
          are two libraries to the loader.",
    fix: "ship the file once, under the name that others need it by",
};

/// Smaller ones cost nothing: licences, empty packages, markers.
const SMALLEST: u64 = 4096;

pub(crate) fn check(contents: &Contents<'_>) -> Option<Finding> {
    let mut by_sum: BTreeMap<(u64, u32), Vec<(&Entry<'_>, &Seen)>> = BTreeMap::new();
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
                twice.push(Offender::new(&entry.name, note));
            }
        }
    }
    (!twice.is_empty()).then(|| {
        let files = count(twice.len(), "file", "files");
        let what = format!("has {files} a second time, {more} bytes");
        Finding::new(
            RuleId::Duplicates,
            Severity::Warning,
            &contents.wheel.name,
            what,
        )
        .about(twice)
    })
}
