//! `order`: position of the `.dist-info` files in a wheel.

use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::input_kind::InputKind;
use crate::read::wheel::Wheel;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Order,
    applies_to: &[InputKind::Wheel],
    severity: Severity::Info,
    summary: "the .dist-info files are at the end of the wheel",
    explanation: "No other file should come after the first file of the .dist-info folder. The \
          specification only recommends this, so findings are notes.",
    rationale: "Tools that look at a wheel over the network read its end, which has the list of \
          entries. One request is enough if METADATA is next to it. Also, the description of the \
          files can then be replaced without rewriting the wheel.",
    remedy: "write the .dist-info files after all others, RECORD last",
    sources: &["PyPA: Binary distribution format, recommended archiver features"],
    checks: &[Check::Wheel(|contents, _| {
        check(contents.wheel).into_iter().collect()
    })],
};

fn check(wheel: &Wheel<'_>) -> Option<Finding> {
    let folder = format!("{}/", wheel.dist_info()?);
    let mut entries: Vec<_> = wheel.entries.iter().collect();
    entries.sort_by_key(|entry| entry.zip.offset);
    let first = entries
        .iter()
        .position(|entry| entry.name.starts_with(&folder))?;
    let after: Vec<Detail> = entries[first..]
        .iter()
        .filter(|entry| !entry.name.starts_with(&folder))
        .map(|entry| Detail::named(&entry.name))
        .collect();
    (!after.is_empty()).then(|| {
        let entries = count(after.len(), "entry", "entries");
        let what = format!("has {entries} after its first .dist-info file");
        RULE.finding(Severity::Info, &wheel.name, what).about(after)
    })
}
