//! The memory limit for the texts of a wheel: what RECORD, METADATA, WHEEL and the SBOMs say takes memory in proportion to
//! the file's size on disk. Deflate makes a thousand bytes of one, so a text of a few kilobytes can have millions of lines.

#[path = "../fuzz/src/memory.rs"]
pub mod memory;

use std::io::Write as _;
use std::time::{Duration, Instant};

use mondo_audit::{Audit, Policy, RuleId, audit_wheel, report};
use sha2::{Digest, Sha256};

const NAME: &str = "acme-1-py3-none-any.whl";
const METADATA: &str = "Metadata-Version: 2.4\nName: acme\nVersion: 1\n";
const WHEEL: &str = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n";

/// Bytes of memory for each byte of a file with long texts, for each byte of a file with many small images, of which each
/// has its facts and findings, and for any file.
const TIMES: usize = 8;
const TIMES_IMAGES: usize = 64;
const BASE: usize = 3 << 20;

/// Far more than an audit of these files takes, and far less than before it had limits.
const LONGEST: Duration = Duration::from_secs(20);

/// A text of this many unpacked bytes.
fn repeated(line: &str, size: usize) -> String {
    line.repeat(size / line.len())
}

/// Lines that each differ, so that they compress badly.
fn numbered(line: impl Fn(&str) -> String, lines: usize) -> String {
    (0..lines)
        .map(|number| {
            let digest: [u8; 32] = Sha256::digest(number.to_le_bytes()).into();
            let digits: Vec<String> = digest[..8]
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            line(&digits.concat())
        })
        .collect()
}

