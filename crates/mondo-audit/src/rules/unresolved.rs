//! `unresolved`: every name that an image takes from others is there to be taken.

use std::collections::HashMap;

use super::{
    count,
    needed::{is_libc, provides},
};
use crate::{Finding, Image, Import, Offender, Role, Rule, RuleId, Severity};

pub(crate) const RULE: Rule = Rule {
    title: "every undefined symbol has a definition",
    why: "A shared library links with undefined symbols and fails at import, or, worse, is given \
          whatever some other package of the process exports under that name. A reference that \
          names no version takes any.",
    fix: "link against the library that defines the symbol, with `-z defs` for libraries, so that \
          the reference carries its version",
};

/// Where one import comes from.
enum Source {
    /// From an image of the set, libc, the interpreter, or nowhere if it is weak.
    Known,
    /// From a library that is not in the set, so that nothing can be said.
    Outside,
    /// From nowhere, or from a definition of another version.
    Wrong(String),
}

pub(crate) fn check(image: &Image<'_>, set: &[Image<'_>]) -> Vec<Finding> {
    if image.role == Role::Other {
        return Vec::new();
    }
    // Only what the image can reach counts: itself and what it needs of the set.
    let reachable = reachable(image, set);
    let mut exports: HashMap<&str, Vec<(&Image<'_>, Option<&str>)>> = HashMap::new();
    for &other in &reachable {
        for export in &other.facts.exports {
            exports
                .entry(export.name)
                .or_default()
                .push((other, export.version));
        }
    }
    let leaves_set = reachable.iter().any(|other| {
        let known = |library: &str| is_libc(library) || set.iter().any(|i| provides(i, library));
        other.facts.needed.iter().any(|library| !known(library))
    });

    let mut wrong = Vec::new();
    let mut outside = Vec::new();
    for import in &image.facts.imports {
        let definitions = exports.get(import.name).map_or(&[][..], Vec::as_slice);
        match source(image, import, definitions, set, leaves_set) {
            Source::Known => {}
            Source::Outside => outside.push(Offender::named(import.name)),
            Source::Wrong(note) => wrong.push(Offender::new(import.name, note)),
        }
    }
    let mut findings = Vec::new();
    if !wrong.is_empty() {
        let what = format!(
            "{} without a fitting definition",
            count(wrong.len(), "symbol", "symbols")
        );
        findings.push(
            Finding::new(RuleId::Unresolved, Severity::Error, image.facts.name, what).about(wrong),
        );
    }
    if !outside.is_empty() {
        let what = format!(
            "not checked: {} can only come from libraries that are not in the set",
            count(outside.len(), "symbol", "symbols")
        );
        findings.push(
            Finding::new(RuleId::Unresolved, Severity::Info, image.facts.name, what).about(outside),
        );
    }
    findings
}

/// The image and every image of the set that it needs, directly or not.
fn reachable<'s, 'a>(image: &'s Image<'a>, set: &'s [Image<'a>]) -> Vec<&'s Image<'a>> {
    let mut found = vec![image];
    let mut next = 0;
    while let Some(&current) = found.get(next) {
        next += 1;
        for library in &current.facts.needed {
            for other in set {
                if provides(other, library)
                    && !found.iter().any(|known| std::ptr::eq(*known, other))
                {
                    found.push(other);
                }
            }
        }
    }
    found
}

fn source(
    image: &Image<'_>,
    import: &Import<'_>,
    definitions: &[(&Image<'_>, Option<&str>)],
    set: &[Image<'_>],
    leaves_set: bool,
) -> Source {
    if let (Some(version), Some(library)) = (import.version, import.library) {
        // A library that is not in the set vouches for its versions when it is loaded: the loader
        // refuses one that lacks them. Whether it may be needed at all is the rule `needed`'s.
        if !set.iter().any(|other| provides(other, library)) {
            return Source::Known;
        }
        let found = definitions
            .iter()
            .any(|(other, defined)| provides(other, library) && *defined == Some(version));
        return if found || import.weak {
            Source::Known
        } else {
            Source::Wrong(format!("{library} does not define it under {version}"))
        };
    }
    let extension = matches!(image.role, Role::Extension { .. });
    if extension && is_python(import.name) {
        return Source::Known;
    }
    match definitions {
        [] if import.weak => Source::Known,
        [] if leaves_set => Source::Outside,
        [] => Source::Wrong("defined nowhere".to_owned()),
        _ if definitions.iter().any(|(_, version)| version.is_none()) => Source::Known,
        [(other, version), ..] => {
            let version = version.unwrap_or_default();
            Source::Wrong(format!(
                "names no version, but {} defines it under {version}",
                other.facts.name
            ))
        }
    }
}

/// Whether the interpreter defines it.
pub(crate) fn is_python(name: &str) -> bool {
    name.starts_with("Py") || name.starts_with("_Py")
}
