//! The checks of a release before its upload: the checks that a package index makes for each wheel, and the
//! consistency of the wheels with each other. Nothing is uploaded.

mod about;
mod attestation;
mod fields;

use std::collections::{BTreeMap, BTreeSet};
use std::slice;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_audit::Wheel;
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use serde::Serialize;

use crate::audit;
use crate::cross_check::unreadable;
use about::About;

/// The default limit of an index for the size of a file, in bytes.
const LARGEST: u64 = 100 * 1024 * 1024;

/// The limit for the unpacked size that a wheel's zip directory declares, in bytes.
const UNPACKED: u64 = 4 << 30;

/// Prefixes of the platform tags that an index accepts; it refuses `linux_…` tags.
const PLATFORMS: &[&str] = &["manylinux", "musllinux", "macosx_", "win", "any"];

/// A wheel that an index would take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ready {
    /// The file's name.
    pub file: String,
    /// The distribution's name.
    pub distribution: String,
    /// Its version.
    pub version: String,
    /// The version of the metadata's format.
    pub metadata: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 in hex: the digest that an attestation of the file names as its subject.
    pub sha256: String,
    /// The names of the attestations beside it, whose subject it is.
    pub attestations: Vec<String>,
}

/// Checks `wheels`, the files of one release, and the attestations beside them. Returns the wheels sorted by
/// name.
///
/// # Errors
/// [`ErrorKind::Wheel`] with all that an index would refuse, with wheels that do not belong together, and with
/// what the audit finds in any of them.
pub fn check(wheels: &[Utf8PathBuf]) -> Result<Vec<Ready>> {
    let mut wrong = Vec::new();
    // Wheels are audited one by one and not as a set, because nobody installs all bundles of a release into one
    // environment.
    for wheel in wheels {
        for audit in audit::files(slice::from_ref(wheel))? {
            wrong.extend(audit::errors(&audit));
            wrong.extend(audit::odd_metadata(&audit));
        }
    }
    let mut found = Vec::new();
    let mut names = BTreeSet::new();
    for path in wheels {
        let map = file::map(path)?;
        let name = path.file_name().unwrap_or_default();
        if !names.insert(name) {
            wrong.push(format!("{name}: two of the wheels have this name"));
        }
        let wheel = Wheel::read(name, &map, UNPACKED).map_err(unreadable)?;
        let bytes = map.len() as u64;
        let sha256 = digest::of(&map);
        // A wheel without METADATA is skipped here: the audit has reported it.
        if let Some(about) = About::read(&wheel)? {
            let complaints = complaints(&about, name, bytes);
            wrong.extend(complaints.into_iter().map(|why| format!("{name}: {why}")));
            let ready = Ready {
                file: name.to_owned(),
                distribution: about.one("Name").to_owned(),
                version: about.one("Version").to_owned(),
                metadata: about.one("Metadata-Version").to_owned(),
                bytes,
                attestations: attested(path, name, &sha256, &mut wrong)?,
                sha256,
            };
            found.push((about, ready));
        }
    }
    found.sort_by(|(_, a), (_, b)| a.file.cmp(&b.file));
    let all: Vec<&About> = found.iter().map(|(about, _)| about).collect();
    wrong.extend(together(&all));
    if !wrong.is_empty() {
        wrong.sort();
        return Err(
            Error::new(ErrorKind::Wheel, "an index would refuse this release").details(wrong),
        );
    }
    Ok(found.into_iter().map(|(_, ready)| ready).collect())
}

/// The names of the attestations beside a wheel. Those that an index would refuse are added to `wrong`.
fn attested(
    path: &Utf8Path,
    name: &str,
    sha256: &str,
    wrong: &mut Vec<String>,
) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for path in attestation::beside(path)? {
        let beside = path.file_name().unwrap_or_default();
        if let Some(why) =
            attestation::complaint(&file::read(&path, file::LARGEST_TEXT)?, name, sha256)
        {
            wrong.push(format!("{beside}: it {why}"));
        }
        names.push(beside.to_owned());
    }
    Ok(names)
}

/// All that an index would refuse of a wheel with the name `file`, a sentence for each.
fn complaints(about: &About, file: &str, bytes: u64) -> Vec<String> {
    let mut wrong = Vec::new();
    if bytes > LARGEST {
        wrong.push(format!(
            "it has {bytes} bytes, but an index accepts at most {LARGEST} by default"
        ));
    }
    if about.one("Version").contains('+') {
        wrong.push("it has a local version, which an index refuses".to_owned());
    }
    if about.one("Summary").is_empty() {
        wrong.push("it has no summary".to_owned());
    }
    if about.one("License-Expression").is_empty() {
        wrong.push("it has no licence expression".to_owned());
    }
    let licenses = about.all("License-File");
    if licenses.is_empty() {
        wrong.push("it lists no licence file".to_owned());
    }
    for name in licenses {
        if !about.own.contains(&format!("licenses/{name}")) {
            wrong.push(format!("it lacks the licence file {name}"));
        }
    }
    wrong.extend(fields::complaints(about));
    if !about.own.iter().any(|path| path.starts_with("sboms/")) {
        wrong.push("it has no bill of materials in sboms/".to_owned());
    }
    let platforms = file.trim_end_matches(".whl").rsplit('-').next();
    for platform in platforms.unwrap_or_default().split('.') {
        if !PLATFORMS.iter().any(|start| platform.starts_with(start)) {
            wrong.push(format!(
                "an index refuses wheels for the platform {platform}"
            ));
        }
    }
    wrong
}

