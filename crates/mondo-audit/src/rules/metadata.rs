//! `metadata`: METADATA file of a wheel.

use std::str::FromStr as _;

use pep440_rs::{Version, VersionSpecifiers};

use crate::finding::{Detail, Finding, Severity};
use crate::input_kind::InputKind;
use crate::plural::count;
use crate::read::metadata::{fields, values};
use crate::read::wheel::Wheel;
use crate::requirement::{self, Markers, is_name};
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;
use crate::wheel_scan::WheelContents;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Metadata,
    applies_to: &[InputKind::Wheel],
    severity: Severity::Error,
    summary: "METADATA describes the wheel",
    explanation: "METADATA is there, is UTF-8, and has fields that its version knows, each as \
          often as it may. Name and Version are those of the file name and of the .dist-info \
          folder. Requires-Python is a version specifier, License-Expression an SPDX expression \
          without License beside it, and each License-File of version 2.4 or later is in \
          licenses/. Requires-Dist is a requirement, Provides-Extra a name, and Import-Name and \
          Import-Namespace are names of modules.",
    rationale: "Installers and indexes resolve by METADATA and choose by the file's name. Where \
          the two differ, or a field is not what its version of the format allows, an index \
          refuses the file, or one tool installs what another one does not.",
    remedy: "build the wheel with a backend that writes core metadata 2.4 or later, from a \
          pyproject.toml with `license` as an SPDX expression and `license-files`",
    sources: &[
        "PyPA: Core metadata specifications, versions 1.0 to 2.5",
        "PEP 440, PEP 503, PEP 566, PEP 639, PEP 643, PEP 685, PEP 794",
    ],
    checks: &[Check::Wheel(|contents, _| check(contents))],
};

/// Each field, the version of the format that introduced it, and whether it may occur more than once.
const FIELDS: &[(&str, (u32, u32), bool)] = &[
    ("Metadata-Version", (1, 0), false),
    ("Name", (1, 0), false),
    ("Version", (1, 0), false),
    ("Platform", (1, 0), true),
    ("Summary", (1, 0), false),
    ("Description", (1, 0), false),
    ("Keywords", (1, 0), false),
    ("Home-page", (1, 0), false),
    ("Author", (1, 0), false),
    ("Author-email", (1, 0), false),
    ("License", (1, 0), false),
    ("Supported-Platform", (1, 1), true),
    ("Classifier", (1, 1), true),
    ("Download-URL", (1, 1), false),
    ("Requires", (1, 1), true),
    ("Provides", (1, 1), true),
    ("Obsoletes", (1, 1), true),
    ("Maintainer", (1, 2), false),
    ("Maintainer-email", (1, 2), false),
    ("Requires-Python", (1, 2), false),
    ("Requires-External", (1, 2), true),
    ("Project-URL", (1, 2), true),
    ("Requires-Dist", (1, 2), true),
    ("Provides-Dist", (1, 2), true),
    ("Obsoletes-Dist", (1, 2), true),
    ("Description-Content-Type", (2, 1), false),
    ("Provides-Extra", (2, 1), true),
    ("Dynamic", (2, 2), true),
    ("License-Expression", (2, 4), false),
    ("License-File", (2, 4), true),
    ("Import-Name", (2, 5), true),
    ("Import-Namespace", (2, 5), true),
];

/// The versions of the format.
const VERSIONS: &[(u32, u32)] = &[
    (1, 0),
    (1, 1),
    (1, 2),
    (2, 1),
    (2, 2),
    (2, 3),
    (2, 4),
    (2, 5),
];

type Fields = [(String, String)];

