//! `zip`: the zip file is one that every reader understands alike, and that indexes take.

use super::count;
use crate::read::wheel::is_bomb;
use crate::{Finding, Offender, Rule, RuleId, Severity, Subject, Wheel};

pub(crate) const RULE: Rule = Rule {
    title: "the zip file is plain",
    applies: &[Subject::Wheel],
    why: "A zip file lists its contents twice. Where the lists differ, or bytes belong to neither, \
          one tool installs other files than the next one sees. PyPI refuses such files, any \
          compression but deflate, entries whose size follows them, and files that unpack to fifty \
          times their size.",
    fix: "write the wheel with Python's zipfile or a build backend, stored or deflated, to a file \
          and not to a stream",
};

pub(crate) fn check(wheel: &Wheel<'_>) -> Vec<Finding> {
    let error = |what: String| Finding::new(RuleId::Zip, Severity::Error, &wheel.name, what);
    let entries = wheel.entries.iter().flat_map(|entry| {
        let oddities = entry.zip.oddities.iter();
        oddities.map(|note| Offender::new(&entry.name, note.clone()))
    });
    let gaps = wheel.gaps.iter().map(|&offset| Offender {
        offset: Some(offset),
        ..Offender::new("bytes of no entry", "")
    });
    let odd: Vec<Offender> = entries.chain(gaps).collect();
    let mut findings = Vec::new();
    if !odd.is_empty() {
        let things = count(odd.len(), "thing", "things");
        findings.push(error(format!("has {things} that indexes refuse")).about(odd));
    }
    let sizes = wheel.entries.iter().map(|entry| entry.zip.size);
    let size = sizes.fold(0, u64::saturating_add);
    if is_bomb(size, wheel.file_size) {
        let ratio = size / wheel.file_size.max(1);
        let largest = wheel.entries.iter().max_by_key(|entry| entry.zip.size);
        let left = wheel.entries.iter().filter(|entry| entry.zip.unread);
        let what = format!("unpacks to {ratio} times its size, as a zip bomb does");
        let entries = largest.into_iter().chain(left).map(|entry| {
            let packed = if entry.zip.unread {
                ", not looked into"
            } else {
                ""
            };
            Offender::new(&entry.name, format!("{} bytes{packed}", entry.zip.size))
        });
        findings.push(error(what).about(entries));
    }
    findings
}
