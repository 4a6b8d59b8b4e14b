//! `unresolved`: undefined symbols without a definition.

use std::collections::{HashMap, HashSet};

use crate::cpython::{is_python, is_python_dll};
use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::image_facts::{Facts, Format, Import};
use crate::image_set::ImageSet;
use crate::input_kind::InputKind;
use crate::library_lookup::provides;
use crate::policy::Role;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Unresolved,
    applies_to: InputKind::IMAGES,
    severity: Severity::Warning,
    summary: "every undefined symbol has a definition",
    explanation: "Every undefined symbol of a library or extension must be defined by the image \
          whose version it names, by an image that it can reach, or by the interpreter.",
    rationale: "A shared library can be linked with undefined symbols. It then fails at import, \
          or, worse, gets what another package of the process exports under that name. A \
          reference without a version accepts any version.",
    remedy: "link against the library that defines the symbol, with `-z defs` for libraries, so \
          that the reference carries its version",
    sources: &[
        "System V gABI, Symbol Table: SHN_UNDEF",
        "LSB Core, Symbol Versioning: symbol resolution",
    ],
    checks: &[Check::MemberOfSet(check)],
};

/// The place where an import is defined.
enum Source {
    /// It is defined by an image of the set, by libc or by the interpreter, or it is weak and may stay undefined.
    Known,
    /// It may be defined by a library that is not in the set, so it cannot be checked.
    Outside,
    /// It is defined nowhere, or only under another version.
    Wrong(String),
}

fn check(at: usize, set: &ImageSet<'_, '_>) -> Vec<Finding> {
    let image = &set.images[at];
    if image.role == Role::Other {
        return Vec::new();
    }
    let reach = Reach::of(at, set);
    let missing = missing(image, set);

    let mut wrong = Vec::new();
    let mut outside = Vec::new();
    for import in &image.facts.imports {
        let source = match import.library.and_then(|library| missing.get(library)) {
            Some(missing) => from_library(import, missing),
            None => source(image, import, &reach, set),
        };
        match source {
            Source::Known => {}
            Source::Outside => outside.push(Detail::named(called(import))),
            Source::Wrong(note) => wrong.push(Detail::new(called(import), note)),
        }
    }
    let mut findings = Vec::new();
    if !wrong.is_empty() {
        let what = format!(
            "{} without a fitting definition",
            count(wrong.len(), "symbol", "symbols")
        );
        findings.push(
            RULE.finding(image.severity(), image.facts.name, what)
                .about(wrong),
        );
    }
    if !outside.is_empty() {
        let what = format!(
            "not checked: {} can only come from libraries that are not in the set",
            count(outside.len(), "symbol", "symbols")
        );
        findings.push(
            RULE.finding(Severity::Info, image.facts.name, what)
                .about(outside),
        );
    }
    findings
}

/// Images that one image can reach: itself and its direct and indirect dependencies in the set.
struct Reach {
    /// The position of each image of the set in a breadth-first search; `None` for images that are not reached.
    places: Vec<Option<usize>>,
    /// True if any of them needs a library that is not in the set.
    leaves_set: bool,
}

impl Reach {
    fn of(image: usize, set: &ImageSet<'_, '_>) -> Self {
        let mut found = vec![image];
        let mut places = vec![None; set.images.len()];
        places[image] = Some(0);
        let mut leaves_set = false;
        let mut next = 0;
        while let Some(&current) = found.get(next) {
            next += 1;
            let (needs, elsewhere) = &set.needs[current];
            leaves_set |= elsewhere;
            for &other in needs {
                if places[other].is_none() {
                    places[other] = Some(found.len());
                    found.push(other);
                }
            }
        }
        Self { places, leaves_set }
    }

