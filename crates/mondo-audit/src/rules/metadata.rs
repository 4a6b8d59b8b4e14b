//! `metadata`: METADATA file of a wheel.

use std::str::FromStr as _;

use pep440_rs::{Version, VersionSpecifiers};

use crate::detail_list::DetailList;
use crate::finding::count;
use crate::finding::{Finding, Severity};
use crate::input_kind::InputKind;
use crate::read::metadata::Fields;
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
    explanation: "METADATA must exist, be UTF-8, and have the fields that its version defines, \
          each as often as its version allows. Name and Version must match the file name and the \
          .dist-info folder. Requires-Python must be a version specifier, License-Expression an \
          SPDX expression without a License field, and each License-File of version 2.4 or later \
          must be in licenses/. Requires-Dist must be a requirement, Provides-Extra a name, and \
          Import-Name and Import-Namespace must be names of modules.",
    rationale: "Installers and indexes resolve dependencies by METADATA and choose a file by its \
          name. If the two differ, or a field is not allowed in that version of the format, an \
          index refuses the file, or one tool installs something else than another.",
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

/// The longest value that is parsed, in bytes. Parsed versions and licences take a hundred times the memory of their text.
const LONGEST: usize = 16 << 10;

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
    let fields = match text {
        Ok(text) => Fields::of(text),
        Err(defect) => return vec![finding(Severity::Error, defect)],
    };
    let mut wrong = DetailList::default();
    let mut odd = DetailList::default();
    check_form(fields, &mut wrong, &mut odd);
    check_names(wheel, folder, fields, &mut wrong, &mut odd);
    check_licences(wheel, folder, fields, &mut wrong, &mut odd);
    let mut findings = Vec::new();
    for (severity, details, (one, many)) in [
        (Severity::Error, wrong, ("error", "errors")),
        (
            Severity::Warning,
            odd,
            ("doubtful field", "doubtful fields"),
        ),
    ] {
        if !details.is_empty() {
            let flaws = count(details.len(), one, many);
            let what = format!("has {flaws} in METADATA");
            findings.push(details.describe(finding(severity, what)));
        }
    }
    findings
}

/// The fields by themselves.
fn check_form(fields: Fields<'_>, wrong: &mut DetailList, odd: &mut DetailList) {
    let version = fields.values("Metadata-Version").next().unwrap_or_default();
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
        wrong.push("Metadata-Version", note);
    }
    let mut counts = [0_usize; FIELDS.len()];
    for (name, value) in fields {
        let known_field = FIELDS
            .iter()
            .position(|field| field.0.eq_ignore_ascii_case(name));
        let Some(place) = known_field else {
            match name {
                "" => wrong.push(value.text(), "not a field"),
                _ => odd.push(name, "not a field of core metadata"),
            }
            continue;
        };
        counts[place] += 1;
        let (field, since, _) = FIELDS[place];
        if known.is_some_and(|known| known < since) {
            let note = format_args!("came with version {}.{}, not {version}", since.0, since.1);
            odd.push(field, note);
        }
    }
    for (&(field, _, multiple), count) in FIELDS.iter().zip(counts) {
        if !multiple && count > 1 {
            wrong.push(field, "given more than once");
        }
    }
    for value in fields.values("Requires-Python") {
        if value.len() > LONGEST {
            wrong.push("Requires-Python", too_long(&value));
        } else if VersionSpecifiers::from_str(&value).is_err() {
            let note = format_args!("no version specifier: {value}");
            wrong.push("Requires-Python", note);
        }
    }
    for value in fields.values("Requires-Dist") {
        if value.len() > LONGEST {
            wrong.push("Requires-Dist", too_long(&value));
        } else if let Err(why) = requirement::of(&value, Markers::WithFormer) {
            let note = format_args!("no requirement: {value}: {why}");
            wrong.push("Requires-Dist", note);
        }
    }
    for value in fields.values("Provides-Extra") {
        if !is_name(&value) {
            wrong.push("Provides-Extra", format_args!("{value} is not a name"));
        }
    }
    for field in ["Import-Name", "Import-Namespace"] {
        for value in fields.values(field).filter(|value| !is_import(value)) {
            wrong.push(field, format_args!("{value} is not a module"));
        }
    }
    for value in fields.values("Dynamic") {
        let fixed = ["Name", "Version", "Metadata-Version"];
        if fixed.iter().any(|name| name.eq_ignore_ascii_case(&value)) {
            wrong.push("Dynamic", format_args!("{value} cannot be"));
        }
    }
    for value in fields.values("Description-Content-Type") {
        let kind = value.split(';').next().unwrap_or_default().trim();
        if !["text/plain", "text/x-rst", "text/markdown"].contains(&kind) {
            let note = format_args!("{kind} is none that indexes show");
            odd.push("Description-Content-Type", note);
        }
    }
}