fn check(contents: &WheelContents<'_>) -> Vec<Finding> {
    let wheel = contents.wheel;
    let finding = |severity, what: String| RULE.finding(severity, &wheel.name, what);
    // The rule `record` reports a missing or second folder.
    let Some(folder) = wheel.dist_info() else {
        return Vec::new();
    };
    let path = format!("{folder}/METADATA");
    let Some(text) = contents.text(&path) else {
        return vec![finding(Severity::Error, format!("has no {path}"))];
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return vec![finding(Severity::Error, format!("{path} is not UTF-8"))];
    };
    let fields = fields(text);
    let mut wrong = Vec::new();
    let mut odd = Vec::new();
    check_form(&fields, &mut wrong, &mut odd);
    check_names(wheel, folder, &fields, &mut wrong, &mut odd);
    check_licences(wheel, folder, &fields, &mut wrong, &mut odd);
    let mut findings = Vec::new();
    for (severity, mut details, (one, many)) in [
        (Severity::Error, wrong, ("error", "errors")),
        (
            Severity::Warning,
            odd,
            ("doubtful field", "doubtful fields"),
        ),
    ] {
        details.sort();
        details.dedup();
        if !details.is_empty() {
            let flaws = count(details.len(), one, many);
            let what = format!("has {flaws} in METADATA");
            findings.push(finding(severity, what).about(details));
        }
    }
    findings
}

/// The fields by themselves.
fn check_form(fields: &Fields, wrong: &mut Vec<Detail>, odd: &mut Vec<Detail>) {
    let version = values(fields, "Metadata-Version")
        .next()
        .unwrap_or_default();
    let parsed = version
        .split_once('.')
        .and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    let known = parsed.filter(|parsed| VERSIONS.contains(parsed));
    if known.is_none() {
        let note = if version.is_empty() {
            "missing"
        } else {
            "not a version up to 2.5"
        };
        wrong.push(Detail::new("Metadata-Version", note));
    }
    for (name, value) in fields {
        let rule = FIELDS
            .iter()
            .find(|field| field.0.eq_ignore_ascii_case(name));
        match rule {
            None if name.is_empty() => wrong.push(Detail::new(value, "not a field")),
            None => odd.push(Detail::new(name, "not a field of core metadata")),
            Some(&(field, since, _)) if known.is_some_and(|known| known < since) => {
                let note = format!("came with version {}.{}, not {version}", since.0, since.1);
                odd.push(Detail::new(field, note));
            }
            Some(_) => {}
        }
    }
    for &(field, _, multiple) in FIELDS {
        if !multiple && values(fields, field).count() > 1 {
            wrong.push(Detail::new(field, "given more than once"));
        }
    }
    for value in values(fields, "Requires-Python") {
        if VersionSpecifiers::from_str(value).is_err() {
            let note = format!("no version specifier: {value}");
            wrong.push(Detail::new("Requires-Python", note));
        }
    }
    for value in values(fields, "Requires-Dist") {
        if let Err(why) = requirement::of(value, Markers::WithFormer) {
            let note = format!("no requirement: {value}: {why}");
            wrong.push(Detail::new("Requires-Dist", note));
        }
    }
    for value in values(fields, "Provides-Extra") {
        if !is_name(value) {
            wrong.push(Detail::new("Provides-Extra", format!("{value} is no name")));
        }
    }
    for field in ["Import-Name", "Import-Namespace"] {
        for value in values(fields, field).filter(|value| !is_import(value)) {
            wrong.push(Detail::new(field, format!("{value} is no module")));
        }
    }
    for value in values(fields, "Dynamic") {
        let fixed = ["Name", "Version", "Metadata-Version"];
        if fixed.iter().any(|name| name.eq_ignore_ascii_case(value)) {
            wrong.push(Detail::new("Dynamic", format!("{value} cannot be")));
        }
    }
    for value in values(fields, "Description-Content-Type") {
        let kind = value.split(';').next().unwrap_or_default().trim();
        if !["text/plain", "text/x-rst", "text/markdown"].contains(&kind) {
            let note = format!("{kind} is none that indexes show");
            odd.push(Detail::new("Description-Content-Type", note));
        }
    }
}

