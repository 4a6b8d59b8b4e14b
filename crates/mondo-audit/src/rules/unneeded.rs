//! `unneeded`: a library that a wheel brings is needed by one of its images.

use super::{count, needed::needed_by_others};
use crate::{Finding, Image, ImageKind, Offender, Role, Rule, RuleId, Severity, Subject, Wheel};

pub(crate) const RULE: Rule = Rule {
    title: "a wheel brings no library that nothing needs",
    applies: &[Subject::Wheel],
    why: "A library that no image of the wheel needs is loaded by code (dlopen, ctypes) or by another \
          wheel, or not at all. In a folder of a repair tool it is left over: nobody but images that \
          were linked against it knows its name there.",
    fix: "take it out, or repair the wheel again from its unrepaired form",
};

/// Where auditwheel, delocate and delvewheel put what they copy.
const REPAIRED: &[&str] = &[".libs/", ".dylibs/"];

pub(crate) fn check(wheel: &Wheel<'_>, images: &[Image<'_>]) -> Vec<Finding> {
    // That they are too many is said by `format`.
    if images.len() > super::MOST_IMAGES {
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
        let offenders = names.into_iter().map(Offender::named);
        Finding::new(RuleId::Unneeded, severity, &wheel.name, what).about(offenders)
    })
    .collect()
}
