//! `bind-now`: lazy binding.

use crate::finding::{Finding, Severity};
use crate::image::Image;
use crate::image_facts::Format;
use crate::input_kind::InputKind;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::BindNow,
    applies_to: &[InputKind::Elf],
    severity: Severity::Info,
    summary: "all symbols are bound at load",
    explanation: "The dynamic segment must request that all symbols are bound at load.",
    rationale: "With lazy binding, a missing function fails at its first call instead of at \
          import, and the PLT's table stays writable even with RELRO.",
    remedy: "link with `-z now`",
    sources: &["System V gABI, Dynamic Section: DT_BIND_NOW, DF_BIND_NOW; elf.h: DF_1_NOW"],
    checks: &[Check::LinkedImage(|image, _| {
        check(image).into_iter().collect()
    })],
};

fn check(image: &Image<'_>) -> Option<Finding> {
    let facts = &image.facts;
    // CPython loads extensions with `RTLD_NOW` in any case.
    let severity = match image.expect {
        Some(_) => Severity::Error,
        None => Severity::Info,
    };
    (facts.format == Format::Elf && !facts.bind_now)
        .then(|| RULE.finding(severity, facts.name, "binds its symbols lazily"))
}
