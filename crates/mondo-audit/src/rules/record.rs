//! `record`: a wheel's `RECORD` lists every file with its right hash and size, and no other.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use ring::digest::{SHA256, SHA384, SHA512, digest};

use super::count;
use crate::{Finding, Offender, Rule, RuleId, Severity, Subject, Wheel};

pub(crate) const RULE: Rule = Rule {
    title: "RECORD describes the wheel's files",
    applies: &[Subject::Wheel],
    why: "Installers check files against RECORD and uninstall by it: a file that is not listed \
          stays behind, a wrong hash makes installation fail or hides a change made after the build.",
    fix: "write RECORD last, from the bytes that go into the zip file",
};

/// Signatures cannot be in RECORD, which they sign; RECORD cannot hash itself.
const UNHASHED: &[&str] = &["RECORD", "RECORD.jws", "RECORD.p7s"];

pub(crate) fn check(wheel: &Wheel<'_>) -> Option<Finding> {
    let fail = |what: String| Finding::new(RuleId::Record, Severity::Error, &wheel.name, what);
    let Some(folder) = wheel.dist_info() else {
        let folders = wheel.dist_infos();
        let what = format!("has {} .dist-info folders instead of one", folders.len());
        return Some(fail(what).about(folders.into_iter().map(Offender::named)));
    };
    let record_name = format!("{folder}/RECORD");
    let Some(record) = wheel.entry(&record_name) else {
        return Some(fail(format!("has no {record_name}")));
    };
    let Ok(text) = std::str::from_utf8(&record.bytes) else {
        return Some(fail(format!("{record_name} is not UTF-8")));
    };
    let rows = match csv_rows(text) {
        Ok(rows) => rows,
        Err(line) => return Some(fail(format!("{record_name} is no CSV file: line {line}"))),
    };

    let present: BTreeSet<&str> = wheel
        .entries
        .iter()
        .map(|entry| entry.name.as_str())
        .collect();
    let mut wrong = Vec::new();
    let mut listed: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    for row in &rows {
        let [path, hash, size] = row.as_slice() else {
            wrong.push(Offender::new(
                row.join(","),
                "not a path, a hash and a size",
            ));
            continue;
        };
        if listed.insert(path, (hash, size)).is_some() {
            wrong.push(Offender::new(path, "listed more than once"));
        }
        if !present.contains(path.as_str()) {
            wrong.push(Offender::new(path, "listed, but not in the wheel"));
        }
    }
    wrong.par_extend(wheel.entries.par_iter().filter_map(|entry| {
        let unhashed = UNHASHED
            .iter()
            .any(|name| entry.name.strip_prefix(folder) == Some(&format!("/{name}")));
        let note = match listed.get(entry.name.as_str()) {
            None if unhashed && entry.name != record_name => return None,
            None => "in the wheel, but not listed",
            Some(("", "")) if unhashed => return None,
            Some(_) if entry.zip.unread => return None,
            Some((hash, size)) => mismatch(&entry.bytes, hash, size)?,
        };
        Some(Offender::new(&entry.name, note))
    }));
    (!wrong.is_empty()).then(|| {
        fail(format!(
            "RECORD is wrong about {}",
            count(wrong.len(), "file", "files")
        ))
        .about(wrong)
    })
}

/// What RECORD has wrong about these bytes.
fn mismatch(bytes: &[u8], hash: &str, size: &str) -> Option<&'static str> {
    let Some((algorithm, listed)) = hash.split_once('=') else {
        return Some("listed without a hash");
    };
    if size.parse() != Ok(bytes.len()) {
        return Some("another size than listed");
    }
    // Not the crate sha2: without the processor's own instructions for it, hashing was more than half of
    // an audit, and ring is twice as fast.
    let algorithm = match algorithm {
        "sha256" => &SHA256,
        "sha384" => &SHA384,
        "sha512" => &SHA512,
        _ => return Some("listed with a hash that is none of sha256, sha384, sha512"),
    };
    let found = digest(algorithm, bytes);
    (base64_url(found.as_ref()) != listed).then_some("another hash than listed")
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

/// The rows of a CSV file (RFC 4180) with either line ending; the error is a line's number.
fn csv_rows(text: &str) -> Result<Vec<Vec<String>>, usize> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    let mut line = 1;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        line += usize::from(char == '\n');
        match char {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if quoted => {
                quoted = false;
                if !matches!(chars.peek(), None | Some(',' | '\n' | '\r')) {
                    return Err(line);
                }
            }
            _ if quoted => field.push(char),
            '"' if field.is_empty() => quoted = true,
            '"' => return Err(line),
            ',' => row.push(std::mem::take(&mut field)),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' => {
                if !(row.is_empty() && field.is_empty()) {
                    row.push(std::mem::take(&mut field));
                    rows.push(std::mem::take(&mut row));
                }
            }
            _ => field.push(char),
        }
    }
    if quoted {
        return Err(line);
    }
    if !(row.is_empty() && field.is_empty()) {
        row.push(field);
        rows.push(row);
    }
    Ok(rows)
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

    #[test]
    fn csv_fields_may_be_quoted() {
        let rows = csv_rows("a,b,c\r\n\"x,\"\"y\"\"\",,1\n").expect("valid");
        assert_eq!(rows, [["a", "b", "c"], ["x,\"y\"", "", "1"]]);
        assert_eq!(csv_rows("a\n\"b"), Err(2));
        assert_eq!(csv_rows("\"a\"b\n"), Err(1));
    }
}
