//! `unique`: no `STB_GNU_UNIQUE` symbol.

use super::count;
use crate::{Binding, Finding, Image, Offender, Rule, RuleId};

pub(crate) const RULE: Rule = Rule {
    title: "no symbol is unique per process",
    why: "The loader makes every image of the process share one definition of an STB_GNU_UNIQUE \
          symbol, even across RTLD_LOCAL and different versions of LLVM, and never unloads an image \
          that has one. g++ makes them of static locals and static members of inline functions and \
          templates.",
    fix: "compile with -fno-gnu-unique, or make the symbol local with the version script",
};

pub(crate) fn check(image: &Image<'_>) -> Option<Finding> {
    let dynamic = image
        .facts
        .exports
        .iter()
        .filter(|export| export.binding == Binding::Unique);
    let unique: Vec<Offender> = dynamic.map(|export| Offender::named(export.name)).collect();
    (!unique.is_empty()).then(|| {
        let what = format!(
            "exports {}",
            count(
                unique.len(),
                "STB_GNU_UNIQUE symbol",
                "STB_GNU_UNIQUE symbols"
            )
        );
        Finding::new(RuleId::Unique, image.severity(), image.facts.name, what).about(unique)
    })
}
