//! `binding` on macOS and Windows, where a reference names its library. The load order still decides in three cases:
//! weak definitions on macOS, of which the loader keeps one; lookups in macOS' flat namespace; and DLLs of one name
//! on Windows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::cpython::is_python;
use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::image_facts::{Binding, Format};
use crate::library_lookup::Providers;
use crate::rule::Rule;

pub(super) fn check(rule: &Rule, images: &[&Image<'_>]) -> Vec<Finding> {
    match images.first().map(|image| image.facts.format) {
        Some(Format::MachO) => {
            let mut findings = coalesced(rule, images);
            findings.extend(flat(rule, images));
            findings
        }
        Some(Format::Pe) => {
            let providers = Providers::new(images.iter().map(|&image| (image, image)));
            let found = images
                .iter()
                .flat_map(|image| named_alike(rule, image, &providers));
            found.collect()
        }
        _ => Vec::new(),
    }
}

/// True for images of different wheels. Images of one wheel are built together, so they may share definitions.
fn strangers(one: &Image<'_>, other: &Image<'_>) -> bool {
    !std::ptr::eq(one, other) && (one.package.is_none() || one.package != other.package)
}

fn finding(
    rule: &Rule,
    (severity, what): (Severity, String),
    image: &Image<'_>,
    others: &[&Image<'_>],
    names: Vec<Detail>,
) -> Finding {
    rule.finding(severity, image.facts.name, what)
        .about(names)
        .with(others.iter().map(|other| other.facts.name.to_owned()))
}

/// Weak definitions that several packages have: the loader uses one of them for all.
fn coalesced(rule: &Rule, images: &[&Image<'_>]) -> Vec<Finding> {
    let mut owners: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, image) in images.iter().enumerate() {
        let exports = image.facts.exports.iter();
        for export in exports.filter(|export| export.binding == Binding::Weak) {
            owners.entry(&export.name).or_default().push(at);
        }
    }
    let mut shared: BTreeMap<Vec<usize>, Vec<Detail>> = BTreeMap::new();
    for (name, owners) in owners {
        let first = images[owners[0]];
        if owners.iter().any(|&other| strangers(first, images[other])) {
            shared.entry(owners).or_default().push(Detail::named(name));
        }
    }
    shared
        .into_iter()
        .map(|(owners, names)| {
            let others: Vec<&Image<'_>> = owners[1..].iter().map(|&at| images[at]).collect();
            let what = format!(
                "shares {} with {}: all of them use the definitions of whichever is loaded first",
                count(names.len(), "weak definition", "weak definitions"),
                count(
                    others.len(),
                    "image of another package",
                    "images of other packages"
                ),
            );
            finding(
                rule,
                (Severity::Warning, what),
                images[owners[0]],
                &others,
                names,
            )
        })
        .collect()
}

/// The names that an image has looked up in every library.
fn names_of_no_library<'i>(image: &'i Image<'_>) -> BTreeSet<&'i str> {
    let imports = image.facts.imports.iter();
    imports
        .filter(|import| import.library.is_none() && !is_python(import.name))
        .map(|import| import.name)
        .collect()
}

/// Names that are looked up in every library, and that another package's image has.
fn flat(rule: &Rule, images: &[&Image<'_>]) -> Vec<Finding> {
    let asking: Vec<_> = images
        .iter()
        .map(|&image| (image, names_of_no_library(image)))
        .filter(|(_, wanted)| !wanted.is_empty())
        .collect();
    if asking.is_empty() {
        return Vec::new();
    }
    let mut definers: HashMap<&str, BTreeSet<usize>> = HashMap::new();
    for (at, image) in images.iter().enumerate() {
        for export in &image.facts.exports {
            definers.entry(&export.name).or_default().insert(at);
        }
    }
    let mut findings = Vec::new();
    for (image, wanted) in asking {
        let mut answers: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        for name in wanted {
            for &other in definers.get(name).into_iter().flatten() {
                if strangers(image, images[other]) {
                    answers.entry(other).or_default().insert(name);
                }
            }
        }
        findings.extend(answers.into_iter().map(|(other, names)| {
            let what = format!(
                "gets {} from {}, if that is loaded first and RTLD_GLOBAL: it names no library for them",
                count(names.len(), "name", "names"),
                images[other].facts.name
            );
            let names = names.into_iter().map(Detail::named).collect();
            finding(rule, (Severity::Warning, what), image, &[images[other]], names)
        }));
    }
    findings
}

/// DLLs of one name, of which the process has the one that is loaded first.
fn named_alike<'s>(
    rule: &Rule,
    image: &'s Image<'_>,
    providers: &Providers<'_, &'s Image<'s>>,
) -> Vec<Finding> {
    let mut imports: HashMap<&str, Vec<Detail>> = HashMap::new();
    for import in image
        .facts
        .imports
        .iter()
        .filter(|one| one.ordinal.is_none())
    {
        if let Some(library) = import.library {
            let known = imports.entry(library).or_default();
            known.push(Detail::named(import.name));
        }
    }
    let needed: BTreeSet<&str> = image.facts.needed.iter().copied().collect();
    needed
        .into_iter()
        .filter_map(|library| {
            let found = providers.of(Format::Pe, library);
            let first = found.first()?;
            if !found.iter().any(|other| strangers(first, other)) {
                return None;
            }
            let names = imports.remove(library).unwrap_or_default();
            let what = format!(
                "gets {} from whichever {library} is loaded first",
                count(names.len(), "name", "names")
            );
            Some(finding(rule, (Severity::Error, what), image, found, names))
        })
        .collect()
}