/// A wheel in which these files stand in place of the good ones.
fn wheel(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let good = [("METADATA", METADATA), ("WHEEL", WHEEL), ("RECORD", "")];
    let kept = good
        .iter()
        .filter(|(name, _)| !files.iter().any(|(other, _)| other == name));
    for (name, text) in kept.chain(files) {
        let options = zip::write::SimpleFileOptions::default().compression_level(Some(9));
        let name = format!("acme-1.dist-info/{name}");
        writer.start_file(name, options).expect("an entry");
        writer.write_all(text.as_bytes()).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

/// Audits the wheel and writes every report, within the limits.
fn audited(case: &str, bytes: &[u8]) -> Audit {
    audited_within(TIMES, case, bytes)
}

fn audited_within(times: usize, case: &str, bytes: &[u8]) -> Audit {
    let start = Instant::now();
    let (audit, peak) = memory::peak(|| {
        let audit = audit_wheel(NAME, bytes, &Policy::default()).expect("readable");
        let text = report::text(&audit);
        assert!(text.len() < 1 << 20, "{case}: a report of {}", text.len());
        serde_json::to_string(&audit).expect("an audit is JSON");
        let _ = report::sarif(std::slice::from_ref(&audit));
        audit
    });
    let taken = start.elapsed();
    println!(
        "{case}: {} bytes, {peak} bytes of memory, {taken:?}",
        bytes.len()
    );
    let most = times * bytes.len() + BASE;
    assert!(peak <= most, "{case}: {peak} for {}", bytes.len());
    assert!(taken < LONGEST, "{case}: {taken:?}");
    audit
}

fn has(audit: &Audit, rule: RuleId, words: &str) -> bool {
    let mut findings = audit.findings.iter();
    findings.any(|finding| finding.rule == rule && finding.what.contains(words))
}

/// Of one test, because the allocator counts for the whole process.
#[test]
fn texts_take_memory_in_proportion_to_the_file() {
    // The memory that threads and tables take once does not count.
    audit_wheel(NAME, &wheel(&[]), &Policy::default()).expect("readable");

    let most = 60 << 20;
    let long = |start: &str, part: &str| format!("{start}{}\n", repeated(part, most));
    let swollen = [
        ("rows", "RECORD", repeated("a,,\n", most)),
        ("columns", "RECORD", repeated(",", most)),
        ("one quoted field", "RECORD", long("\"", "a\"\"")),
        (
            "classifiers",
            "METADATA",
            METADATA.to_owned() + &repeated("Classifier: a\n", most),
        ),
        (
            "fields",
            "METADATA",
            METADATA.to_owned() + &repeated(":\n", most),
        ),
        (
            "folded lines",
            "METADATA",
            METADATA.to_owned() + "Summary: a\n" + &repeated(" a\n", most),
        ),
        (
            "tags",
            "WHEEL",
            WHEEL.to_owned() + &repeated("Tag: a-b-c\n", most),
        ),
        (
            "arrays",
            "sboms/a.json",
            format!("[{}1]", repeated("[],", most)),
        ),
    ];
    for (case, file, text) in &swollen {
        let bytes = wheel(&[(file, text)]);
        assert!(bytes.len() < 400_000, "{case}: {}", bytes.len());
        let audit = audited(case, &bytes);
        assert!(
            has(&audit, RuleId::Zip, "unpack"),
            "{case}: {:#?}",
            audit.findings
        );
    }

    // Texts that stay below the limit are read, and the list of what is wrong ends at some length.
    let small = 200_000;
    let name = |digits: &str| format!("{digits},,\n");
    let field = |digits: &str| format!("{digits}: 1\n");
    let versions = |start: &str| format!("{METADATA}{start}{}\n", repeated(">=1,", small) + ">1");
    let read = [
        (
            "few rows",
            RuleId::Record,
            "RECORD",
            repeated("a,,\n", small),
        ),
        (
            "few columns",
            RuleId::Record,
            "RECORD",
            repeated(",", small),
        ),
        (
            "many names",
            RuleId::Record,
            "RECORD",
            numbered(name, 50_000),
        ),
        (
            "many fields",
            RuleId::Metadata,
            "METADATA",
            METADATA.to_owned() + &numbered(field, 50_000),
        ),
        (
            "empty fields",
            RuleId::Metadata,
            "METADATA",
            METADATA.to_owned() + &repeated(":\n", small),
        ),
        (
            "versions",
            RuleId::Metadata,
            "METADATA",
            versions("Requires-Dist: a "),
        ),
        (
            "versions of Python",
            RuleId::Metadata,
            "METADATA",
            versions("Requires-Python: "),
        ),
        (
            "licences",
            RuleId::Metadata,
            "METADATA",
            format!(
                "{METADATA}License-Expression: MIT{}\n",
                repeated(" OR MIT", small)
            ),
        ),
        (
            "parts of a version",
            RuleId::Metadata,
            "METADATA",
            format!("Name: acme\nVersion: 1{}\n", repeated(".1", small)),
        ),
        (
            "few tags",
            RuleId::Tag,
            "WHEEL",
            WHEEL.to_owned() + &repeated("Tag: a\n", small),
        ),
        (
            "many tags",
            RuleId::Tag,
            "WHEEL",
            WHEEL.to_owned() + &numbered(|digits| format!("Tag: {digits}\n"), 50_000),
        ),
        (
            "few arrays",
            RuleId::Sbom,
            "sboms/a.json",
            format!("[{}1]", repeated("[],", small)),
        ),
        (
            "few objects",
            RuleId::Sbom,
            "sboms/a.json",
            format!("{{\"a\":[{}1]}}", repeated("{},", small)),
        ),
    ];
    for (case, rule, file, text) in &read {
        let audit = audited(case, &wheel(&[(file, text)]));
        assert!(has(&audit, *rule, ""), "{case}: {:#?}", audit.findings);
        assert!(
            !has(&audit, RuleId::Zip, ""),
            "{case}: {:#?}",
            audit.findings
        );
        let longest = audit
            .findings
            .iter()
            .map(|finding| finding.details.len())
            .max();
        assert!(longest <= Some(1000), "{case}: {longest:?}");
    }

    // Each of these findings has another sentence, so that they are not written as one.
    let broken: Vec<(String, String)> = (0..3000_usize)
        .map(|number| {
            let start = "\u{7f}ELF\u{2}\u{1}\u{1}";
            (
                format!("../{number}.so"),
                format!("{start}{}", "\0".repeat(50 + number)),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = broken
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let audit = audited_within(TIMES_IMAGES, "many broken images", &wheel(&files));
    let text = report::text(&audit);
    assert!(
        text.lines().count() < 2000,
        "{} lines",
        text.lines().count()
    );

    // Many texts are read one by one.
    let document = format!("{{\"a\":[{}1]}}", repeated("[],", small));
    let names: Vec<String> = (0..20)
        .map(|number| format!("sboms/{number}.json"))
        .collect();
    let files: Vec<(&str, &str)> = names
        .iter()
        .map(|name| (name.as_str(), document.as_str()))
        .collect();
    let audit = audited("many SBOMs", &wheel(&files));
    assert!(
        has(&audit, RuleId::Sbom, "20 broken SBOMs"),
        "{:#?}",
        audit.findings
    );
}