/// The inconsistencies among the wheels: requirements on a distribution of the set that its wheel does not meet, and
/// bundles of different versions of LLVM.
fn together(all: &[&About]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut versions: BTreeMap<&str, &str> = BTreeMap::new();
    for about in all {
        let (name, version) = (about.one("Name"), about.one("Version"));
        if let Some(other) = versions
            .insert(name, version)
            .filter(|previous| *previous != version)
        {
            wrong.push(format!("the release contains {name} {other} and {version}"));
        }
    }
    for about in all {
        for requirement in about.all("Requires-Dist") {
            let Some((name, version)) = requirement.split_once("==") else {
                continue;
            };
            if let Some(found) = versions.get(name.trim())
                && *found != version.trim()
            {
                wrong.push(format!(
                    "{} requires {requirement}, but the release contains {name} {found}",
                    about.one("Name")
                ));
            }
        }
    }
    let llvm: BTreeMap<&str, &str> = versions
        .iter()
        .filter(|(name, _)| **name == "mondo-mlir" || name.starts_with("mondo-mlir-"))
        .map(|(name, version)| (version.split(".post").next().unwrap_or(version), *name))
        .collect();
    if llvm.len() > 1 {
        let list: Vec<String> = llvm
            .iter()
            .map(|(version, name)| format!("{name} {version}"))
            .collect();
        wrong.push(format!(
            "bundles of several LLVM versions: {}",
            list.join(", ")
        ));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::about::of as about;
    use super::*;

    const GOOD: [(&str, &str); 5] = [
        ("Name", "mondo-mlir"),
        ("Version", "22.1.8"),
        ("Summary", "MLIR"),
        ("License-Expression", "MIT"),
        ("License-File", "LICENSE"),
    ];
    const OWN: [&str; 2] = ["licenses/LICENSE", "sboms/a.cdx.json"];
    const FILE: &str =
        "mondo_mlir-22.1.8-cp310-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64.whl";

    #[test]
    fn each_thing_that_an_index_refuses_is_named() {
        let none: [String; 0] = [];
        assert_eq!(complaints(&about(&GOOD, &OWN), FILE, 1), none);
        type Case<'a> = (
            &'a [(&'a str, &'a str)],
            &'a [&'a str],
            &'a str,
            u64,
            &'a str,
        );
        let mut local = GOOD;
        local[1].1 = "22.1.8+here";
        let cases: [Case<'_>; 7] = [
            (&local, &OWN, FILE, 1, "a local version"),
            (&GOOD, &OWN, FILE, LARGEST + 1, "accepts at most"),
            (
                &GOOD,
                &OWN,
                "a-1-py3-none-linux_x86_64.whl",
                1,
                "linux_x86_64",
            ),
            (&GOOD, &OWN[..1], FILE, 1, "bill of materials"),
            (&GOOD, &OWN[1..], FILE, 1, "lacks the licence file LICENSE"),
            (&GOOD[..4], &OWN, FILE, 1, "lists no licence file"),
            (&GOOD[3..], &OWN, FILE, 1, "no summary"),
        ];
        for (fields, own, file, bytes, why) in cases {
            let found = complaints(&about(fields, own), file, bytes).join("\n");
            assert!(found.contains(why), "{why}: {found}");
        }
    }

    #[test]
    fn wheels_that_do_not_belong_together_are_named() {
        let mondo = about(&[("Name", "mondo-bundle"), ("Version", "0.2.0")], &[]);
        let kit = about(
            &[
                ("Name", "mondo-kit-22"),
                ("Requires-Dist", "mondo-bundle==0.1.0"),
            ],
            &[],
        );
        let found = together(&[&mondo, &kit]).join("\n");
        assert!(found.contains("requires mondo-bundle==0.1.0"), "{found}");
        let one = about(&[("Name", "mondo-mlir"), ("Version", "22.1.8.post1")], &[]);
        let other = |version| about(&[("Name", "mondo-mlir-core"), ("Version", version)], &[]);
        assert!(together(&[&one, &other("22.1.8")]).is_empty());
        let found = together(&[&one, &other("22.1.9")]).join("\n");
        assert!(found.contains("several LLVM versions"), "{found}");
        let found = together(&[&other("22.1.8"), &other("22.1.8.post1")]).join("\n");
        assert!(found.contains("mondo-mlir-core 22.1.8 and"), "{found}");
    }
}
