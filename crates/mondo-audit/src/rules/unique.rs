//! `unique`: `STB_GNU_UNIQUE` symbols, and weak exports on macOS.

use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::image_facts::{Binding, Format};
use crate::input_kind::InputKind;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Unique,
    applies_to: &[InputKind::Elf, InputKind::MachO],
    severity: Severity::Warning,
    summary: "no symbol is unique per process",
    explanation: "No dynamic symbol may be bound STB_GNU_UNIQUE, and no Mach-O image may export a \
          weak definition.",
    rationale: "The loader makes all images of the process share one definition of an \
          STB_GNU_UNIQUE symbol, even with RTLD_LOCAL and with different versions of LLVM, and \
          never unloads an image that has one. g++ creates them for static locals and static \
          members of inline functions and templates. On macOS, the loader merges every exported \
          weak definition across all images, in spite of the two-level namespace.",
    remedy: "compile with -fno-gnu-unique, or make the symbol local with the version script; on \
          macOS compile with -fvisibility=hidden -fvisibility-inlines-hidden, or link with an \
          export list",
    sources: &[
        "elf.h: STB_GNU_UNIQUE; GCC's manual: -fno-gnu-unique; dlopen(3)",
        "Apple: mach-o/loader.h, EXPORT_SYMBOL_FLAGS_WEAK_DEFINITION",
    ],
    checks: &[Check::LinkedImage(|image, _| {
        check(image).into_iter().collect()
    })],
};

fn check(image: &Image<'_>) -> Option<Finding> {
    let (shared, one, many) = match image.facts.format {
        Format::Elf => (
            Binding::Unique,
            "STB_GNU_UNIQUE symbol",
            "STB_GNU_UNIQUE symbols",
        ),
        Format::MachO => (
            Binding::Weak,
            "weak definition that the loader coalesces",
            "weak definitions that the loader coalesces",
        ),
        Format::Pe => return None,
    };
    let dynamic = image
        .facts
        .exports
        .iter()
        .filter(|export| export.binding == shared);
    let unique: Vec<Detail> = dynamic.map(|export| Detail::named(&*export.name)).collect();
    (!unique.is_empty()).then(|| {
        let what = format!("exports {}", count(unique.len(), one, many));
        RULE.finding(image.severity(), image.facts.name, what)
            .about(unique)
    })
}
