//! `zip`: properties of the zip file that package indexes refuse.

use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::input_kind::InputKind;
use crate::read::wheel::Wheel;
use crate::read::zip::is_bomb;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Zip,
    applies_to: &[InputKind::Wheel],
    severity: Severity::Error,
    summary: "the zip file is plain",
    explanation: "Entries must be stored or deflated, without data descriptors and comments. Each \
          local header must match the central directory, and no byte may lie outside of both. A \
          wheel that unpacks to 64 MiB or more must not unpack to 50 times its size. The same \
          holds for METADATA, RECORD, WHEEL and each SBOM, if it is larger than 1 MiB.",
    rationale: "A zip file lists its contents twice. If the lists differ, or bytes belong to \
          neither, one tool installs other files than another sees. PyPI refuses such files, any \
          compression except deflate, entries whose size follows them, and files that unpack to \
          fifty times their size.",
    remedy: "write the wheel with Python's zipfile or a build backend, stored or deflated, to a \
          file and not to a stream",
    sources: &[
        "PKWARE: APPNOTE.TXT 4.3.7, 4.3.9, 4.3.12, 4.4.5",
        "PyPI's upload checks: warehouse/forklift/legacy.py, warehouse/utils/zipfiles.py",
    ],
    checks: &[Check::Wheel(|contents, _| check(contents.wheel))],
};

fn check(wheel: &Wheel<'_>) -> Vec<Finding> {
    let error = |what: String| RULE.finding(Severity::Error, &wheel.name, what);
    let entries = wheel.entries.iter().flat_map(|entry| {
        let oddities = entry.zip.oddities.iter();
        oddities.map(|note| Detail::new(&entry.name, note.clone()))
    });
    let gaps = wheel.gaps.iter().map(|&offset| Detail {
        offset: Some(offset),
        ..Detail::new("bytes of no entry", "")
    });
    let odd: Vec<Detail> = entries.chain(gaps).collect();
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
            Detail::new(&entry.name, format!("{} bytes{packed}", entry.zip.size))
        });
        findings.push(error(what).about(entries));
    }
    let swollen = wheel.entries.iter().filter(|entry| entry.zip.swollen_text);
    let swollen: Vec<Detail> = swollen
        .map(|entry| Detail::new(&entry.name, format!("{} bytes, not read", entry.zip.size)))
        .collect();
    if !swollen.is_empty() {
        let texts = count(swollen.len(), "text that unpacks", "texts that unpack");
        let what = format!("has {texts} to 50 times the packed size or more");
        findings.push(error(what).about(swollen));
    }
    findings
}
