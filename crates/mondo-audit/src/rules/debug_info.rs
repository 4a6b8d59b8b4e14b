//! `debug-info`: debug information in a file that ships.

use crate::finding::{Finding, Severity};
use crate::image::Image;
use crate::input_kind::InputKind;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::DebugInfo,
    applies_to: &[
        InputKind::Elf,
        InputKind::MachO,
        InputKind::Pe,
        InputKind::Unlinked,
    ],
    severity: Severity::Warning,
    summary: "debug information does not ship",
    explanation: "Finds sections of debug information: .debug_*, .zdebug_*, .stab*, the segment \
          __DWARF and the map to object files in a Mach-O symbol table. In objects and archives, \
          findings are notes.",
    rationale: "Debug information is most of an image's size, and names every file and type that \
          the image was built from. Only debuggers read it, and they can read it from a separate \
          file.",
    remedy: "strip the image (`strip --strip-debug`, `strip -S` on macOS, no `/Z7`), and keep the \
          debug information elsewhere; the build-id ties the two together",
    sources: &["DWARF 5; Microsoft: PE Format, .debug; Apple: mach-o/stab.h"],
    checks: &[Check::AnyImage(|image| check(image).into_iter().collect())],
};

fn check(image: &Image<'_>) -> Option<Finding> {
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
        RULE.finding(severity, facts.name, what)
    })
}
