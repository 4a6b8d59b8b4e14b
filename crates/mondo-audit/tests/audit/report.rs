//! The report's text and JSON, word for word; SARIF, policy files and baselines on real findings.

use std::collections::BTreeSet;

use crate::linked;
use mondo_audit::{Audit, Baseline, Input, PolicyFile, RuleId, Severity, audit, report};

#[test]
fn the_report_groups_by_image_and_explains_each_rule_once() {
    let case = linked::link(&linked::fixtures().join("exports_version"));
    let bytes = fs_err::read(&case.images[0]).expect("the image");
    let input = Input {
        name: "libacme.so",
        bytes: &bytes,
    };
    let mut result = audit(&[input], &case.policy).expect("readable");
    result.images[0].file_size = 0;
    insta::assert_snapshot!(report::text(&result), @r"
    libacme.so: 0 bytes, x86_64, 2 exports, 4 imports
      error[exports]: 1 export not under the version node ACME_2
        - acme_old (under ACME_1)
        why: Every exported name takes part in the symbol lookup of the whole process. A leaked C++ name lets two packages that contain LLVM bind to each other's functions, vtables and statics, which corrupts memory long after the import. A C name without its own version node can be mistaken for another package's function of the same name.
        fix: compile with -fvisibility=hidden, or link with a version script that lists the C API (for an extension: its PyInit function) under a version node of its own and ends in `local: *;`

    FAILED: 1 image, 1 error, 0 warnings, 0 notes
    ");
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&result.findings).expect("serializable"), @r#"
    [
      {
        "image": "libacme.so",
        "severity": "error",
        "rule": "exports",
        "what": "1 export not under the version node ACME_2",
        "details": [
          {
            "name": "acme_old",
            "note": "under ACME_1"
          }
        ],
        "fix": "compile with -fvisibility=hidden, or link with a version script that lists the C API (for an extension: its PyInit function) under a version node of its own and ends in `local: *;`"
      }
    ]
    "#);
}

#[test]
fn many_details_are_cut_short_and_origins_are_printed() {
    let case = linked::link(&linked::fixtures().join("clean"));
    let bytes = fs_err::read(&case.images[0]).expect("the image");
    let mut policy = case.policy.clone();
    for expect in policy.images.values_mut() {
        expect.exports = Some((0..12).map(|number| format!("acme_{number:02}")).collect());
    }
    let input = Input {
        name: "libacme.so",
        bytes: &bytes,
    };
    let mut result = audit(&[input], &policy).expect("readable");
    for finding in &mut result.findings {
        finding.details[0].origin = Some("libacme.a(answer.o)".to_owned());
    }
    let text = report::text(&result);
    assert!(
        text.contains("- acme_00 from libacme.a(answer.o)\n"),
        "{text}"
    );
    assert!(text.contains("- acme_09\n      … and 2 more\n"), "{text}");
    assert!(
        text.ends_with("FAILED: 1 image, 2 errors, 0 warnings, 0 notes; glibc 2.14\n"),
        "{text}"
    );
}

/// A fixture whose findings have details, other images and offsets.
fn findings_of_all_sorts() -> Vec<Audit> {
    ["typeid", "build_path", "relro"]
        .iter()
        .map(|fixture| {
            let case = linked::link(&linked::fixtures().join(fixture));
            let bytes: Vec<(&str, Vec<u8>)> = case
                .images
                .iter()
                .map(|path| {
                    let name = path.file_name().expect("a name");
                    (name, fs_err::read(path).expect("the image"))
                })
                .collect();
            let inputs: Vec<Input<'_>> = bytes
                .iter()
                .map(|(name, bytes)| Input { name, bytes })
                .collect();
            audit(&inputs, &case.policy).expect("readable")
        })
        .collect()
}

/// Requirements of SARIF 2.1.0 (OASIS Standard, 27 March 2020) on the objects in a log.
/// A log of findings of all sorts about a wheel, and the number of findings.
fn sarif_of_all_sorts() -> (serde_json::Value, usize) {
    let mut audits = findings_of_all_sorts();
    audits[0].subject = Some("acme-1.0-py3-none-any.whl".to_owned());
    let found = audits.iter().map(|audit| audit.findings.len()).sum();
    (report::sarif(&audits), found)
}

