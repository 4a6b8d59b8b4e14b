//! `record`: hashes and sizes in the RECORD of a wheel.

use crate::finding::count;
use crate::finding::{Finding, Severity};
use crate::input_kind::InputKind;
use crate::read::wheel::{Entry, Wheel};
use crate::record_file::{Row, algorithm};
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;
use crate::wheel_scan::{EntryScan, WheelContents};

pub(super) const RULE: Rule = Rule {
    id: RuleId::Record,
    applies_to: &[InputKind::Wheel],
    severity: Severity::Error,
    summary: "RECORD describes the wheel's files",
    explanation: "RECORD must be CSV, list each file once, with its hash and size, and list no \
          other file. Signatures and RECORD itself have no hash.",
    rationale: "Installers check files against RECORD and uninstall with it. A file that is not \
          listed stays behind. A wrong hash makes the installation fail, or hides a change that \
          was made after the build.",
    remedy: "write RECORD last, from the bytes that go into the zip file",
    sources: &[
        "PyPA: Recording installed projects, the RECORD file",
        "PyPA: Binary distribution format; RFC 4180",
    ],
    checks: &[Check::Wheel(|contents, _| {
        check(contents).into_iter().collect()
    })],
};

/// Signatures cannot be in RECORD, which they sign; RECORD cannot hash itself.
const UNHASHED: &[&str] = &["RECORD", "RECORD.jws", "RECORD.p7s"];

fn finding(wheel: &Wheel<'_>, what: String) -> Finding {
    RULE.finding(Severity::Error, &wheel.name, what)
}

fn check(contents: &WheelContents<'_>) -> Option<Finding> {
    let wheel = contents.wheel;
    let listed = match &contents.listed {
        Ok(listed) => listed,
        Err(none) => {
            let folders = none.folders.iter().cloned();
            return Some(finding(wheel, none.what.clone()).about(folders));
        }
    };
    let folder = wheel.dist_info().unwrap_or_default();
    let mut wrong = listed.wrong.clone();
    for (entry, seen) in contents.entries() {
        let name = entry.name.strip_prefix(folder);
        let name = name.and_then(|name| name.strip_prefix('/'));
        let unhashed = name.is_some_and(|name| UNHASHED.contains(&name));
        let note = match listed.row(entry, wheel) {
            None if unhashed && name != Some("RECORD") => continue,
            None => "in the wheel, but not listed",
            Some(row) if unhashed && row.hash.is_empty() && row.size.is_empty() => continue,
            Some(_) if entry.zip.unread => continue,
            Some(row) => match mismatch(entry, seen, row) {
                None => continue,
                Some(note) => note,
            },
        };
        wrong.push(&entry.name, note);
    }
    (!wrong.is_empty()).then(|| {
        let files = count(wrong.len(), "file", "files");
        wrong.describe(finding(wheel, format!("RECORD is wrong about {files}")))
    })
}

/// Difference between an entry and its row in RECORD.
fn mismatch(entry: &Entry<'_>, seen: &EntryScan, row: &Row) -> Option<&'static str> {
    let Row { hash, size } = row;
    let Some((name, listed)) = hash.split_once('=') else {
        return Some("listed without a hash");
    };
    if size.parse() != Ok(entry.zip.size) {
        return Some("another size than listed");
    }
    if algorithm(name).is_none() {
        return Some("listed with a hash other than sha256, sha384 or sha512");
    }
    let found = seen
        .digest
        .as_ref()
        .map(|digest| base64_url(digest.as_ref()));
    (found.as_deref() != Some(listed)).then_some("another hash than listed")
}

/// Base64 with the alphabet that is safe in URLs, without padding.
fn base64_url(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut word = [0; 4];
        word[1..=chunk.len()].copy_from_slice(chunk);
        let word = u32::from_be_bytes(word);
        for digit in 0..=chunk.len() {
            let index = (word >> (18 - 6 * digit)) & 63;
            text.push(char::from(ALPHABET[index as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_rfc_4648() {
        for (plain, coded) in [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64_url(plain.as_bytes()), coded);
        }
        assert_eq!(base64_url(&[0xfb, 0xff, 0xfe]), "-__-");
    }
}
