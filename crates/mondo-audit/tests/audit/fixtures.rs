//! Tests of every rule with fixtures: files that are really linked or packed and that violate the rule, in each
//! format that the rule applies to. The expectations are in the fixtures' leading comments. `readelf` and `nm` must
//! agree with the facts, and so must `goblin`, an independent reader, about the data for the loader.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use rayon::prelude::*;

use crate::foreign::{macho, pe};
use crate::linked;
use mondo_audit::{
    Audit, Finding, Format, Input, InputKind, Policy, RuleId, Severity, audit, audit_wheel, parts,
    read_image,
};

/// Rules with and without a finding, by kind of input.
#[derive(Default)]
struct Seen {
    fired: BTreeSet<(RuleId, InputKind)>,
    silent: BTreeSet<(RuleId, InputKind)>,
    /// Rules with a finding that is more severe than the rule states, about an image without an expectation.
    graver: BTreeSet<(RuleId, Severity)>,
}

impl Seen {
    fn add(&mut self, result: &Audit, policy: &Policy) {
        let unexpected = |finding: &&Finding| policy.expectation(&finding.image).is_none();
        for finding in result.findings.iter().filter(unexpected) {
            if finding.severity < finding.rule.rule().severity {
                self.graver.insert((finding.rule, finding.severity));
            }
        }
        let subject = |name: &str| {
            let mut images = result.images.iter();
            let image = images.find(|image| image.name == name);
            image.map_or(InputKind::Wheel, InputKind::of)
        };
        let of = |finding: &Finding| (finding.rule, subject(&finding.image));
        self.fired.extend(result.findings.iter().map(of));
        let names = result.images.iter().map(|image| image.name.as_str());
        for name in names.chain(result.subject.as_deref()) {
            let about = |rule: &RuleId| {
                let mut findings = result.findings.iter();
                findings.any(|one| one.rule == *rule && one.image == name)
            };
            let quiet = RuleId::ALL.iter().filter(|rule| !about(rule));
            self.silent.extend(quiet.map(|&rule| (rule, subject(name))));
        }
    }

    /// Differences between the kinds of input that rules state and those that fixtures show.
    fn gaps(&self) -> Vec<String> {
        let stated: BTreeSet<(RuleId, InputKind)> = RuleId::ALL
            .iter()
            .flat_map(|&id| id.rule().applies_to.iter().map(move |&one| (id, one)))
            .collect();
        let lines = |words: &'static str, pairs: BTreeSet<(RuleId, InputKind)>| {
            let line = move |(rule, subject): (RuleId, InputKind)| {
                format!("{} and {}: {words}", rule.name(), subject.name())
            };
            pairs.into_iter().map(line)
        };
        let violated = lines("no fixture violates it", &stated - &self.fired);
        let kept = lines("no fixture keeps it", &stated - &self.silent);
        let more = lines(
            "found, but not stated in `applies_to`",
            &self.fired - &stated,
        );
        let graver = self.graver.iter().map(|(rule, severity)| {
            let (name, stated) = (rule.name(), rule.rule().severity);
            format!("{name}: stated as {stated:?}, found as {severity:?}")
        });
        violated.chain(kept).chain(more).chain(graver).collect()
    }
}

