//! `unresolved`: every name that an image takes from others is there to be taken.

use std::collections::{HashMap, HashSet};

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

pub(crate) fn check<'s>(image: &'s Image<'_>, set: &'s [Image<'_>]) -> Vec<Finding> {
    if image.role == Role::Other {
        return Vec::new();
    }
    // Only what the image can reach counts: itself and what it needs of the set.
    let reachable = reachable(image, set);
    let definitions = Definitions::of(&reachable);
    let missing = missing(image, set);
    let leaves_set = reachable.iter().any(|other| {
        let format = image.facts.format;
        let known =
            |library: &str| is_system(format, library) || set.iter().any(|i| provides(i, library));
        other.facts.needed.iter().any(|library| !known(library))
    });

    let mut wrong = Vec::new();
    let mut outside = Vec::new();
    for import in &image.facts.imports {
        let source = match import.library.and_then(|library| missing.get(library)) {
            Some(missing) => from_library(import, missing),
            None => source(image, import, &definitions, set, leaves_set),
        };
        match source {
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
    let mut known = HashSet::from([std::ptr::from_ref(image)]);
    let mut next = 0;
    while let Some(&current) = found.get(next) {
        next += 1;
        for library in &current.facts.needed {
            for other in set {
                if provides(other, library) && known.insert(std::ptr::from_ref(other)) {
                    found.push(other);
                }
            }
        }
    }
    found
}

fn source<'s>(
    image: &Image<'_>,
    import: &Import<'s>,
    definitions: &Definitions<'s, '_>,
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
            .under(import.name, Some(version))
            .iter()
            .any(|other| provides(other, library));
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
    match definitions.first.get(import.name) {
        None if import.weak => Source::Known,
        None if leaves_set || has_unseen_names(&image.facts) => Source::Outside,
        None => Source::Wrong("defined nowhere".to_owned()),
        _ if !definitions.under(import.name, None).is_empty() => Source::Known,
        Some((other, version)) => {
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
fn from_library(import: &Import<'_>, missing: &Missing<'_>) -> Source {
    let lacking = match (missing, import.ordinal) {
        (Missing::Unknown, _) => false,
        (Missing::Lacks { numbers, .. }, Some(_)) => *numbers,
        (Missing::Lacks { names, .. }, None) => names.contains(import.name),
    };
    match import.library {
        Some(library) if lacking && !import.weak => {
            Source::Wrong(format!("{library} does not export it"))
        }
        _ => Source::Known,
    }
}

/// Who defines what, looked up by name and by version: a crafted image can define one name as often
/// as another one asks for it.
#[derive(Default)]
struct Definitions<'s, 'a> {
    first: HashMap<&'s str, (&'s Image<'a>, Option<&'s str>)>,
    under: HashMap<(&'s str, Option<&'s str>), Vec<&'s Image<'a>>>,
}

impl<'s, 'a> Definitions<'s, 'a> {
    fn of(images: &[&'s Image<'a>]) -> Self {
        let mut found = Self::default();
        for &image in images {
            for export in &image.facts.exports {
                let name = &*export.name;
                found.first.entry(name).or_insert((image, export.version));
                let under = found.under.entry((name, export.version)).or_default();
                if !under.last().is_some_and(|last| std::ptr::eq(*last, image)) {
                    under.push(image);
                }
            }
        }
        found
    }

    fn under(&self, name: &'s str, version: Option<&'s str>) -> &[&'s Image<'a>] {
        self.under.get(&(name, version)).map_or(&[], Vec::as_slice)
    }
}

/// What a library of the set does not give of what is asked of it.
enum Missing<'s> {
    /// It is not in the set, or passes on one that is not.
    Unknown,
    Lacks {
        names: HashSet<&'s str>,
        numbers: bool,
    },
}

/// For an image whose imports name the library each: what of them that library does not have.
fn missing<'s>(image: &'s Image<'_>, set: &'s [Image<'_>]) -> HashMap<&'s str, Missing<'s>> {
    let mut asked: HashMap<&str, HashSet<&str>> = HashMap::new();
    if image.facts.format == Format::Elf {
        return HashMap::new();
    }
    for import in &image.facts.imports {
        if let Some(library) = import.library {
            asked.entry(library).or_default().insert(import.name);
        }
    }
    let missing = |(library, names)| (library, missing_in(library, names, set));
    asked.into_iter().map(missing).collect()
}

fn missing_in<'s>(library: &str, mut names: HashSet<&'s str>, set: &'s [Image<'_>]) -> Missing<'s> {
    // As with versions: whether the library may be needed at all is the rule `needed`'s, and that it
    // has the name is the loader's to find out.
    let given = |library: &str| -> Vec<&'s Image<'_>> {
        let all = set.iter();
        all.filter(|other| provides(other, library)).collect()
    };
    let mut waiting = given(library);
    if waiting.is_empty() || is_python_dll(library) {
        return Missing::Unknown;
    }
    let mut numbers = true;
    let mut seen = HashSet::new();
    while let Some(image) = waiting.pop() {
        let facts = &image.facts;
        if !seen.insert(std::ptr::from_ref(image)) {
            continue;
        }
        numbers &= facts.nameless_exports == 0 && facts.exports.is_empty();
        for export in &facts.exports {
            names.remove(&*export.name);
        }
        for library in &facts.reexported {
            let given = given(library);
            if given.is_empty() {
                return Missing::Unknown;
            }
            waiting.extend(given);
        }
    }
    Missing::Lacks { names, numbers }
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
