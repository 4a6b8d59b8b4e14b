//! `singleton`: registries and managed statics of LLVM and MLIR that exist in two images.

use crate::definitions::{Definitions, across, definitions, repeated};
use crate::finding::{Finding, Severity};
use crate::image::Image;
use crate::input_kind::InputKind;
use crate::llvm_statics::{registry, singleton};
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Singleton,
    applies_to: InputKind::IMAGES,
    severity: Severity::Error,
    summary: "each process-wide registry of LLVM and MLIR exists once",
    explanation: "Finds objects of LLVM and MLIR that must exist once in a process (pass \
          registries, managed statics) and that two images define, or one image twice. Only a \
          full symbol table has the hidden ones, so they cannot be found in a stripped image.",
    rationale: "A pass that is registered in one copy of the registry is unknown to the other. \
          Storage that was set up through one ManagedStatic is missing in the other (\"storage \
          uniquer isn't initialized\").",
    remedy: "link LLVM and MLIR into one image only, and let the others reach them through the C \
          API",
    sources: &["LLVM: include/llvm/Support/ManagedStatic.h, lib/IR/PassRegistry.cpp"],
    checks: &[Check::Process(check)],
};

fn check(images: &[&Image<'_>]) -> Vec<Finding> {
    let note = |name: &[u8]| singleton(name).unwrap_or_default();
    let definitions: Vec<Definitions<'_>> = images
        .iter()
        .map(|image| definitions(image, |name| singleton(name).is_some()))
        .collect();
    // The functions of one ManagedStatic's type may be repeated in an image, a registry may not.
    let nouns = ["registry", "registries"];
    let is_registry = |name: &[u8]| registry(name).is_some();
    let images_and_definitions = images.iter().zip(&definitions);
    let mut findings: Vec<Finding> = images_and_definitions
        .filter_map(|(image, found)| repeated(image, found, &RULE, nouns, is_registry, note))
        .collect();
    let nouns = ["process-wide object", "process-wide objects"];
    findings.extend(across(images, &definitions, &RULE, nouns, note));
    findings
}
