//! `names`: paths in a wheel that are unsafe to unpack.

use std::collections::BTreeMap;

use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::input_kind::InputKind;
use crate::read::wheel::Wheel;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Names,
    applies_to: &[InputKind::Wheel],
    severity: Severity::Error,
    summary: "every file of a wheel unpacks to a place of its own inside it",
    explanation: "The paths of a wheel's entries must not be absolute, and must not have `..`, a \
          backslash or a control character. Entries must not be symbolic links, and no two paths \
          may be equal when case is ignored.",
    rationale: "An absolute path or `..` writes outside the environment. If two names are equal, \
          or differ only in case, the installer and the file system decide which file is \
          installed.",
    remedy: "rename or remove the entries",
    sources: &[
        "PyPA: Binary distribution format",
        "PKWARE: APPNOTE.TXT 4.4.17, file name",
    ],
    checks: &[Check::Wheel(|contents, _| {
        check(contents.wheel).into_iter().collect()
    })],
};

fn check(wheel: &Wheel<'_>) -> Option<Finding> {
    let mut by_folded: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut unsafe_names = Vec::new();
    for entry in &wheel.entries {
        by_folded
            .entry(entry.name.to_lowercase())
            .or_default()
            .push(&entry.name);
        if let Some(note) = problem(&entry.name) {
            unsafe_names.push(Detail::new(&entry.name, note));
        } else if entry.mode.is_some_and(|mode| mode & 0o170_000 == 0o120_000) {
            unsafe_names.push(Detail::new(&entry.name, "a symbolic link"));
        }
    }
    for (folded, names) in &by_folded {
        // A file `a` conflicts with an entry `a/b`, for which `a` must be a folder.
        if by_folded
            .range(format!("{folded}/")..)
            .next()
            .is_some_and(|(next, _)| next.starts_with(&format!("{folded}/")))
        {
            unsafe_names.push(Detail::new(names[0], "a file and a folder"));
        }
        for pair in names.windows(2) {
            unsafe_names.push(if pair[0] == pair[1] {
                Detail::new(pair[1], "listed more than once")
            } else {
                Detail::new(pair[1], format!("differs from {} in case only", pair[0]))
            });
        }
    }
    (!unsafe_names.is_empty()).then(|| {
        let what = format!(
            "has {} unsafe to unpack",
            count(unsafe_names.len(), "entry", "entries")
        );
        RULE.finding(Severity::Error, &wheel.name, what)
            .about(unsafe_names)
    })
}

/// Returns whether Windows opens a device of this name, whatever its suffix.
fn is_a_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).to_ascii_lowercase();
    let numbered = |prefix: &str| {
        let rest = stem.strip_prefix(prefix);
        rest.is_some_and(|rest| matches!(rest.as_bytes(), [b'1'..=b'9']))
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

/// Returns whether Windows changes this name when it creates the file. `.` and `..` are reported for another reason.
fn is_trimmed(part: &str) -> bool {
    part.contains(':') || part.ends_with(' ') || part.ends_with('.') && ![".", ".."].contains(&part)
}

/// Defect of a path by itself.
fn problem(name: &str) -> Option<&'static str> {
    let drive = name.as_bytes().get(1) == Some(&b':');
    if name.starts_with('/') || drive {
        Some("absolute")
    } else if name.contains('\\') {
        Some("contains a backslash")
    } else if name.chars().any(char::is_control) {
        Some("contains a control character")
    } else if name.split('/').any(is_a_device) {
        Some("a device of Windows")
    } else if name.split('/').any(is_trimmed) {
        Some("ends in a dot or space, which Windows leaves out, or has a `:`, which names a stream")
    } else if name
        .split('/')
        .any(|part| part == ".." || part == "." || part.is_empty())
    {
        Some("contains an empty, `.` or `..` component")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_paths_are_recognized() {
        for name in [
            "/etc/passwd",
            "C:/x",
            "a\\b",
            "../x",
            "a/../b",
            "a//b",
            "a/./b",
            "a\0",
            "a\nb",
            "pkg/aux.py",
            "pkg/COM1",
            "a./b",
            "a ",
            "a:b/c",
            "pkg/a.py:stream",
        ] {
            assert!(problem(name).is_some(), "{name}");
        }
        for name in [
            "a/b.py",
            "..a/b",
            "a.dist-info/RECORD",
            "a/b..c",
            "auxiliary.py",
            "com10",
        ] {
            assert_eq!(problem(name), None, "{name}");
        }
    }
}