/// The note about a value that is not parsed.
fn too_long(value: &str) -> String {
    format!("too long to be read: {} bytes", value.len())
}

/// Name and version, against the file's name and the folder's.
fn check_names(
    wheel: &Wheel<'_>,
    folder: &str,
    fields: Fields<'_>,
    wrong: &mut DetailList,
    odd: &mut DetailList,
) {
    let mut parts = wheel.name.split('-');
    let (file_name, file_version) = (parts.next(), parts.next());
    let pair = folder.strip_suffix(".dist-info").unwrap_or(folder);
    let (folder_name, folder_version) = pair.split_once('-').unwrap_or((pair, ""));
    match fields.values("Name").next() {
        None => wrong.push("Name", "missing"),
        Some(name) if !is_name(&name) => wrong.push("Name", format_args!("{name} is not a name")),
        Some(name) => {
            let stated = normalized(&name);
            if file_name.is_none_or(|other| normalized(other) != stated) {
                wrong.push("Name", format_args!("{name} is not the file's"));
            }
            if normalized(folder_name) != stated {
                wrong.push("Name", format_args!("{name} is not {folder}'s"));
            }
        }
    }
    if let Some(name) = file_name.filter(|&name| name != normalized(name)) {
        let note = format!("the file's name would be {}-…", normalized(name));
        odd.push(name, note);
    }
    let version = fields.values("Version").next();
    let Some(version) = version else {
        wrong.push("Version", "missing");
        return;
    };
    if version.len() > LONGEST {
        wrong.push("Version", too_long(&version));
        return;
    }
    let Ok(parsed) = Version::from_str(&version) else {
        wrong.push("Version", format_args!("{version} is not a version"));
        return;
    };
    let same = |other: &str| Version::from_str(other).is_ok_and(|other| other == parsed);
    if !file_version.is_some_and(same) {
        wrong.push("Version", format_args!("{version} is not the file's"));
    }
    if !same(folder_version) {
        wrong.push("Version", format_args!("{version} is not {folder}'s"));
    }
}

/// PEP 639: the licence's expression and the licences' files.
fn check_licences(
    wheel: &Wheel<'_>,
    folder: &str,
    fields: Fields<'_>,
    wrong: &mut DetailList,
    odd: &mut DetailList,
) {
    if let Some(expression) = fields.values("License-Expression").next() {
        if expression.len() > LONGEST {
            wrong.push("License-Expression", too_long(&expression));
        } else if let Err(error) = spdx::Expression::parse(&expression) {
            let note = format_args!("{expression} is not an SPDX expression: {}", error.reason);
            wrong.push("License-Expression", note);
        }
        if fields.values("License").next().is_some() {
            wrong.push("License", "given beside License-Expression");
        }
        let classifiers = fields.values("Classifier");
        for value in classifiers.filter(|value| value.starts_with("License ::")) {
            odd.push(value, "given beside License-Expression");
        }
    }
    let mut versions = fields.values("Metadata-Version");
    let with_files = versions.any(|version| ["2.4", "2.5"].contains(&&*version));
    for file in fields.values("License-File") {
        if file.starts_with('/') || file.contains('\\') || file.split('/').any(|part| part == "..")
        {
            wrong.push(file, "a License-File that leaves its folder");
        } else if with_files && wheel.entry(&format!("{folder}/licenses/{file}")).is_none() {
            wrong.push(file, "a License-File that is not in licenses/");
        }
    }
}

/// A module's name, which may be private. An empty name says that nothing can be imported.
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
