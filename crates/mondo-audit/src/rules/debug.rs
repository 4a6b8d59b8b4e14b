//! `debug-info` and `symbols`: what only debuggers read does not ship.

use crate::{Finding, Image, Rule, RuleId, Severity, Subject};

pub(crate) const RULE: Rule = Rule {
    title: "debug information does not ship",
    applies: &[Subject::Elf, Subject::MachO, Subject::Pe, Subject::Unlinked],
    why: "It is most of an image's size, and names every file and type it was built from. Nobody but \
          a debugger reads it, which can as well read it from a file of its own.",
    fix: "strip the image (`strip --strip-debug`, `strip -S` on macOS, no `/Z7`), and keep the \
          debug information elsewhere; the build-id ties the two together",
};

pub(crate) const SYMBOLS: Rule = Rule {
    title: "the full symbol table does not ship",
    applies: Subject::IMAGES,
    why: "No loader reads it. It is often a tenth of an image, and says the names of all that is meant to \
          be hidden.",
    fix: "strip the image (`strip`, `strip -x` on macOS), and keep the unstripped one for debuggers and \
          for audits",
};

/// Images with a handful of symbols are not worth a word.
const FEW: usize = 100;

pub(crate) fn symbols(image: &Image<'_>) -> Option<Finding> {
    let facts = &image.facts;
    let number = image.symbols;
    let told = facts.kind.is_linked() && !facts.stripped && number > FEW;
    told.then(|| {
        let what = format!("ships a symbol table of {number} symbols");
        Finding::new(RuleId::Symbols, Severity::Info, facts.name, what)
    })
}

pub(crate) fn check(image: &Image<'_>) -> Option<Finding> {
    let facts = &image.facts;
    let severity = if facts.kind.is_linked() {
        Severity::Warning
    } else {
        Severity::Info
    };
    (facts.debug_info > 0).then(|| {
        let what = format!(
            "{} of its {} bytes are debug information",
            facts.debug_info, facts.file_size
        );
        Finding::new(RuleId::DebugInfo, severity, facts.name, what)
    })
}