/// The one run of a log.
fn run_of(log: &serde_json::Value) -> &serde_json::Value {
    assert_eq!(log["version"], "2.1.0", "3.13.2");
    let runs = log["runs"].as_array().expect("3.13.4: runs");
    let [run] = runs.as_slice() else {
        panic!("one run")
    };
    run
}

#[test]
fn sarif_describes_each_rule_once() {
    let (log, _) = sarif_of_all_sorts();
    let run = run_of(&log);
    let driver = &run["tool"]["driver"];
    assert!(driver["name"].is_string(), "3.19.8: a component has a name");
    let rules = driver["rules"].as_array().expect("3.19.23: rules");
    let mut ids: Vec<&str> = rules
        .iter()
        .filter_map(|rule| rule["id"].as_str())
        .collect();
    assert_eq!(ids.len(), RuleId::ALL.len(), "3.49.3: each has an id");
    ids.dedup();
    assert_eq!(ids.len(), rules.len(), "ids are distinct");
    for rule in rules {
        for text in ["shortDescription", "fullDescription", "help"] {
            let text = rule[text]["text"].as_str();
            assert!(text.is_some_and(|text| !text.is_empty()), "3.12.3: {rule}");
        }
    }
}

#[test]
fn artifacts_of_sarif_come_after_those_that_contain_them() {
    let (log, _) = sarif_of_all_sorts();
    let run = run_of(&log);
    let artifacts = run["artifacts"].as_array().expect("3.14.15: artifacts");
    for (index, artifact) in artifacts.iter().enumerate() {
        assert_uri(&artifact["location"]["uri"]);
        if let Some(parent) = artifact.get("parentIndex") {
            let parent = parent.as_u64().expect("3.24.3: an index");
            assert!((parent as usize) < index, "a parent comes first");
        }
    }
}

#[test]
fn results_of_sarif_have_the_required_structure() {
    let (log, found) = sarif_of_all_sorts();
    let run = run_of(&log);
    let rules = &run["tool"]["driver"]["rules"];
    let artifacts = &run["artifacts"];
    let results = run["results"].as_array().expect("3.14.23: results");
    assert_eq!(results.len(), found);
    let mut prints = BTreeSet::new();
    for result in results {
        let message = result["message"]["text"].as_str();
        assert!(message.is_some_and(|text| !text.is_empty()), "3.27.11");
        let level = result["level"].as_str().expect("3.27.10: a level");
        assert!(["none", "note", "warning", "error"].contains(&level));
        let rule = result["ruleIndex"].as_u64().expect("3.27.6: an index");
        assert_eq!(rules[rule as usize]["id"], result["ruleId"], "3.27.5");
        let print = &result["partialFingerprints"]["mondoAudit/v1"];
        assert!(prints.insert(print.as_str().expect("3.27.17: a string")));
        let related = result["relatedLocations"].as_array();
        let places = result["locations"].as_array().expect("3.27.12: locations");
        let names = places[0]["logicalLocations"].as_array();
        let names: Vec<&serde_json::Value> = names.into_iter().flatten().collect();
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].contains(name), "3.28.4: {name} twice");
        }
        for place in places.iter().chain(related.into_iter().flatten()) {
            let place = &place["physicalLocation"];
            assert_uri(&place["artifactLocation"]["uri"]);
            let index = place["artifactLocation"]["index"].as_u64();
            let artifact = &artifacts[index.expect("3.4.5: an index") as usize];
            assert_eq!(
                artifact["location"]["uri"],
                place["artifactLocation"]["uri"]
            );
            if let Some(region) = place.get("region") {
                assert!(region["byteOffset"].is_u64(), "3.30.11: {region}");
            }
        }
    }
}

#[test]
fn the_findings_of_all_sorts_have_all_parts_of_sarif() {
    let (log, _) = sarif_of_all_sorts();
    let text = log.to_string();
    for part in [
        "relatedLocations",
        "parentIndex",
        "byteOffset",
        "logicalLocations",
    ] {
        assert!(text.contains(part), "nothing has {part}");
    }
}

#[test]
fn the_same_findings_give_the_same_sarif() {
    let [first, second] = [sarif_of_all_sorts(), sarif_of_all_sorts()];
    assert_eq!(first.0.to_string(), second.0.to_string());
}

