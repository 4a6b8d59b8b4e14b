//! `binding` on macOS and Windows, where a reference names its library. What is left to whoever is loaded
//! first: macOS' weak definitions, which the loader makes one of, and lookups in the flat namespace;
//! on Windows DLLs that have one name.

use std::collections::BTreeMap;

use super::{count, needed::provides, unresolved::is_python};
use crate::{Binding, Finding, Format, Image, Offender, RuleId, Severity};

pub(crate) fn check(images: &[&Image<'_>]) -> Vec<Finding> {
    match images.first().map(|image| image.facts.format) {
        Some(Format::MachO) => {
            let mut findings = coalesced(images);
            findings.extend(images.iter().flat_map(|image| flat(image, images)));
            findings
        }
        Some(Format::Pe) => images
            .iter()
            .flat_map(|image| named_alike(image, images))
            .collect(),
        _ => Vec::new(),
    }
}

/// Images of one wheel are made together.
fn strangers(one: &Image<'_>, other: &Image<'_>) -> bool {
    !std::ptr::eq(one, other) && (one.package.is_none() || one.package != other.package)
}

fn finding(
    (severity, what): (Severity, String),
    image: &Image<'_>,
    others: &[&Image<'_>],
    names: Vec<Offender>,
) -> Finding {
    Finding::new(RuleId::Binding, severity, image.facts.name, what)
        .about(names)
        .with(others.iter().map(|other| other.facts.name.to_owned()))
}

/// Weak definitions of several packages: the loader takes one for all.
fn coalesced(images: &[&Image<'_>]) -> Vec<Finding> {
    let mut owners: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, image) in images.iter().enumerate() {
        let exports = image.facts.exports.iter();
        for export in exports.filter(|export| export.binding == Binding::Weak) {
            owners.entry(&export.name).or_default().push(at);
        }
    }
    let mut shared: BTreeMap<Vec<usize>, Vec<Offender>> = BTreeMap::new();
    for (name, owners) in owners {
        let first = images[owners[0]];
        if owners.iter().any(|&other| strangers(first, images[other])) {
            shared
                .entry(owners)
                .or_default()
                .push(Offender::named(name));
        }
    }
    shared
        .into_iter()
        .map(|(owners, names)| {
            let others: Vec<&Image<'_>> = owners[1..].iter().map(|&at| images[at]).collect();
            let what = format!(
                "shares {} with {}: those of whichever is loaded first are everybody's",
                count(names.len(), "weak definition", "weak definitions"),
                count(
                    others.len(),
                    "image of another package",
                    "images of other packages"
                ),
            );
            finding((Severity::Warning, what), images[owners[0]], &others, names)
        })
        .collect()
}

/// Names that are looked up in every library, and that another package's image has.
fn flat(image: &Image<'_>, images: &[&Image<'_>]) -> Vec<Finding> {
    let imports = image.facts.imports.iter();
    let wanted: std::collections::BTreeSet<&str> = imports
        .filter(|import| import.library.is_none() && !is_python(import.name))
        .map(|import| import.name)
        .collect();
    let others = images.iter().filter(|other| strangers(image, other));
    others
        .filter_map(|other| {
            let exports = other.facts.exports.iter();
            let names: Vec<Offender> = exports
                .filter(|export| wanted.contains(&*export.name))
                .map(|export| Offender::named(&*export.name))
                .collect();
            let what = format!(
                "gets {} from {}, if that is loaded first and RTLD_GLOBAL: it names no library for them",
                count(names.len(), "name", "names"),
                other.facts.name
            );
            (!names.is_empty()).then(|| finding((Severity::Warning, what), image, &[other], names))
        })
        .collect()
}

/// DLLs of one name, of which the process has the one that is loaded first.
fn named_alike(image: &Image<'_>, images: &[&Image<'_>]) -> Vec<Finding> {
    let needed = image.facts.needed.iter();
    needed
        .filter_map(|library| {
            let found: Vec<&Image<'_>> = images
                .iter()
                .copied()
                .filter(|other| provides(other, library))
                .collect();
            let first = found.first()?;
            if !found.iter().any(|other| strangers(first, other)) {
                return None;
            }
            let imports = image.facts.imports.iter();
            let names: Vec<Offender> = imports
                .filter(|import| import.library == Some(library) && import.ordinal.is_none())
                .map(|import| Offender::named(import.name))
                .collect();
            let what = format!(
                "gets {} from whichever {library} is loaded first",
                count(names.len(), "name", "names")
            );
            Some(finding((Severity::Error, what), image, &found, names))
        })
        .collect()
}
