//! `aslr`: images that cannot be loaded at any address.

use crate::finding::{Finding, Severity};
use crate::image::Image;
use crate::image_facts::Format;
use crate::input_kind::InputKind;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Aslr,
    applies_to: InputKind::IMAGES,
    severity: Severity::Warning,
    summary: "an image can be loaded anywhere",
    explanation: "An image must be loadable at any address: ET_DYN, MH_PIE for programs on macOS, \
          DYNAMICBASE on Windows, and HIGHENTROPYVA if it has 64 bits.",
    rationale: "If the system cannot choose an image's address, an attacker knows the addresses \
          of its code.",
    remedy: "compile with -fPIC or -fPIE and link with -pie; on Windows link with /DYNAMICBASE and \
          /HIGHENTROPYVA",
    sources: &[
        "System V gABI, ELF Header: e_type; Apple: mach-o/loader.h, MH_PIE",
        "Microsoft: PE Format, DLL Characteristics",
    ],
    checks: &[Check::LinkedImage(|image, _| check(image))],
};

fn check(image: &Image<'_>) -> Vec<Finding> {
    let hardening = &image.facts.hardening;
    let finding = |what: &str| vec![RULE.finding(image.severity(), image.facts.name, what)];
    match (image.facts.format, hardening.position_independent) {
        (Format::Elf | Format::MachO, Some(false)) => finding("is linked for one address"),
        (Format::Pe, Some(false)) => finding("is linked for one address: no DYNAMICBASE"),
        (Format::Pe, Some(true)) if hardening.high_entropy == Some(false) => {
            finding("is loaded into the lowest 4 GiB only: no HIGHENTROPYVA")
        }
        _ => Vec::new(),
    }
}
