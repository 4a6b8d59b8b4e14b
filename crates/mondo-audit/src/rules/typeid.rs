//! `typeid`: statics of MLIR's `TypeID` that two images define.

use std::collections::{BTreeSet, HashSet};

use crate::definitions::{Definitions, across, definitions, repeated, shared};
use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::input_kind::InputKind;
use crate::llvm_statics::{Form, form};
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::TypeId,
    applies_to: InputKind::IMAGES,
    severity: Severity::Error,
    summary: "each TypeID is defined once in the process",
    explanation: "Finds MLIR's TypeIDs that two images define, in both forms: the weak data \
          object, and the hidden object of an explicit definition, which only a full symbol table \
          has. In a stripped image, the names in its strings are a hint.",
    rationale: "MLIR compares types by the address of a static. If that static exists twice, \
          isa<> is false for the same operation, casts fail, and a dialect is \"not registered\" \
          although it is.",
    remedy: "link the archive that defines these into one image only, and let the others reach it \
          through the C API",
    sources: &["MLIR: include/mlir/Support/TypeID.h"],
    checks: &[Check::Process(check)],
};

fn check(images: &[&Image<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let found: Vec<Definitions<'_>> = images
        .iter()
        .map(|image| definitions(image, |name| form(name).is_some()))
        .collect();
    let nouns = ["TypeID", "TypeIDs"];
    let note = |name: &[u8]| form(name).map_or("", Form::name);

    for (image, definitions) in images.iter().zip(&found) {
        findings.extend(repeated(image, definitions, &RULE, nouns, |_| true, note));
        if image.facts.stripped {
            let what = "not visible: stripped, so TypeIDs and other statics could not be counted";
            let mut finding = RULE.finding(Severity::Info, image.facts.name, what);
            finding.fix = "audit the unstripped link as well";
            findings.push(finding);
        }
    }

    findings.extend(across(images, &found, &RULE, nouns, note));
    findings.extend(hints(images));
    findings
}

/// Type names that a stripped image and another one both hold for `TypeID`'s fallback.
fn hints(images: &[&Image<'_>]) -> Vec<Finding> {
    if images.len() < 2 || !images.iter().any(|image| image.facts.stripped) {
        return Vec::new();
    }
    let names: Vec<Definitions<'_>> = images
        .iter()
        .map(|image| {
            let names = image.type_names.iter();
            names.map(|&name| (name, BTreeSet::new())).collect()
        })
        .collect();
    let stripped: HashSet<&str> = images
        .iter()
        .filter(|image| image.facts.stripped)
        .map(|image| image.facts.name)
        .collect();
    let named: Vec<(&str, &Definitions<'_>)> = images
        .iter()
        .map(|image| image.facts.name)
        .zip(&names)
        .collect();
    shared(&named)
        .into_iter()
        // A pair of images that both have full symbol tables is compared by the symbols instead.
        .filter(|(owners, _)| owners.iter().any(|owner| stripped.contains(owner.as_str())))
        .map(|(owners, names)| {
            let what = format!(
                "may define the TypeIDs of {} that {} too",
                count(names.len(), "type", "types"),
                match &owners[1..] {
                    [other] => format!("{other} defines"),
                    others => format!("{} define", others.join(", ")),
                }
            );
            let details = names
                .iter()
                .map(|name| Detail::named(String::from_utf8_lossy(name)));
            RULE.finding(Severity::Warning, &owners[0], what)
                .about(details)
                .with(owners[1..].iter().cloned())
        })
        .collect()
}
