//! `unneeded`: a library that a wheel brings is needed by one of its images.

use super::{count, needed::provides};
use crate::{Finding, Image, ImageKind, Offender, Role, Rule, RuleId, Severity, Wheel};

pub(crate) const RULE: Rule = Rule {
    title: "a wheel brings no library that nothing needs",
    why: "A library that no image of the wheel needs is loaded by code (dlopen, ctypes) or by another \
          wheel, or not at all. In a folder of a repair tool it is left over: nobody but images that \
          were linked against it knows its name there.",
    fix: "take it out, or repair the wheel again from its unrepaired form",
};

/// Where auditwheel, delocate and delvewheel put what they copy.
const REPAIRED: &[&str] = &[".libs/", ".dylibs/"];

pub(crate) fn check(wheel: &Wheel, images: &[Image<'_>]) -> Vec<Finding> {
    let unneeded = images.iter().filter(|image| {
        image.facts.kind == ImageKind::SharedLibrary
            && image.role == Role::Library
            && image.expect.is_none()
            && !images.iter().any(|other| needs(other, image))
    });
    let (left_over, loaded): (Vec<_>, Vec<_>) = unneeded
        .map(|image| image.facts.name)
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

fn needs(other: &Image<'_>, image: &Image<'_>) -> bool {
    let needed = other.facts.needed.iter();
    !std::ptr::eq(other, image)
        && other.facts.format == image.facts.format
        && needed.copied().any(|library| provides(image, library))
}
