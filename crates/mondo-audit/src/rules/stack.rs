//! `stack`: executable stack.

use crate::finding::{Finding, Severity};
use crate::image::Image;
use crate::image_facts::Format;
use crate::input_kind::InputKind;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Stack,
    applies_to: InputKind::IMAGES,
    severity: Severity::Error,
    summary: "the stack is not executable",
    explanation: "The image must have a PT_GNU_STACK header that does not request execution. On \
          macOS it must not have MH_ALLOW_STACK_EXECUTION, on Windows it must have NXCOMPAT.",
    rationale: "One image that requests an executable stack makes every thread's stack in the \
          process executable, and newer systems refuse to load it with dlopen. One assembly file \
          without a `.note.GNU-stack` section is enough.",
    remedy: "link with `-z noexecstack`, and add `.section .note.GNU-stack,\"\",@progbits` to \
          assembly",
    sources: &[
        "elf.h: PT_GNU_STACK; execstack(8); glibc 2.41's release notes on dlopen",
        "Apple: mach-o/loader.h; Microsoft: PE Format, DLL Characteristics",
    ],
    checks: &[Check::LinkedImage(|image, _| {
        check(image).into_iter().collect()
    })],
};

fn check(image: &Image<'_>) -> Option<Finding> {
    let facts = &image.facts;
    let (severity, what) = match facts.format {
        Format::Elf => match facts.executable_stack {
            Some(true) => (Severity::Error, "asks for an executable stack"),
            None => {
                let what = "has no PT_GNU_STACK, which asks for an executable stack";
                (Severity::Error, what)
            }
            Some(false) => return None,
        },
        _ if facts.hardening.no_execute != Some(false) => return None,
        Format::MachO => (Severity::Error, "asks for an executable stack"),
        Format::Pe => {
            let what = "does not keep its data from being executed: no NXCOMPAT";
            (image.severity(), what)
        }
    };
    Some(RULE.finding(severity, facts.name, what))
}
