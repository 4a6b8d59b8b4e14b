//! `relro`: relocated data that stays writable.

use crate::finding::{Finding, Severity};
use crate::image::Image;
use crate::image_facts::Format;
use crate::input_kind::InputKind;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Relro,
    applies_to: &[InputKind::Elf],
    severity: Severity::Warning,
    summary: "relocated data is read-only after start",
    explanation: "The image must have a PT_GNU_RELRO header.",
    rationale: "Without PT_GNU_RELRO, vtables and the global offset table stay writable, and they \
          are the first targets of an exploit of a memory error.",
    remedy: "link with `-z relro`",
    sources: &["elf.h: PT_GNU_RELRO; GNU ld's manual: -z relro"],
    checks: &[Check::LinkedImage(|image, _| {
        check(image).into_iter().collect()
    })],
};

fn check(image: &Image<'_>) -> Option<Finding> {
    let facts = &image.facts;
    (facts.format == Format::Elf && !facts.relro)
        .then(|| RULE.finding(image.severity(), facts.name, "has no PT_GNU_RELRO"))
}