#[test]
fn each_fixture_gives_just_the_findings_it_states() {
    let mut folders: Vec<_> = linked::fixtures()
        .read_dir_utf8()
        .expect("the fixtures")
        .map(|entry| entry.expect("an entry").into_path())
        .collect();
    folders.sort();
    let looked_at: Vec<(Audit, Policy, Vec<String>)> =
        folders.par_iter().map(|folder| look_at(folder)).collect();
    let mut seen = Seen::default();
    let mut failures = Vec::new();
    for (folder, (result, policy, found)) in folders.iter().zip(looked_at) {
        seen.add(&result, &policy);
        let name = folder.file_name().unwrap_or_default();
        failures.extend(found.into_iter().map(|text| format!("{name}: {text}")));
    }
    failures.extend(seen.gaps());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Links and audits one fixture. Returns the findings, the policy, and each difference from what the fixture expects.
fn look_at(folder: &Utf8Path) -> (Audit, Policy, Vec<String>) {
    let case = linked::link(folder);
    let bytes = case.read();
    let inputs: Vec<Input<'_>> = bytes
        .iter()
        .map(|(name, bytes)| Input { name, bytes })
        .collect();
    let result = match &case.wheel {
        Some((name, bytes)) => audit_wheel(name, bytes, &case.policy).expect("a wheel"),
        None => audit(&inputs, &case.policy).expect("readable images"),
    };
    if case.wheel.is_none() {
        let backwards: Vec<Input<'_>> = inputs.iter().rev().copied().collect();
        let reversed = audit(&backwards, &case.policy).expect("readable images");
        assert_eq!(
            result.findings, reversed.findings,
            "the order of images does not matter"
        );
    }
    let mut failures = Vec::from_iter(compare(&result, &case.expected));
    let text = as_text(&result);
    let wrong = case
        .says
        .iter()
        .filter(|part| match part.strip_prefix("! ") {
            Some(part) => text.contains(part),
            None => !text.contains(*part),
        });
    failures.extend(wrong.map(|part| format!("says: {part}\n{text}")));
    failures.extend(case.tools.iter().filter_map(|tool| ask(&case, tool)));
    for (image, bytes) in &bytes {
        for part in parts(image, bytes).expect("readable") {
            assert_goblin_agrees(image, part.bytes);
        }
    }
    assert!(case.dir.exists());
    (result, case.policy, failures)
}

/// Findings as text, with the notes of their details.
fn as_text(result: &Audit) -> String {
    let findings = result.findings.iter();
    let lines = findings.map(|finding| {
        let details = finding.details.iter();
        let notes: Vec<String> = details
            .map(|one| format!("{} ({})", one.name, one.note))
            .collect();
        format!("{}: {}\n", finding.what, notes.join("; "))
    });
    lines.collect()
}

/// Compares with `expect: <severity> <rule> <image> <detail>…`; an expectation without details
/// says nothing of them.
fn compare(result: &Audit, expected: &[String]) -> Option<String> {
    let head = |finding: &Finding| {
        format!(
            "{} {} {}",
            finding.severity.name(),
            finding.rule.name(),
            finding.image
        )
    };
    let mut wanted: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for line in expected {
        let mut words = line.split_whitespace();
        let head: Vec<&str> = words.by_ref().take(3).collect();
        wanted.entry(head.join(" ")).or_default().extend(words);
    }
    let mut found: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for finding in &result.findings {
        let names = finding.details.iter().map(|detail| detail.name.as_str());
        found.entry(head(finding)).or_default().extend(names);
    }
    for (head, details) in &mut found {
        if wanted.get(head).is_some_and(BTreeSet::is_empty) {
            details.clear();
        }
    }
    (found != wanted).then(|| format!("found {found:#?}\nexpected {wanted:#?}"))
}

/// Runs `tool: <tool> <arguments> => <text>` (`!=>`: without the text).
fn ask(case: &linked::Case, line: &str) -> Option<String> {
    let (command, text) = line.split_once("=>").expect("`=>` in a tool line");
    let (command, wanted) = match command.strip_suffix('!') {
        Some(command) => (command, false),
        None => (command, true),
    };
    let words: Vec<&str> = command.split_whitespace().collect();
    let output = linked::run(&case.dir, words[0], &words[1..]);
    // Columns are aligned with spaces; one is enough to compare.
    let squeezed = output.split_whitespace().collect::<Vec<_>>().join(" ");
    (squeezed.contains(text.trim()) != wanted).then(|| format!("{line}\n{output}"))
}

fn assert_goblin_agrees(name: &str, bytes: &[u8]) {
    let facts = read_image(name, bytes).expect("readable");
    match facts.format {
        _ if !facts.kind.is_linked() => return,
        Format::Elf => {}
        Format::MachO => return macho::assert_goblin_agrees(bytes),
        Format::Pe => return pe::assert_goblin_agrees(bytes),
    }
    let other = goblin::elf::Elf::parse(bytes).expect("readable");
    assert_eq!(facts.soname, other.soname, "{name}");
    assert_eq!(facts.needed, other.libraries, "{name}");
    assert_eq!(facts.runpath.join(":"), other.runpaths.join(":"), "{name}");
    assert_eq!(facts.rpath.join(":"), other.rpaths.join(":"), "{name}");
    let defined = |symbol: &goblin::elf::Sym| {
        symbol.st_shndx != 0 && symbol.st_bind() != 0 && symbol.st_shndx != 0xfff1
    };
    let mut exports: Vec<&str> = facts.exports.iter().map(|export| &*export.name).collect();
    let mut others: Vec<&str> = other
        .dynsyms
        .iter()
        .filter(defined)
        .filter_map(|symbol| other.dynstrtab.get_at(symbol.st_name))
        .collect();
    exports.sort_unstable();
    others.sort_unstable();
    assert_eq!(exports, others, "{name}");
    assert_eq!(
        facts.symbols.len(),
        other.syms.len().saturating_sub(1),
        "{name}"
    );
}
