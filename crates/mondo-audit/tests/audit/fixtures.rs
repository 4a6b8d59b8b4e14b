//! Every rule about images against images that are really linked and really violate it. The
//! expectations stand in the fixtures' leading comments; `readelf` and `nm` must agree on the facts,
//! and `goblin`, a reader of its own, on what the loader sees.

use std::collections::{BTreeMap, BTreeSet};

use crate::linked;
use mondo_audit::{Audit, Finding, Input, RuleId, audit, read_image};

/// Rules about wheels as files have no linked fixture; `wheel.rs` and `wheel_form.rs` have
/// them.
const OF_WHEELS: &[RuleId] = &[
    RuleId::Duplicates,
    RuleId::Format,
    RuleId::Metadata,
    RuleId::Modes,
    RuleId::Names,
    RuleId::Order,
    RuleId::Record,
    RuleId::Sbom,
    RuleId::Tag,
    RuleId::Unneeded,
    RuleId::WheelFile,
    RuleId::Zip,
];

/// Rules that gcc's images on Linux keep by default; `foreign` has images that break them.
const ELSEWHERE: &[RuleId] = &[RuleId::Aslr, RuleId::Cfi, RuleId::Signature];

#[test]
fn each_fixture_gives_just_the_findings_it_states() {
    let mut fired = BTreeSet::new();
    let mut failures = Vec::new();
    let mut folders: Vec<_> = linked::fixtures()
        .read_dir_utf8()
        .expect("the fixtures")
        .map(|entry| entry.expect("an entry").into_path())
        .collect();
    folders.sort();
    for folder in folders {
        let case = linked::link(&folder);
        let bytes: Vec<(String, Vec<u8>)> = case
            .images
            .iter()
            .map(|path| {
                let name = path.file_name().expect("a name").to_owned();
                (name, fs_err::read(path).expect("the image"))
            })
            .collect();
        let inputs: Vec<Input<'_>> = bytes
            .iter()
            .map(|(name, bytes)| Input { name, bytes })
            .collect();
        let result = audit(&inputs, &case.policy).expect("readable images");
        let backwards: Vec<Input<'_>> = inputs.iter().rev().copied().collect();
        let reversed = audit(&backwards, &case.policy).expect("readable images");
        assert_eq!(
            result.findings, reversed.findings,
            "the order of images does not matter"
        );
        fired.extend(result.findings.iter().map(|finding| finding.rule));
        let name = folder.file_name().unwrap_or_default();
        failures.extend(compare(&result, &case.expected).map(|text| format!("{name}: {text}")));
        for tool in &case.tools {
            failures.extend(ask(&case, tool).map(|text| format!("{name}: {text}")));
        }
        for (image, bytes) in &bytes {
            assert_goblin_agrees(image, bytes);
        }
        assert!(case.dir.exists());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let tested = |rule: &&RuleId| !OF_WHEELS.contains(rule) && !ELSEWHERE.contains(rule);
    for rule in RuleId::ALL.iter().filter(tested) {
        assert!(fired.contains(rule), "no fixture violates {}", rule.name());
    }
}

/// Compares with `expect: <severity> <rule> <image> <offender>…`; an expectation without offenders
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
        let names = finding
            .offenders
            .iter()
            .map(|offender| offender.name.as_str());
        found.entry(head(finding)).or_default().extend(names);
    }
    for (head, offenders) in &mut found {
        if wanted.get(head).is_some_and(BTreeSet::is_empty) {
            offenders.clear();
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
