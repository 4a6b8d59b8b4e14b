//! `unique`: no `STB_GNU_UNIQUE` symbol, and no weak export on macOS.

use super::count;
use crate::{Binding, Finding, Format, Image, Offender, Rule, RuleId, Subject};

pub(crate) const RULE: Rule = Rule {
    title: "no symbol is unique per process",
    applies: &[Subject::Elf, Subject::MachO],
    why: "The loader makes every image of the process share one definition of an STB_GNU_UNIQUE \
          symbol, even across RTLD_LOCAL and different versions of LLVM, and never unloads an image \
          that has one. g++ makes them of static locals and static members of inline functions and \
          templates. On macOS the same holds for every exported weak definition: the loader coalesces \
          them across all images, whatever the two-level namespace says.",
    fix: "compile with -fno-gnu-unique, or make the symbol local with the version script; on macOS \
          compile with -fvisibility=hidden -fvisibility-inlines-hidden, or link with an export list",
};

pub(crate) fn check(image: &Image<'_>) -> Option<Finding> {
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
    let unique: Vec<Offender> = dynamic
        .map(|export| Offender::named(&*export.name))
        .collect();
    (!unique.is_empty()).then(|| {
        let what = format!("exports {}", count(unique.len(), one, many));
        Finding::new(RuleId::Unique, image.severity(), image.facts.name, what).about(unique)
    })
}
