//! Stable identity of findings across runs, builds and versions, by which a baseline and a
//! code-scanning page recognize them.

use std::collections::BTreeSet;

use crate::finding::{Detail, Finding};

/// The image's name without the version in a wheel's file name or in its `.dist-info` folder.
pub(crate) fn image(name: &str) -> String {
    // `wheel.whl!entry` is an entry of one of several wheels.
    let parts: Vec<String> = name.split('!').map(unversioned).collect();
    parts.join("!")
}

fn unversioned(name: &str) -> String {
    if let Some(stem) = name.strip_suffix(".whl") {
        let distribution = stem.split('-').next().unwrap_or(stem);
        return format!("{distribution}.whl");
    }
    match name.split_once('/') {
        Some((folder, rest)) if folder.ends_with(".dist-info") => {
            let distribution = folder.split('-').next().unwrap_or(folder);
            format!("{distribution}.dist-info/{rest}")
        }
        _ => name.to_owned(),
    }
}

/// The key of the details that a finding does not list.
pub(crate) const MORE: &str = "… and more";

/// Keys of the details of a finding; its sentence where it has no details.
pub(crate) fn subjects(finding: &Finding) -> BTreeSet<String> {
    if finding.details.is_empty() {
        return BTreeSet::from([uncounted(&finding.what)]);
    }
    let more = (finding.more > 0).then(|| MORE.to_owned());
    finding.details.iter().map(detail).chain(more).collect()
}

/// The key of one detail: its name, and its note without numbers that are counts.
pub(crate) fn detail(detail: &Detail) -> String {
    let name = image(&detail.name);
    if detail.note.is_empty() {
        name
    } else {
        format!("{name} ({})", uncounted(&detail.note))
    }
}

/// The text with `#` for each number, and without the version in a `.dist-info` folder's name.
pub(crate) fn uncounted(text: &str) -> String {
    let words: Vec<String> = text.split(' ').map(image).collect();
    let mut out = String::new();
    let mut number = false;
    for char in words.join(" ").chars() {
        if !char.is_ascii_digit() {
            out.push(char);
        } else if !number {
            out.push('#');
        }
        number = char.is_ascii_digit();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_counts_are_no_part_of_a_key() {
        assert_eq!(image("acme-1.0-py3-none-any.whl"), "acme.whl");
        assert_eq!(image("acme-1.0.dist-info/WHEEL"), "acme.dist-info/WHEEL");
        assert_eq!(image("acme-2-py3-none-any.whl!a/b.so"), "acme.whl!a/b.so");
        assert_eq!(image("a/libacme.so.1"), "a/libacme.so.1");
        assert_eq!(uncounted("exports 12 names of 3"), "exports # names of #");
        assert_eq!(
            uncounted("has no acme-1.0.dist-info/RECORD"),
            "has no acme.dist-info/RECORD"
        );
    }
}
