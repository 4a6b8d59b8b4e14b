//! `needed`: needed libraries outside the system, the set and the list of the caller.

use std::collections::HashSet;

use crate::cpython::is_python_dll;
use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image_facts::Format;
use crate::image_set::ImageSet;
use crate::input_kind::InputKind;
use crate::library_lookup::is_system;
use crate::policy::Role;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Needed,
    applies_to: InputKind::IMAGES,
    severity: Severity::Warning,
    summary: "an image needs the system's libraries and its own companions only",
    explanation: "Each needed library must belong to the system (glibc, /usr/lib and \
          /System/Library on macOS, Windows or its Python), be in the set, or be allowed by the \
          caller.",
    rationale: "A library that is not in the wheel must be on the user's machine in a compatible \
          version. libstdc++ and libgcc, which manylinux allows, are shared with every other \
          package in the process. msvcp140.dll is part of neither Windows nor Python.",
    remedy: "link the library's static form, put the library into the wheel, or allow its name",
    sources: &[
        "System V gABI, Dynamic Section: DT_NEEDED; PEP 600",
        "Apple: mach-o/loader.h, dylib_command; Microsoft: PE Format, Import Directory Table",
    ],
    checks: &[Check::MemberOfSet(|at, set| {
        check(at, set).into_iter().collect()
    })],
};

/// Libraries outside the libc family that every manylinux tag allows: PEP 600 and the PEPs
/// before it list them. Sorted.
const MANYLINUX: &[&str] = &[
    "libGL.so.1",
    "libICE.so.6",
    "libSM.so.6",
    "libX11.so.6",
    "libXext.so.6",
    "libXrender.so.1",
    "libexpat.so.1",
    "libgcc_s.so.1",
    "libglib-2.0.so.0",
    "libgobject-2.0.so.0",
    "libgthread-2.0.so.0",
    "libstdc++.so.6",
    "libz.so.1",
];

fn check(at: usize, set: &ImageSet<'_, '_>) -> Option<Finding> {
    let image = &set.images[at];
    let format = image.facts.format;
    let extension = matches!(image.role, Role::Extension { .. });
    let allowed = |library: &str| match image.expect {
        Some(expect) => expect.needed.iter().any(|name| name == library),
        None => {
            format == Format::Elf && MANYLINUX.binary_search(&library).is_ok()
                || !set.providers.of(format, library).is_empty()
        }
    };
    let python = |library: &str| format == Format::Pe && extension && is_python_dll(library);
    let optional: HashSet<&str> = image.facts.optional.iter().copied().collect();
    let foreign: Vec<Detail> = image
        .facts
        .needed
        .iter()
        .filter(|library| !is_system(format, library) && !python(library) && !allowed(library))
        .map(|library| {
            let optional = optional.contains(library);
            Detail::new(*library, if optional { "may be missing" } else { "" })
        })
        .collect();
    (!foreign.is_empty()).then(|| {
        let system = match format {
            Format::Elf if image.expect.is_none() => "those that manylinux allows",
            Format::Elf => "the libc family",
            Format::MachO => "macOS's own",
            Format::Pe => "Windows's and Python's own",
        };
        let what = format!(
            "needs {} beside {system}",
            count(foreign.len(), "library", "libraries")
        );
        RULE.finding(image.severity(), image.facts.name, what)
            .about(foreign)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libraries_of_manylinux_can_be_searched_by_halves() {
        assert!(MANYLINUX.is_sorted());
    }
}
