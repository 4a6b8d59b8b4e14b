//! `unneeded`: libraries in a wheel that none of its images needs.

use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::image_facts::ImageKind;
use crate::image_set::MOST_IMAGES;
use crate::input_kind::InputKind;
use crate::library_lookup::needed_by_others;
use crate::policy::Role;
use crate::read::wheel::Wheel;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Unneeded,
    applies_to: &[InputKind::Wheel],
    severity: Severity::Warning,
    summary: "a wheel brings no library that nothing needs",
    explanation: "Finds shared libraries of a wheel that no image of the wheel lists as needed: a \
          warning in the folders that repair tools fill (.libs, .dylibs), else a note.",
    rationale: "A library that no image of the wheel needs is loaded by code (dlopen, ctypes) or \
          by another wheel, or not at all. In a folder of a repair tool it is a leftover: only \
          images that were linked against it know its name there.",
    remedy: "take it out, or repair the wheel again from its unrepaired form",
    sources: &["System V gABI, Dynamic Section: DT_NEEDED; PyPA: auditwheel, delocate, delvewheel"],
    checks: &[Check::Wheel(|contents, images| {
        check(contents.wheel, images)
    })],
};

/// Folders into which auditwheel, delocate and delvewheel copy libraries.
const REPAIRED: &[&str] = &[".libs/", ".dylibs/"];

fn check(wheel: &Wheel<'_>, images: &[Image<'_>]) -> Vec<Finding> {
    // The rule `format` reports the oversized set.
    if images.len() > MOST_IMAGES {
        return Vec::new();
    }
    let needed = needed_by_others(images.iter());
    let unneeded = images.iter().zip(needed).filter(|(image, needed)| {
        image.facts.kind == ImageKind::SharedLibrary
            && image.role == Role::Library
            && image.expect.is_none()
            && !needed
    });
    let (left_over, loaded): (Vec<_>, Vec<_>) = unneeded
        .map(|(image, _)| image.facts.name)
        .partition(|name| REPAIRED.iter().any(|folder| name.contains(folder)));
    [
        (Severity::Warning, left_over, "of a repair tool's folder"),
        (
            Severity::Info,
            loaded,
            "that its code or another wheel may load",
        ),
    ]
    .into_iter()
    .filter(|(_, names, _)| !names.is_empty())
    .map(|(severity, names, of)| {
        let libraries = count(names.len(), "library", "libraries");
        let what = format!("no image needs {libraries} {of}");
        let details = names.into_iter().map(Detail::named);
        RULE.finding(severity, &wheel.name, what).about(details)
    })
    .collect()
}
