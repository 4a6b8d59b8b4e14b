//! Symbols that several images define, or that one image defines several times.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::llvm_statics::{is_static, plain};
use crate::rule::Rule;

/// Addresses by name.
pub(crate) type Definitions<'a> = BTreeMap<&'a [u8], BTreeSet<u64>>;

/// The definitions in the dynamic and in the full symbol table whose names `accept` takes. Suffixes of link-time
/// optimisation are removed from the names first.
pub(crate) fn definitions<'i>(
    image: &'i Image<'_>,
    accept: impl Fn(&[u8]) -> bool,
) -> Definitions<'i> {
    let exports = image
        .facts
        .exports
        .iter()
        .filter(|export| export.forwarded.is_none())
        .map(|export| (export.name.as_bytes(), export.address));
    let symbols = image
        .facts
        .symbols
        .iter()
        .filter(|symbol| is_static(symbol))
        .map(|symbol| (symbol.name, symbol.address));
    let mut found = Definitions::new();
    for (name, address) in exports.chain(symbols) {
        let name = plain(name);
        if accept(name) {
            found.entry(name).or_default().insert(address);
        }
    }
    found
}

/// The names that more than one image defines, grouped by the set of images that define them.
pub(crate) fn shared<'a>(
    images: &[(&str, &Definitions<'a>)],
) -> BTreeMap<Vec<String>, Vec<&'a [u8]>> {
    let mut owners: BTreeMap<&'a [u8], Vec<&str>> = BTreeMap::new();
    for (image, definitions) in images {
        for name in definitions.keys() {
            owners.entry(name).or_default().push(image);
        }
    }
    let mut shared: BTreeMap<Vec<String>, Vec<&'a [u8]>> = BTreeMap::new();
    for (name, mut images) in owners {
        if images.len() > 1 {
            images.sort_unstable();
            let images = images.into_iter().map(str::to_owned).collect();
            shared.entry(images).or_default().push(name);
        }
    }
    shared
}

fn list_addresses(addresses: &BTreeSet<u64>) -> String {
    let list: Vec<String> = addresses
        .iter()
        .map(|address| format!("{address:#x}"))
        .collect();
    list.join(" and ")
}

/// One finding for each group of images that define the same names.
pub(crate) fn across(
    images: &[&Image<'_>],
    definitions: &[Definitions<'_>],
    rule: &Rule,
    [one, many]: [&str; 2],
    note: impl Fn(&[u8]) -> &'static str,
) -> Vec<Finding> {
    let named: Vec<(&str, &Definitions<'_>)> = images
        .iter()
        .zip(definitions)
        .map(|(image, definitions)| (image.facts.name, definitions))
        .collect();
    shared(&named)
        .into_iter()
        .map(|(owners, names)| {
            let what = format!(
                "{} also defined in {}",
                count(names.len(), one, many),
                owners[1..].join(", ")
            );
            let details = names
                .iter()
                .map(|name| Detail::new(String::from_utf8_lossy(name), note(name)));
            rule.finding(Severity::Error, &owners[0], what)
                .about(details)
                .with(owners[1..].iter().cloned())
        })
        .collect()
}

/// One finding for each image that defines a name at several addresses. Only names that `counts` accepts are
/// considered.
pub(crate) fn repeated(
    image: &Image<'_>,
    definitions: &Definitions<'_>,
    rule: &Rule,
    [one, many]: [&str; 2],
    counts: impl Fn(&[u8]) -> bool,
    note: impl Fn(&[u8]) -> &'static str,
) -> Option<Finding> {
    let repeated: Vec<Detail> = definitions
        .iter()
        .filter(|(name, addresses)| addresses.len() > 1 && counts(name))
        .map(|(name, addresses)| {
            let note = format!("{}, at {}", note(name), list_addresses(addresses));
            Detail::new(String::from_utf8_lossy(name), note)
        })
        .collect();
    (!repeated.is_empty()).then(|| {
        let what = format!(
            "defines {} more than once",
            count(repeated.len(), one, many)
        );
        rule.finding(Severity::Error, image.facts.name, what)
            .about(repeated)
    })
}
