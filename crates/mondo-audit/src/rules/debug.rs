//! `debug-info`: debug information does not ship.

use crate::{Finding, Image, Rule, RuleId, Severity};

pub(crate) const RULE: Rule = Rule {
    title: "debug information does not ship",
    why: "It is most of an image's size, and names every file and type it was built from. Nobody but \
          a debugger reads it, which can as well read it from a file of its own.",
    fix: "strip the image (`strip --strip-debug`, `strip -S` on macOS, no `/Z7`), and keep the \
          debug information elsewhere; the build-id ties the two together",
};

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
