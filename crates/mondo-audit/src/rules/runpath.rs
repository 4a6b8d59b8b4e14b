//! `runpath`: search paths outside the folder of the image.

use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::image_facts::Format;
use crate::input_kind::InputKind;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Runpath,
    applies_to: &[InputKind::Elf, InputKind::MachO],
    severity: Severity::Error,
    summary: "libraries are searched for only next to the image",
    explanation: "Each entry of RPATH and RUNPATH must start at the image's own folder ($ORIGIN, \
          on macOS @loader_path). An empty entry means the current folder.",
    rationale: "An absolute search path names a folder of the build machine, where anyone may put \
          a library on the user's machine. RPATH also has priority over LD_LIBRARY_PATH, and \
          applies to everything that the image loads.",
    remedy: "link with --enable-new-dtags and `-rpath '$ORIGIN'` (or `$ORIGIN/…`), on macOS with \
          `-rpath @loader_path`, or without -rpath",
    sources: &[
        "System V gABI, Dynamic Section: DT_RPATH, DT_RUNPATH, Shared Object Dependencies",
        "ld.so(8): rpath token expansion; dyld(1): dynamic library loading",
    ],
    checks: &[Check::LinkedImage(|image, _| check(image))],
};

fn check(image: &Image<'_>) -> Vec<Finding> {
    let facts = &image.facts;
    let mut findings = Vec::new();
    // Mach-O has no other kind of search path.
    if facts.format == Format::Elf && !facts.rpath.is_empty() {
        // Tools that repair wheels (auditwheel) write `DT_RPATH` on purpose; the paths themselves are checked below.
        let severity = match image.expect {
            Some(_) => Severity::Error,
            None => Severity::Info,
        };
        let finding = RULE.finding(severity, facts.name, "has an RPATH");
        findings.push(finding.about([Detail::named(facts.rpath.join(":"))]));
    }
    let problem = match facts.format {
        Format::MachO => macho_problem,
        _ => problem,
    };
    let astray: Vec<Detail> = facts
        .rpath
        .iter()
        .chain(&facts.runpath)
        .filter_map(|path| problem(path).map(|(name, note)| Detail::new(name, note)))
        .collect();
    if !astray.is_empty() {
        let what = "searches for libraries outside its own folder";
        findings.push(
            RULE.finding(Severity::Error, facts.name, what)
                .about(astray),
        );
    }
    findings
}

/// Defect of one search path of a Mach-O image.
fn macho_problem(path: &str) -> Option<(&str, &'static str)> {
    let below = |start: &str| {
        path.strip_prefix(start)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if path.is_empty() {
        Some(("(empty)", "means the current folder"))
    } else if below("@loader_path") || path == "/usr/lib" || below("/usr/lib/swift") {
        None
    } else if below("@executable_path") {
        Some((path, "beside the program, which is Python"))
    } else if path.starts_with('/') {
        Some((path, "absolute"))
    } else {
        Some((path, "relative to the current folder"))
    }
}

/// Defect of one entry of a search path: the entry's name in the finding, and the defect.
fn problem(path: &str) -> Option<(&str, &'static str)> {
    if path.is_empty() {
        return Some(("(empty)", "means the current folder"));
    }
    let origin = ["$ORIGIN", "${ORIGIN}"]
        .iter()
        .find_map(|origin| path.strip_prefix(origin));
    match origin {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => None,
        _ if path.starts_with('/') => Some((path, "absolute")),
        _ => Some((path, "relative to the current folder")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_by_the_place_of_the_image_are_accepted() {
        assert_eq!(problem("$ORIGIN"), None);
        assert_eq!(problem("$ORIGIN/../lib"), None);
        assert_eq!(macho_problem("@loader_path/../lib"), None);
    }

    #[test]
    fn folders_by_the_current_folder_are_reported() {
        assert_eq!(
            problem("$ORIGINS"),
            Some(("$ORIGINS", "relative to the current folder"))
        );
        assert_eq!(problem(""), Some(("(empty)", "means the current folder")));
    }

    #[test]
    fn absolute_folders_are_reported() {
        assert_eq!(problem("/opt/lib"), Some(("/opt/lib", "absolute")));
        assert_eq!(
            macho_problem("/opt/homebrew/lib"),
            Some(("/opt/homebrew/lib", "absolute"))
        );
    }

    #[test]
    fn folders_by_the_place_of_the_interpreter_are_reported() {
        let beside_python = macho_problem("@executable_path/../lib");
        assert!(beside_python.is_some_and(|(_, note)| note.contains("Python")));
    }
}
