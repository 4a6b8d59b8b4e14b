//! `cfi`: marks of control-flow integrity.

use crate::finding::{Finding, Severity};
use crate::image::Image;
use crate::image_facts::Format;
use crate::input_kind::InputKind;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Cfi,
    applies_to: &[InputKind::Elf, InputKind::Pe],
    severity: Severity::Info,
    summary: "jumps and returns are checked",
    explanation: "Reports the marks of code that was compiled for checked jumps and returns: the \
          notes IBT and SHSTK (x86) and BTI and PAC (Arm), Control Flow Guard and CETCOMPAT on \
          Windows. A note, because one object without the mark removes it from the image. Macs \
          have the mark only for arm64e, for which there are no wheels.",
    rationale: "One image without the mark disables the check in the whole process (IBT, SHSTK, \
          BTI), or leaves its own jumps unchecked (Control Flow Guard).",
    remedy: "compile everything with -fcf-protection (x86) or -mbranch-protection=standard (Arm), \
          assembly included; on Windows with /guard:cf and /CETCOMPAT",
    sources: &[
        "Linux Extensions to gABI: GNU_PROPERTY_X86_FEATURE_1_AND",
        "ELF for the Arm 64-bit Architecture: GNU_PROPERTY_AARCH64_FEATURE_1_AND",
        "Microsoft: PE Format, DLL Characteristics, Extended DLL Characteristics",
    ],
    checks: &[Check::LinkedImage(|image, _| check(image))],
};

fn check(image: &Image<'_>) -> Vec<Finding> {
    let hardening = &image.facts.hardening;
    let returns = hardening.shadow_stack == Some(false);
    let found: Vec<&str> = match image.facts.format {
        // Few compilers are configured for it, and one archive without the mark removes it.
        Format::Elf => {
            let jumps = hardening.landing_pads == Some(false);
            Vec::from_iter(match (jumps, returns) {
                (true, true) => {
                    Some("is not marked for checked jumps (IBT, BTI) and returns (SHSTK, PAC)")
                }
                (true, false) => Some("is not marked for checked jumps (IBT, BTI)"),
                (false, true) => Some("is not marked for checked returns (SHSTK, PAC)"),
                (false, false) => None,
            })
        }
        Format::MachO => Vec::new(),
        Format::Pe => {
            let calls = hardening.control_flow_guard == Some(false);
            let calls = calls.then_some("does not check its indirect calls: no Control Flow Guard");
            let returns = returns.then_some("is not marked for shadow stacks: no CETCOMPAT");
            calls.into_iter().chain(returns).collect()
        }
    };
    found
        .into_iter()
        .map(|what| RULE.finding(Severity::Info, image.facts.name, what))
        .collect()
}
