//! `shared-data`: variables that several images define and export.
//!
//! Compilers emit weak definitions for static members and static locals of inline functions and templates, and for
//! inline variables. Constants (vtables, type information) are not variables. Guard variables are not reported apart
//! from the variables that they guard.

use std::collections::{BTreeMap, HashMap};

use crate::definitions::shared;
use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::image_facts::{Binding, Format, Section, SymbolKind};
use crate::input_kind::InputKind;
use crate::llvm_statics::{form, singleton};
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::SharedData,
    applies_to: &[InputKind::Elf, InputKind::MachO],
    severity: Severity::Warning,
    summary: "a variable is defined in one image",
    explanation: "Finds weak and unique data in writable sections that two images of a process \
          export. TypeIDs and LLVM's registries have their own rules. Among the images of one \
          wheel, findings are notes. PE has no such symbols.",
    rationale: "Each image has a copy of an inline variable. Whether all images use the same copy \
          depends on the loader: on RTLD_GLOBAL, and on STB_GNU_UNIQUE; on macOS they always do. \
          Some images then see a registry that others do not, or the code of two packages shares \
          a variable that fits only one of them.",
    remedy: "define the variable in one source file of one library, or hide it \
          (-fvisibility-inlines-hidden) so that each image keeps its own",
    sources: &[
        "System V gABI, Symbol Table: STB_WEAK; elf.h: STB_GNU_UNIQUE",
        "Itanium C++ ABI, 5.2.1 and 5.2.2: vague linkage; Apple: Dynamic Library Programming",
    ],
    checks: &[Check::Libraries(|images, _| check(images))],
};

/// Sections of variables, by how their names start.
const VARIABLES: &[&str] = &[
    ".bss",
    ".data",
    ".tbss",
    ".tdata",
    ".lbss",
    ".ldata",
    "__bss",
    "__common",
    "__data",
    "__thread_",
];

fn check(images: &[&Image<'_>]) -> Vec<Finding> {
    if images.len() < 2 || images[0].facts.format == Format::Pe {
        return Vec::new();
    }
    let all: Vec<BTreeMap<&[u8], _>> = images.iter().map(|image| variables(image)).collect();
    let named: Vec<_> = images
        .iter()
        .map(|image| image.facts.name)
        .zip(&all)
        .collect();
    let known = images.iter();
    let packages: HashMap<&str, Option<&str>> = known
        .map(|image| (image.facts.name, image.package))
        .collect();
    shared(&named)
        .into_iter()
        .map(|(owners, names)| {
            let package_of = |owner: &String| packages.get(owner.as_str()).copied().flatten();
            let mut packages: Vec<Option<&str>> = owners.iter().map(package_of).collect();
            packages.dedup();
            let severity = match packages[..] {
                [Some(_)] => Severity::Info,
                _ => Severity::Warning,
            };
            let what = format!(
                "{} also defined in {}",
                count(names.len(), "variable", "variables"),
                count(owners.len() - 1, "other image", "other images")
            );
            let details = names
                .iter()
                .map(|name| Detail::named(String::from_utf8_lossy(name)));
            RULE.finding(severity, &owners[0], what)
                .about(details)
                .with(owners[1..].iter().cloned())
        })
        .collect()
}

/// Exported variables that the images of a process can share, by name.
fn variables<'i>(image: &'i Image<'_>) -> BTreeMap<&'i [u8], std::collections::BTreeSet<u64>> {
    let sections = image.facts.sections.iter();
    let mut loaded: Vec<_> = sections.filter(|section| section.address != 0).collect();
    loaded.sort_by_key(|section| section.address);
    let exports = image.facts.exports.iter();
    exports
        .filter(|export| matches!(export.binding, Binding::Weak | Binding::Unique))
        .filter(|export| matches!(export.kind, SymbolKind::Object | SymbolKind::Tls))
        .filter(|export| export.forwarded.is_none())
        .filter(|export| {
            let name = export.name.as_bytes();
            let is_reported = form(name).is_some() || singleton(name).is_some();
            !is_reported
                && !name.starts_with(b"_ZGV")
                && is_variable(&loaded, export.address, export.kind)
        })
        .map(|export| {
            (
                export.name.as_bytes(),
                std::iter::once(export.address).collect(),
            )
        })
        .collect()
}

/// Returns whether the object at this address is writable, by its section; the sections are sorted by address.
fn is_variable(loaded: &[&Section<'_>], address: u64, kind: SymbolKind) -> bool {
    if kind == SymbolKind::Tls {
        return true;
    }
    let after = loaded.partition_point(|section| section.address <= address);
    loaded[..after].last().is_some_and(|section| {
        !section.name.starts_with(".data.rel.ro")
            && VARIABLES
                .iter()
                .any(|start| section.name.starts_with(start))
    })
}