/// Name and version, against the file's name and the folder's.
fn check_names(
    wheel: &Wheel<'_>,
    folder: &str,
    fields: &Fields,
    wrong: &mut Vec<Detail>,
    odd: &mut Vec<Detail>,
) {
    let mut parts = wheel.name.split('-');
    let (file_name, file_version) = (parts.next(), parts.next());
    let pair = folder.strip_suffix(".dist-info").unwrap_or(folder);
    let (folder_name, folder_version) = pair.split_once('-').unwrap_or((pair, ""));
    match values(fields, "Name").next() {
        None => wrong.push(Detail::new("Name", "missing")),
        Some(name) if !is_name(name) => {
            wrong.push(Detail::new("Name", format!("{name} is no name")));
        }
        Some(name) => {
            if file_name.is_none_or(|other| normalized(other) != normalized(name)) {
                wrong.push(Detail::new("Name", format!("{name} is not the file's")));
            }
            if normalized(folder_name) != normalized(name) {
                wrong.push(Detail::new("Name", format!("{name} is not {folder}'s")));
            }
        }
    }
    if let Some(name) = file_name.filter(|&name| name != normalized(name)) {
        let note = format!("the file's name would be {}-…", normalized(name));
        odd.push(Detail::new(name, note));
    }
    let version = values(fields, "Version").next();
    match version.map(|version| (version, Version::from_str(version))) {
        None => wrong.push(Detail::new("Version", "missing")),
        Some((version, Err(_))) => {
            wrong.push(Detail::new("Version", format!("{version} is no version")));
        }
        Some((version, Ok(parsed))) => {
            let same = |other: &str| Version::from_str(other).is_ok_and(|other| other == parsed);
            if !file_version.is_some_and(same) {
                wrong.push(Detail::new(
                    "Version",
                    format!("{version} is not the file's"),
                ));
            }
            if !same(folder_version) {
                wrong.push(Detail::new(
                    "Version",
                    format!("{version} is not {folder}'s"),
                ));
            }
        }
    }
}

/// PEP 639: the licence's expression and the licences' files.
fn check_licences(
    wheel: &Wheel<'_>,
    folder: &str,
    fields: &Fields,
    wrong: &mut Vec<Detail>,
    odd: &mut Vec<Detail>,
) {
    if let Some(expression) = values(fields, "License-Expression").next() {
        if let Err(error) = spdx::Expression::parse(expression) {
            let note = format!("{expression} is no SPDX expression: {}", error.reason);
            wrong.push(Detail::new("License-Expression", note));
        }
        if values(fields, "License").next().is_some() {
            wrong.push(Detail::new("License", "given beside License-Expression"));
        }
        let classifiers = values(fields, "Classifier");
        odd.extend(
            classifiers
                .filter(|value| value.starts_with("License ::"))
                .map(|value| Detail::new(value, "given beside License-Expression")),
        );
    }
    let with_files =
        values(fields, "Metadata-Version").any(|version| ["2.4", "2.5"].contains(&version));
    for file in values(fields, "License-File") {
        if file.starts_with('/') || file.contains('\\') || file.split('/').any(|part| part == "..")
        {
            wrong.push(Detail::new(file, "a License-File that leaves its folder"));
        } else if with_files && wheel.entry(&format!("{folder}/licenses/{file}")).is_none() {
            wrong.push(Detail::new(file, "a License-File that is not in licenses/"));
        }
    }
}

/// A module's name, which may be private. An empty one says that there is none to import.
fn is_import(value: &str) -> bool {
    let (name, private) = match value.split_once(';') {
        Some((name, word)) => (name.trim(), word.trim() == "private"),
        None => (value, true),
    };
    let identifier = |part: &str| {
        let part_of_it = |c: char| c.is_alphanumeric() || c == '_';
        part.starts_with(|c: char| c.is_alphabetic() || c == '_') && part.chars().all(part_of_it)
    };
    private && (value.is_empty() || name.split('.').all(identifier))
}

/// The form that names have in file names: lower case, with one `_` for each run of `-`, `_`, `.`.
fn normalized(name: &str) -> String {
    let mut text = String::new();
    for char in name.chars() {
        if !"-_.".contains(char) {
            text.push(char.to_ascii_lowercase());
        } else if !text.ends_with('_') {
            text.push('_');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_in_their_normal_form() {
        assert_eq!(normalized("Zope.Interface--x_y"), "zope_interface_x_y");
        for good in ["a", "a.b_c", "_a; private", "ä.b2", ""] {
            assert!(is_import(good), "{good}");
        }
        for bad in ["9 x", "a-b", "a.", "a; public", ";private"] {
            assert!(!is_import(bad), "{bad}");
        }
        assert!(is_name("a") && is_name("A.b-c_d9"));
        assert!(!is_name("") && !is_name("-a") && !is_name("a b"));
    }
}
