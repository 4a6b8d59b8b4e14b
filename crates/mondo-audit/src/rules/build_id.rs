//! `build-id`: identity of an image for debuggers.

use crate::finding::{Finding, Severity};
use crate::image::Image;
use crate::image_facts::Format;
use crate::input_kind::InputKind;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::BuildId,
    applies_to: InputKind::IMAGES,
    severity: Severity::Warning,
    summary: "an image has a build-id",
    explanation: "An image must have a note with a build-id that is not empty, or an LC_UUID on \
          macOS. On Windows, a missing CodeView record with the GUID of a PDB file is a note.",
    rationale: "Debuggers, profilers and crash reports find an image's symbols by its build-id. \
          Without one, a stack trace from a user cannot be read.",
    remedy: "link with `--build-id`, on macOS without -no_uuid, on Windows with /DEBUG",
    sources: &[
        "elf.h: NT_GNU_BUILD_ID; GNU ld's manual: --build-id",
        "Apple: mach-o/loader.h, uuid_command",
        "Microsoft: PE Format, Debug Type: IMAGE_DEBUG_TYPE_CODEVIEW",
    ],
    checks: &[Check::LinkedImage(|image, _| {
        check(image).into_iter().collect()
    })],
};

fn check(image: &Image<'_>) -> Option<Finding> {
    let facts = &image.facts;
    let (severity, what) = match facts.format {
        Format::Elf => (image.severity(), "has no build-id"),
        Format::MachO => (image.severity(), "has no LC_UUID"),
        // A PDB file is optional, and few wheels are built with one.
        Format::Pe => {
            let what = "has no GUID for a debugger to find its PDB file by";
            (Severity::Info, what)
        }
    };
    let missing = facts.build_id.is_none();
    missing.then(|| RULE.finding(severity, facts.name, what))
}
