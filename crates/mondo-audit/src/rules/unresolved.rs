//! `unresolved`: every name that an image takes from others is there to be taken.

use std::collections::HashMap;

use super::{
    count,
    needed::{is_python_dll, is_system, provides},
};
use crate::{Facts, Finding, Format, Image, Import, Offender, Role, Rule, RuleId, Severity};

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
                .entry(&*export.name)
                .or_default()
                .push((other, export.version));
        }
    }
    let leaves_set = reachable.iter().any(|other| {
        let format = image.facts.format;
        let known =
            |library: &str| is_system(format, library) || set.iter().any(|i| provides(i, library));
        other.facts.needed.iter().any(|library| !known(library))
    });

    let mut wrong = Vec::new();
    let mut outside = Vec::new();
    for import in &image.facts.imports {
        let definitions = exports.get(import.name).map_or(&[][..], Vec::as_slice);
        match source(image, import, definitions, set, leaves_set) {
            Source::Known => {}
            Source::Outside => outside.push(Offender::named(called(import))),
            Source::Wrong(note) => wrong.push(Offender::new(called(import), note)),
        }
    }
    let mut findings = Vec::new();
    if !wrong.is_empty() {
        let what = format!(
            "{} without a fitting definition",
            count(wrong.len(), "symbol", "symbols")
        );
        findings.push(
            Finding::new(RuleId::Unresolved, image.severity(), image.facts.name, what).about(wrong),
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
    if image.facts.format != Format::Elf
        && let Some(library) = import.library
    {
        return from_library(import, library, set);
    }
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
    // A library that extensions share is loaded by Python as well.
    let is_extension = |image: &Image<'_>| matches!(image.role, Role::Extension { .. });
    let in_python = is_extension(image) || image.expect.is_none() && set.iter().any(is_extension);
    if in_python && is_python(import.name) {
        return Source::Known;
    }
    match definitions {
        [] if import.weak => Source::Known,
        [] if leaves_set || has_unseen_names(&image.facts) => Source::Outside,
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

/// Mach-O's libraries of the system are not in the set, and an image that searches all of them for
/// a name takes it from any. (ELF's are told by the version that the name has.)
fn has_unseen_names(facts: &Facts<'_>) -> bool {
    facts.format == Format::MachO
}

/// A name that just one library can give.
fn from_library(import: &Import<'_>, library: &str, set: &[Image<'_>]) -> Source {
    // As with versions: whether the library may be needed at all is the rule `needed`'s, and that it
    // has the name is the loader's to find out.
    let mut given = set
        .iter()
        .filter(|other| provides(other, library))
        .peekable();
    if given.peek().is_none() || import.weak || is_python_dll(library) {
        return Source::Known;
    }
    if given.any(|other| offers(other, import, set, &mut Vec::new())) {
        Source::Known
    } else {
        Source::Wrong(format!("{library} does not export it"))
    }
}

/// Whether an image exports the name, or passes on a library that does or that is not known.
fn offers<'s>(
    image: &'s Image<'_>,
    import: &Import<'_>,
    set: &'s [Image<'_>],
    asked: &mut Vec<&'s str>,
) -> bool {
    let facts = &image.facts;
    if asked.contains(&facts.name) {
        return false;
    }
    asked.push(facts.name);
    if import.ordinal.is_some() {
        return facts.nameless_exports > 0 || !facts.exports.is_empty();
    }
    facts
        .exports
        .iter()
        .any(|export| export.name == import.name)
        || facts.reexported.iter().any(|library| {
            let mut known = set
                .iter()
                .filter(|other| provides(other, library))
                .peekable();
            known.peek().is_none() || known.any(|other| offers(other, import, set, asked))
        })
}

/// A name, or a number in place of one.
fn called(import: &Import<'_>) -> String {
    match import.ordinal {
        Some(ordinal) => format!("#{ordinal}"),
        None => import.name.to_owned(),
    }
}

/// Whether the interpreter defines it.
pub(crate) fn is_python(name: &str) -> bool {
    name.starts_with("Py") || name.starts_with("_Py")
}
