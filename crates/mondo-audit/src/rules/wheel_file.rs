//! `wheel-file`: WHEEL file of a wheel. The rule `tag` checks its tags.

use crate::finding::{Detail, Finding, Severity};
use crate::input_kind::InputKind;
use crate::read::metadata::{fields, values};
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;
use crate::wheel_scan::WheelContents;

pub(super) const RULE: Rule = Rule {
    id: RuleId::WheelFile,
    applies_to: &[InputKind::Wheel],
    severity: Severity::Error,
    summary: "WHEEL says how to install the wheel",
    explanation: "WHEEL has one Wheel-Version, 1.0; one Root-Is-Purelib, true or false; and the \
          Build of the file name, if there is one.",
    rationale: "An installer reads WHEEL first: it must refuse a format that is newer than what it \
          knows, and puts the files into platlib or purelib by what stands there.",
    remedy: "write Wheel-Version: 1.0, Root-Is-Purelib: true or false, and Build only if the file \
          name has a build number",
    sources: &["PyPA: Binary distribution format, the WHEEL file; PEP 427"],
    checks: &[Check::Wheel(|contents, _| {
        check(contents).into_iter().collect()
    })],
};

fn check(contents: &WheelContents<'_>) -> Option<Finding> {
    let wheel = contents.wheel;
    let path = wheel.dist_info().map(|folder| format!("{folder}/WHEEL"))?;
    // The rule `tag` reports a missing file.
    let text = contents.text(&path)?;
    let finding = |what: &str| RULE.finding(Severity::Error, &wheel.name, what);
    let Ok(text) = std::str::from_utf8(text) else {
        return Some(finding("its WHEEL file is not UTF-8"));
    };
    let fields = fields(text);
    let mut wrong = Vec::new();
    let mut one = |key: &str| {
        let mut found = values(&fields, key);
        let first = found.next();
        if found.next().is_some() {
            wrong.push(Detail::new(key, "given more than once"));
        }
        first.map(str::to_owned)
    };
    let (version, pure, build) = (one("Wheel-Version"), one("Root-Is-Purelib"), one("Build"));
    match version.as_deref() {
        None => wrong.push(Detail::new("Wheel-Version", "missing")),
        Some("1.0") => {}
        Some(version) => {
            wrong.push(Detail::new(
                "Wheel-Version",
                format!("{version} is not 1.0"),
            ));
        }
    }
    match pure.as_deref() {
        None => wrong.push(Detail::new("Root-Is-Purelib", "missing")),
        Some("true" | "false") => {}
        Some(value) => {
            let note = format!("{value} is neither true nor false");
            wrong.push(Detail::new("Root-Is-Purelib", note));
        }
    }
    let parts: Vec<&str> = wheel.name.split('-').collect();
    let in_name = (parts.len() == 6).then(|| parts[2].to_owned());
    if build != in_name {
        let shown = |build: &Option<String>| build.clone().unwrap_or_else(|| "none".to_owned());
        let note = format!(
            "{}, but {} in the file's name",
            shown(&build),
            shown(&in_name)
        );
        wrong.push(Detail::new("Build", note));
    }
    (!wrong.is_empty()).then(|| finding("its WHEEL file is wrong").about(wrong))
}
