//! `singleton`: registries and managed statics of LLVM and MLIR that exist in two images.

use crate::definitions::{Definitions, across, definitions, list_addresses};
use crate::finding::{Finding, Offender, Severity};
use crate::image::Image;
use crate::input_kind::InputKind;
use crate::llvm_statics::{registry, singleton};
use crate::plural::count;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Singleton,
    applies_to: InputKind::IMAGES,
    severity: Severity::Error,
    summary: "each process-wide registry of LLVM and MLIR exists once",
    explanation: "Objects of LLVM and MLIR that must exist once in a process (pass registries, \
          managed statics), defined by two images, or twice in one. Hidden ones show only in a \
          full symbol table: of a stripped image nothing is known.",
    rationale: "A pass registered in one copy of the registry is unknown to the other; storage set \
          up through one ManagedStatic is missing in the next (\"storage uniquer isn't \
          initialized\").",
    remedy: "link LLVM and MLIR into one image only, and let the others reach them through the C \
          API",
    sources: &["LLVM: include/llvm/Support/ManagedStatic.h, lib/IR/PassRegistry.cpp"],
    checks: &[Check::Process(check)],
};

fn check(images: &[&Image<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let registries: Vec<Definitions<'_>> = images
        .iter()
        .map(|image| definitions(image, |name| singleton(name).is_some()))
        .collect();
    for (image, definitions) in images.iter().zip(&registries) {
        // Functions of one ManagedStatic's type may well be repeated; a registry may not.
        let twice: Vec<Offender> = definitions
            .iter()
            .filter(|(name, addresses)| addresses.len() > 1 && registry(name).is_some())
            .map(|(name, addresses)| {
                let what = singleton(name).unwrap_or_default();
                let note = format!("{what}, at {}", list_addresses(addresses));
                Offender::new(String::from_utf8_lossy(name), note)
            })
            .collect();
        if !twice.is_empty() {
            let what = format!(
                "defines {} more than once",
                count(twice.len(), "registry", "registries")
            );
            findings.push(
                RULE.finding(Severity::Error, image.facts.name, what)
                    .about(twice),
            );
        }
    }
    findings.extend(across(
        images,
        &registries,
        &RULE,
        ["process-wide object", "process-wide objects"],
        |name| singleton(name).unwrap_or_default(),
    ));
    findings
}
