//! `textrel`: relocations in segments that are not writable.

use crate::finding::{Finding, Severity};
use crate::image::Image;
use crate::image_facts::Format;
use crate::input_kind::InputKind;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Textrel,
    applies_to: &[InputKind::Elf],
    severity: Severity::Error,
    summary: "code is never written to",
    explanation: "The dynamic segment must not announce relocations of read-only segments.",
    rationale: "Text relocations make the loader patch code pages. Processes can no longer share \
          these pages, and hardened systems refuse to load the image.",
    remedy: "compile everything with -fPIC and link with `-z text`, which names the object at \
          fault",
    sources: &["System V gABI, Dynamic Section: DT_TEXTREL, DF_TEXTREL"],
    checks: &[Check::LinkedImage(|image, _| {
        check(image).into_iter().collect()
    })],
};

fn check(image: &Image<'_>) -> Option<Finding> {
    let facts = &image.facts;
    (facts.format == Format::Elf && facts.text_relocations)
        .then(|| RULE.finding(Severity::Error, facts.name, "has relocations in its code"))
}
