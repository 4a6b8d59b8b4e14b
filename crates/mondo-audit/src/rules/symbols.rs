//! `symbols`: full symbol table in an image that ships.

use crate::finding::{Finding, Severity};
use crate::image::Image;
use crate::input_kind::InputKind;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Symbols,
    applies_to: InputKind::IMAGES,
    severity: Severity::Info,
    summary: "the full symbol table does not ship",
    explanation: "Finds linked images whose full symbol table has more than 100 symbols, \
          including local ones. A note, because an audit needs an image with its symbols to see \
          every static.",
    rationale: "No loader reads this table. It is often a tenth of an image, and lists the names \
          of everything that is meant to be hidden.",
    remedy: "strip the image (`strip`, `strip -x` on macOS), and keep the unstripped one for \
          debuggers and for audits",
    sources: &[
        "System V gABI, Symbol Table; strip(1); Apple: mach-o/nlist.h; Microsoft: PE Format",
    ],
    checks: &[Check::AnyImage(|image| check(image).into_iter().collect())],
};

/// The number of symbols below which nothing is reported.
const FEW: usize = 100;

fn check(image: &Image<'_>) -> Option<Finding> {
    let facts = &image.facts;
    let number = image.symbols;
    let is_reported = facts.kind.is_linked() && !facts.stripped && number > FEW;
    is_reported.then(|| {
        let what = format!("ships a symbol table of {number} symbols");
        RULE.finding(Severity::Info, facts.name, what)
    })
}