    /// The reachable images that define the name under this version.
    fn under<'w>(
        &self,
        name: &'w str,
        version: Option<&'w str>,
        set: &'w ImageSet<'_, '_>,
    ) -> impl Iterator<Item = usize> {
        let found: Option<&'w Vec<usize>> = set.versions.get(&(name, version));
        let found = found.map_or(&[][..], Vec::as_slice).iter().copied();
        found.filter(|&other| self.places[other].is_some())
    }

    /// The first reachable image that defines the name, and a version under which it does.
    fn first<'w>(
        &self,
        name: &'w str,
        set: &'w ImageSet<'_, '_>,
    ) -> Option<(usize, Option<&'w str>)> {
        let found: Option<&'w Vec<(usize, Option<&'w str>)>> = set.definers.get(name);
        let found = found.map_or(&[][..], Vec::as_slice).iter().copied();
        found
            .filter_map(|one| Some((self.places[one.0]?, one)))
            .min_by_key(|found| found.0)
            .map(|(_, one)| one)
    }
}

fn source(image: &Image<'_>, import: &Import<'_>, reach: &Reach, set: &ImageSet<'_, '_>) -> Source {
    if let (Some(version), Some(library)) = (import.version, import.library) {
        // A library that is not in the set is not checked: when it is loaded, the loader refuses it if it lacks a
        // version. The rule `needed` decides if the library may be needed at all.
        if set.providers.of(image.facts.format, library).is_empty() {
            return Source::Known;
        }
        let found = reach
            .under(import.name, Some(version), set)
            .any(|other| provides(&set.images[other], library));
        return if found || import.weak {
            Source::Known
        } else {
            Source::Wrong(format!("{library} does not define it under {version}"))
        };
    }
    // A library that extensions of the set use is loaded into Python's process, so Python's symbols are defined for
    // it.
    let extension = matches!(image.role, Role::Extension { .. });
    let in_python = extension || image.expect.is_none() && set.extensions;
    if in_python && is_python(import.name) {
        return Source::Known;
    }
    match reach.first(import.name, set) {
        None if import.weak => Source::Known,
        None if reach.leaves_set || has_unseen_names(&image.facts) => Source::Outside,
        None => Source::Wrong("defined nowhere".to_owned()),
        _ if reach.under(import.name, None, set).next().is_some() => Source::Known,
        Some((other, version)) => {
            let version = version.unwrap_or_default();
            Source::Wrong(format!(
                "names no version, but {} defines it under {version}",
                set.images[other].facts.name
            ))
        }
    }
}

/// Returns whether a Mach-O image may get names from the system's libraries, which are not in the set: in the flat
/// namespace any of them may define a name. (In ELF such a name has a version, which tells its library.)
fn has_unseen_names(facts: &Facts<'_>) -> bool {
    facts.format == Format::MachO
}

/// The source of an import that names its library.
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

/// The imports from one library that the library does not export.
enum Missing<'s> {
    /// The library, or one that it re-exports, is not in the set, so its exports are unknown.
    Unknown,
    Lacks {
        names: HashSet<&'s str>,
        numbers: bool,
    },
}

/// For an image whose imports name their libraries: for each library, the imports that it lacks.
fn missing<'s>(image: &'s Image<'_>, set: &ImageSet<'_, '_>) -> HashMap<&'s str, Missing<'s>> {
    let mut wanted: HashMap<&str, HashSet<&str>> = HashMap::new();
    if image.facts.format == Format::Elf {
        return HashMap::new();
    }
    for import in &image.facts.imports {
        if let Some(library) = import.library {
            wanted.entry(library).or_default().insert(import.name);
        }
    }
    let format = image.facts.format;
    let missing = |(library, names)| (library, missing_in(format, library, names, set));
    wanted.into_iter().map(missing).collect()
}

fn missing_in<'s>(
    format: Format,
    library: &str,
    mut names: HashSet<&'s str>,
    set: &ImageSet<'_, '_>,
) -> Missing<'s> {
    // A library outside of the set is not checked: the rule `needed` decides if it may be needed, and the loader
    // checks that it has the name.
    let mut waiting = set.given(format, library);
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
            let before = waiting.len();
            waiting.extend(set.given(format, library));
            if waiting.len() == before {
                return Missing::Unknown;
            }
        }
    }
    Missing::Lacks { names, numbers }
}

/// The name of an import, or its ordinal.
fn called(import: &Import<'_>) -> String {
    match import.ordinal {
        Some(ordinal) => format!("#{ordinal}"),
        None => import.name.to_owned(),
    }
}
