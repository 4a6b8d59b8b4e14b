//! `soname`: SONAME of a library, and images that share one.

use std::collections::BTreeMap;

use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::image_facts::{Format, ImageKind};
use crate::input_kind::InputKind;
use crate::policy::Role;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Soname,
    applies_to: InputKind::IMAGES,
    severity: Severity::Error,
    summary: "a library has a SONAME of its own",
    explanation: "A library must have a SONAME (an install name on macOS, a file name on \
          Windows). It must be the expected one, must not be a path of the build machine, and \
          must be unique in the set. A note if no image needs that name and at most one of the \
          images exports anything.",
    rationale: "The loader identifies loaded libraries by SONAME. It never loads a second library \
          with the same SONAME; users of the second get the first. A library without a SONAME is \
          recorded in its users by the path that it was linked from.",
    remedy: "link with `-soname <name>`, a name that carries the private label",
    sources: &[
        "System V gABI, Dynamic Section: DT_SONAME; dlopen(3)",
        "Apple: mach-o/loader.h, LC_ID_DYLIB; Microsoft: Dynamic-link library search order",
    ],
    checks: &[Check::Libraries(|images, _| check(images))],
};

fn check(images: &[&Image<'_>]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = images.iter().filter_map(|image| check_one(image)).collect();
    let mut by_soname: BTreeMap<String, Vec<&Image<'_>>> = BTreeMap::new();
    for &image in images {
        if let Some(name) = known_by(image) {
            by_soname.entry(name).or_default().push(image);
        }
    }
    let all = images;
    for (soname, mut images) in by_soname {
        images.sort_by_key(|image| image.facts.name);
        if let [first, rest @ ..] = images.as_slice()
            && !rest.is_empty()
        {
            let what = format!(
                "shares its {} with {}",
                word(first.facts.format),
                count(rest.len(), "other image", "other images")
            );
            // Images whose name no other image needs are loaded by their paths. Nothing is hidden then where all
            // but one of them are empty.
            let needs_it = |image: &&Image<'_>| image.facts.needed.contains(&soname.as_str());
            let exporting = images.iter().filter(|image| exports(image)).count();
            let severity = if all.iter().any(needs_it) {
                Severity::Error
            } else if exporting <= 1 {
                Severity::Info
            } else {
                first.severity()
            };
            findings.push(
                RULE.finding(severity, first.facts.name, what)
                    .about([Detail::named(soname)])
                    .with(rest.iter().map(|image| image.facts.name.to_owned())),
            );
        }
    }
    findings
}

/// Key by which the loader identifies a loaded library.
fn known_by(image: &Image<'_>) -> Option<String> {
    match image.facts.format {
        Format::Elf | Format::MachO => image.facts.soname.map(str::to_owned),
        // Windows goes by the file's name, and asks for extensions by their path.
        Format::Pe => {
            (image.role == Role::Library).then(|| image.facts.file_name().to_ascii_lowercase())
        }
    }
}

fn exports(image: &Image<'_>) -> bool {
    !image.facts.exports.is_empty() || image.facts.nameless_exports > 0
}

fn check_one(image: &Image<'_>) -> Option<Finding> {
    if image.role != Role::Library || image.facts.kind != ImageKind::SharedLibrary {
        return None;
    }
    let expected = image.expect.and_then(|expect| expect.soname.as_deref());
    let what = match (image.facts.soname, expected) {
        (None, _) if image.facts.format == Format::Pe => return None,
        (None, _) => format!("a library without a {}", word(image.facts.format)),
        (Some(soname), Some(expected)) if soname != expected => {
            format!(
                "its {} is {soname} instead of {expected}",
                word(image.facts.format)
            )
        }
        (Some(soname), _) if is_astray(image.facts.format, soname) => {
            format!("its {} {soname} is a path", word(image.facts.format))
        }
        _ => return None,
    };
    Some(RULE.finding(Severity::Error, image.facts.name, what))
}

fn word(format: Format) -> &'static str {
    match format {
        Format::Elf => "SONAME",
        Format::MachO => "install name",
        Format::Pe => "name",
    }
}

/// Returns whether users of the library would look for it in a folder of its build machine.
///
/// `/DLC/` is not a folder: delocate puts names there that nobody else has.
fn is_astray(format: Format, soname: &str) -> bool {
    match format {
        Format::Elf => soname.contains('/'),
        Format::MachO => soname.starts_with('/') && !soname.starts_with("/DLC/"),
        Format::Pe => false,
    }
}
