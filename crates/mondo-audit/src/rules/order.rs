//! `order`: a wheel's description stands at its end.

use super::count;
use crate::{Finding, Offender, Rule, RuleId, Severity, Subject, Wheel};

pub(crate) const RULE: Rule = Rule {
    title: "the .dist-info files are at the end of the wheel",
    applies: &[Subject::Wheel],
    why: "Tools that look at a wheel over the network read its end, where the list of entries is: \
          METADATA beside it comes with the same request. And what describes the files can be \
          replaced without writing the wheel anew.",
    fix: "write the .dist-info files after all others, RECORD last",
};

pub(crate) fn check(wheel: &Wheel<'_>) -> Option<Finding> {
    let folder = format!("{}/", wheel.dist_info()?);
    let mut entries: Vec<_> = wheel.entries.iter().collect();
    entries.sort_by_key(|entry| entry.zip.offset);
    let first = entries
        .iter()
        .position(|entry| entry.name.starts_with(&folder))?;
    let after: Vec<Offender> = entries[first..]
        .iter()
        .filter(|entry| !entry.name.starts_with(&folder))
        .map(|entry| Offender::named(&entry.name))
        .collect();
    (!after.is_empty()).then(|| {
        let entries = count(after.len(), "entry", "entries");
        let what = format!("has {entries} after its first .dist-info file");
        Finding::new(RuleId::Order, Severity::Info, &wheel.name, what).about(after)
    })
}
