//! `wheel-file`: WHEEL file of a wheel. The rule `tag` checks its tags.

use crate::detail_list::DetailList;
use crate::finding::{Finding, Severity};
use crate::input_kind::InputKind;
use crate::read::metadata::Fields;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;
use crate::wheel_scan::WheelContents;

pub(super) const RULE: Rule = Rule {
    id: RuleId::WheelFile,
    applies_to: &[InputKind::Wheel],
    severity: Severity::Error,
    summary: "WHEEL says how to install the wheel",
    explanation: "WHEEL must have one Wheel-Version, 1.0; one Root-Is-Purelib, true or false; and \
          the Build of the file name, if there is one.",
    rationale: "Installers read WHEEL first. They must refuse a format that is newer than they \
          know, and its Root-Is-Purelib decides whether files go into platlib or purelib.",
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
    let fields = match text {
        Ok(text) => Fields::of(text),
        Err(defect) => return Some(finding(&defect)),
    };
    let mut wrong = DetailList::default();
    let mut one = |key: &str| {
        let mut found = fields.values(key);
        let first = found.next();
        if found.next().is_some() {
            wrong.push(key, "given more than once");
        }
        first
    };
    let (version, pure, build) = (one("Wheel-Version"), one("Root-Is-Purelib"), one("Build"));
    match version.as_deref() {
        None => wrong.push("Wheel-Version", "missing"),
        Some("1.0") => {}
        Some(version) => wrong.push("Wheel-Version", format_args!("{version} is not 1.0")),
    }
    match pure.as_deref() {
        None => wrong.push("Root-Is-Purelib", "missing"),
        Some("true" | "false") => {}
        Some(value) => {
            let note = format_args!("{value} is neither true nor false");
            wrong.push("Root-Is-Purelib", note);
        }
    }
    let parts: Vec<&str> = wheel.name.split('-').collect();
    let in_name = (parts.len() == 6).then(|| parts[2]);
    let build = build.as_deref();
    if build != in_name {
        let (build, in_name) = (build.unwrap_or("none"), in_name.unwrap_or("none"));
        let note = format_args!("{build}, but {in_name} in the file's name");
        wrong.push("Build", note);
    }
    (!wrong.is_empty()).then(|| wrong.describe(finding("its WHEEL file is wrong")))
}
