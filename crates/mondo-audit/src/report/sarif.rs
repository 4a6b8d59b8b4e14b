//! The audit as SARIF 2.1.0 (OASIS), which code-scanning pages read.
//!
//! A finding is one result, however many symbols it is about: pages take some thousands of results,
//! and one library can leak more names than that.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use ring::digest::{SHA256, digest};
use serde_json::{Value, json};

use super::SHOWN;
use crate::audit::Audit;
use crate::finding::{Finding, Severity};
use crate::rule_id::RuleId;
use crate::{fingerprint, reference};

/// The maximum number of results. GitHub's code scanning shows 5000, and refuses a log with more than 25 000.
const MOST_RESULTS: usize = 5000;

/// The log of a run that made these audits. If there are more than 5000 findings, the log has the most severe ones, and
/// a notification with the number of the others.
#[must_use]
pub fn sarif(audits: &[Audit]) -> Value {
    let mut findings: Vec<(Option<&str>, &Finding)> = audits
        .iter()
        .flat_map(|audit| {
            let parent = audit.subject.as_deref();
            audit.findings.iter().map(move |finding| (parent, finding))
        })
        .collect();
    let omitted = findings.len().saturating_sub(MOST_RESULTS);
    if omitted > 0 {
        findings.sort_by_key(|(_, finding)| finding.severity);
        findings.truncate(MOST_RESULTS);
    }
    let mut artifacts = Artifacts::default();
    let results: Vec<Value> = findings
        .into_iter()
        .map(|(parent, finding)| result(&mut artifacts, parent, finding))
        .collect();
    let mut log = json!({
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "mondo-audit",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": RuleId::ALL.iter().map(|&id| rule(id)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "artifacts": artifacts.list,
            "results": results,
        }],
    });
    if omitted > 0 {
        let text = format!("{omitted} less severe findings are not in this log");
        log["runs"][0]["invocations"] = json!([{
            "executionSuccessful": true,
            "toolExecutionNotifications": [{ "level": "warning", "message": { "text": text } }],
        }]);
    }
    log
}

fn rule(id: RuleId) -> Value {
    let rule = id.rule();
    json!({
        "id": id.name(),
        "shortDescription": { "text": rule.summary },
        "fullDescription": { "text": rule.rationale },
        "help": { "text": reference::text(id) },
    })
}

fn result(artifacts: &mut Artifacts, parent: Option<&str>, finding: &Finding) -> Value {
    let index = RuleId::ALL.iter().position(|&id| id == finding.rule);
    // A rule about the wheel itself names the wheel as its image.
    let parent = parent.filter(|&wheel| wheel != finding.image);
    let (uri, artifact) = artifacts.index(parent, &finding.image);
    let mut place = json!({ "artifactLocation": { "uri": uri, "index": artifact } });
    let first = finding.details.iter().find_map(|detail| detail.offset);
    if let Some(offset) = first {
        place["region"] = json!({ "byteOffset": offset, "byteLength": 0 });
    }
    // A list of logical locations may not have the same one twice.
    let names: BTreeSet<&str> = finding
        .details
        .iter()
        .take(SHOWN)
        .map(|detail| detail.name.as_str())
        .collect();
    let names: Vec<Value> = names
        .into_iter()
        .map(|name| json!({ "fullyQualifiedName": name }))
        .collect();
    let mut location = json!({ "physicalLocation": place });
    if !names.is_empty() {
        location["logicalLocations"] = names.into();
    }
    let related: Vec<Value> = finding
        .others
        .iter()
        .enumerate()
        .map(|(id, other)| {
            let (uri, index) = artifacts.index(parent, other);
            json!({
                "id": id,
                "message": { "text": "the other image" },
                "physicalLocation": { "artifactLocation": { "uri": uri, "index": index } },
            })
        })
        .collect();
    let mut result = json!({
        "ruleId": finding.rule.name(),
        "ruleIndex": index,
        "level": level(finding.severity),
        "message": { "text": message(finding) },
        "locations": [location],
        "partialFingerprints": { "mondoAudit/v1": fingerprint(finding) },
    });
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    result
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn message(finding: &Finding) -> String {
    let mut text = format!("{}: {}", finding.image, finding.what);
    for detail in finding.details.iter().take(SHOWN) {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n- {}", detail.name);
        if !detail.note.is_empty() {
            let _ = write!(text, " ({})", detail.note);
        }
    }
    let more = finding.details.len().saturating_sub(SHOWN) + finding.more;
    if more > 0 {
        let _ = write!(text, "\n… and {more} more");
    }
    let _ = write!(text, "\nfix: {}", finding.fix);
    text
}

/// A fingerprint that a problem keeps in the next build, even if the number of symbols differs.
fn fingerprint(finding: &Finding) -> String {
    let key = format!(
        "{}\n{}\n{}",
        finding.rule.name(),
        fingerprint::image(&finding.image),
        fingerprint::uncounted(&finding.what)
    );
    let mut text = String::new();
    for byte in digest(&SHA256, key.as_bytes()).as_ref() {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The files that results are about; an image of a wheel has the wheel as its parent.
#[derive(Default)]
struct Artifacts {
    list: Vec<Value>,
    known: BTreeMap<(Option<String>, String), usize>,
}

impl Artifacts {
    /// The URI and index of a file.
    fn index(&mut self, parent: Option<&str>, name: &str) -> (String, usize) {
        let parent_index = parent.map(|wheel| self.index(None, wheel).1);
        let uri = uri(name);
        let next = self.list.len();
        let id = (parent.map(str::to_owned), name.to_owned());
        let index = *self.known.entry(id).or_insert(next);
        if index == next {
            let mut artifact = json!({ "location": { "uri": uri } });
            if let Some(parent) = parent_index {
                artifact["parentIndex"] = parent.into();
            }
            self.list.push(artifact);
        }
        (uri, index)
    }
}

/// The path as a relative or absolute URI reference (RFC 3986).
fn uri(path: &str) -> String {
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/!+".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_has_the_most_severe_findings_and_the_number_of_the_others() {
        let finding = |severity, image: usize| {
            RuleId::Zip
                .rule()
                .finding(severity, image.to_string(), "odd".to_owned())
        };
        let warnings = (0..MOST_RESULTS).map(|image| finding(Severity::Warning, image));
        let mut findings: Vec<Finding> = warnings.collect();
        let log = |findings: &[Finding]| {
            sarif(&[Audit {
                subject: None,
                images: Vec::new(),
                findings: findings.to_vec(),
            }])
        };
        assert!(log(&findings)["runs"][0]["invocations"].is_null());
        findings.push(finding(Severity::Error, MOST_RESULTS));
        let log = log(&findings);
        let run = &log["runs"][0];
        assert_eq!(run["results"].as_array().map(Vec::len), Some(MOST_RESULTS));
        assert_eq!(run["results"][0]["level"], "error");
        let notification = &run["invocations"][0]["toolExecutionNotifications"][0];
        let text = "1 less severe findings are not in this log";
        assert_eq!(notification["message"]["text"], text);
    }

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("a b/c:d.so"), "a%20b/c%3Ad.so");
        assert_eq!(uri("/x/é.so"), "file:///x/%C3%A9.so");
        assert_eq!(uri("a-1.whl!b/c++.so"), "a-1.whl!b/c++.so");
    }
}