/// RFC 3986: no character that a URI cannot have.
fn assert_uri(uri: &serde_json::Value) {
    let uri = uri.as_str().expect("3.4.3: a string");
    let legal = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
    assert!(!uri.is_empty() && uri.chars().all(legal), "{uri}");
}

#[test]
fn a_policy_file_lets_pass_what_it_names_and_says_what_it_names_in_vain() {
    let mut audits = findings_of_all_sorts();
    let text = r#"
[severity]
relro = "info"
[[allow]]
rule = "typeid"
name = "*SelfOwningTypeID*"
reason = "in vain"
[[allow]]
rule = "build-path"
image = "lib*.so"
reason = "known"
"#;
    let rules = |audits: &[Audit]| -> Vec<(RuleId, Severity)> {
        let findings = audits.iter().flat_map(|audit| &audit.findings);
        findings.map(|f| (f.rule, f.severity)).collect()
    };
    let before = rules(&audits);
    assert!(
        before.contains(&(RuleId::Relro, Severity::Error)),
        "{before:?}"
    );
    assert!(before.iter().any(|(rule, _)| *rule == RuleId::BuildPath));
    let policy = PolicyFile::parse("policy.toml", text).expect("right");
    let used = audits
        .iter_mut()
        .flat_map(|audit| policy.apply(audit))
        .collect();
    let after = rules(&audits);
    assert!(
        after.contains(&(RuleId::Relro, Severity::Info)),
        "{after:?}"
    );
    assert!(!after.iter().any(|(rule, _)| *rule == RuleId::BuildPath));
    let unused: Vec<&str> = policy.unused(&used).map(|a| a.reason.as_str()).collect();
    assert_eq!(unused, ["in vain"]);
}

#[test]
fn a_baseline_knows_what_was_there_whatever_it_counts() {
    let mut audits = findings_of_all_sorts();
    let baseline = Baseline::of(&audits);
    let text = baseline.text();
    assert_eq!(Baseline::parse("b", &text).expect("its own text"), baseline);
    // The next version of the image, found elsewhere in it and counted otherwise.
    for finding in audits.iter_mut().flat_map(|audit| &mut audit.findings) {
        if let Some(offset) = finding.details.first_mut().and_then(|o| o.offset.as_mut()) {
            *offset += 1;
        }
    }
    let notes: usize = audits.iter().map(|audit| audit.count(Severity::Info)).sum();
    let fixed = audits[2].findings.remove(0);
    let met = baseline.apply(&mut audits);
    let left: usize = audits.iter().map(|audit| audit.findings.len()).sum();
    assert_eq!(left, notes, "only notes are left");
    assert!(met.known > 2, "{met:?}");
    assert_eq!(met.gone.len(), 1, "{met:?}");
    assert!(met.gone[0].contains(fixed.rule.name()), "{met:?}");

    let other = text.replace("\"format\": 1", "\"format\": 9");
    let error = Baseline::parse("b", &other).expect_err("another format");
    assert!(error.to_string().contains("format 9"), "{error}");
    let error = Baseline::parse("b", "{\n}").expect_err("no baseline");
    assert!(error.to_string().starts_with("b:2:1: "), "{error}");
}

#[test]
fn a_policy_states_what_somebody_else_s_library_exports() {
    let case = linked::link(&linked::fixtures().join("somebody_elses"));
    let bytes = fs_err::read(&case.images[0]).expect("the image");
    let audited = |names: &str| {
        let text = format!("[[exports]]\nimage = \"lib*.so\"\nnames = [{names}]\n");
        let policy = mondo_audit::Policy {
            exports: PolicyFile::parse("policy.toml", &text)
                .expect("a policy")
                .exports,
            ..mondo_audit::Policy::default()
        };
        let input = Input {
            name: "liba.so",
            bytes: &bytes,
        };
        let result = audit(&[input], &policy).expect("readable");
        let exports = result
            .findings
            .into_iter()
            .filter(|one| one.rule == RuleId::Exports);
        let details = exports.flat_map(|one| one.details);
        let mut names: Vec<String> = details.map(|detail| detail.name).collect();
        names.sort();
        names
    };
    assert_eq!(audited("\"_ZN4acme*\", \"acme_answer\""), [""; 0]);
    assert_eq!(
        audited("\"acme_x*\""),
        ["_ZN4acme5Shape4areaEv", "acme_answer", "acme_x*"]
    );
}
