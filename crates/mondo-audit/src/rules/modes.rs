//! `modes`: Unix modes of the entries of a wheel.

use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::input_kind::InputKind;
use crate::read::wheel::Wheel;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Modes,
    applies_to: &[InputKind::Wheel],
    severity: Severity::Error,
    summary: "every entry is a plain file that only its owner can change",
    explanation: "Checks the Unix modes of entries, if the archiver wrote any.",
    rationale: "A wheel that is unpacked with unzip, or into an image, keeps its modes. Anyone \
          can replace a file that everyone can write to, a set-user-ID file runs with its owner's \
          rights, and a file that others cannot read cannot be imported by them.",
    remedy: "write entries with the modes 0644 and 0755",
    sources: &["PKWARE: APPNOTE.TXT 4.4.15, external file attributes; sys/stat.h"],
    checks: &[Check::Wheel(|contents, _| check(contents.wheel))],
};

const FORMAT: u32 = 0o170_000;
const PLAIN: u32 = 0o100_000;
/// The rule `names` has symbolic links.
const LINK: u32 = 0o120_000;

fn check(wheel: &Wheel<'_>) -> Vec<Finding> {
    let mut wrong = Vec::new();
    let mut odd = Vec::new();
    for entry in &wheel.entries {
        let Some(mode) = entry.mode else {
            continue;
        };
        let (format, bits) = (mode & FORMAT, mode & 0o7777);
        let add = |list: &mut Vec<Detail>, what: &str| {
            list.push(Detail::new(&entry.name, format!("{bits:04o}: {what}")));
        };
        if ![0, PLAIN, LINK].contains(&format) {
            add(&mut wrong, "a folder, device, pipe or socket");
        }
        if bits & 0o7000 != 0 {
            add(&mut wrong, "set-user-ID, set-group-ID or sticky");
        }
        if format != LINK && bits & 0o002 != 0 {
            add(&mut odd, "everyone can write to it");
        }
        // No bits at all mean that the archiver did not say; installers take their own then.
        if format != LINK && bits != 0 && bits & 0o444 != 0o444 {
            add(&mut odd, "not everyone can read it");
        }
    }
    [(Severity::Error, wrong), (Severity::Warning, odd)]
        .into_iter()
        .filter(|(_, details)| !details.is_empty())
        .map(|(severity, details)| {
            let entries = count(details.len(), "entry", "entries");
            let what = format!("has {entries} with an unusual mode");
            RULE.finding(severity, &wheel.name, what).about(details)
        })
        .collect()
}
