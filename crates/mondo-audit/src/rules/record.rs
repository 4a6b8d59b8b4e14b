//! `record`: a wheel's `RECORD` lists every file with its right hash and size, and no other.

use std::collections::BTreeMap;

use ring::digest::{Algorithm, SHA256, SHA384, SHA512};

use super::count;
use crate::read::wheel::Entry;
use crate::wheel_scan::{Contents, Seen};
use crate::{Finding, Offender, ReadError, Rule, RuleId, Severity, Subject, Wheel};

pub(crate) const RULE: Rule = Rule {
    title: "RECORD describes the wheel's files",
    applies: &[Subject::Wheel],
    why: "Installers check files against RECORD and uninstall by it: a file that is not listed \
          stays behind, a wrong hash makes installation fail or hides a change made after the build.",
    fix: "write RECORD last, from the bytes that go into the zip file",
};

/// Signatures cannot be in RECORD, which they sign; RECORD cannot hash itself.
const UNHASHED: &[&str] = &["RECORD", "RECORD.jws", "RECORD.p7s"];

/// What RECORD lists.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// Hash and size by path.
    files: BTreeMap<String, (String, String)>,
    /// What is wrong whatever the files hold.
    wrong: Vec<Offender>,
}

impl Listed {
    /// Reads the wheel's RECORD, or says why there is nothing to read.
    pub(crate) fn read(wheel: &Wheel<'_>) -> Result<Result<Self, Finding>, ReadError> {
        let fail = |what: String| Ok(Err(finding(wheel, what)));
        let Some(folder) = wheel.dist_info() else {
            let folders = wheel.dist_infos();
            let what = format!("has {} .dist-info folders instead of one", folders.len());
            let found = finding(wheel, what).about(folders.into_iter().map(Offender::named));
            return Ok(Err(found));
        };
        let name = format!("{folder}/RECORD");
        let Some(record) = wheel.entry(&name) else {
            return fail(format!("has no {name}"));
        };
        let bytes = wheel.contents(record)?;
        let Ok(text) = std::str::from_utf8(&bytes) else {
            return fail(format!("{name} is not UTF-8"));
        };
        match csv_rows(text) {
            Ok(rows) => Ok(Ok(Self::of(rows, wheel))),
            Err(line) => fail(format!("{name} is no CSV file: line {line}")),
        }
    }

    fn of(rows: Vec<Vec<String>>, wheel: &Wheel<'_>) -> Self {
        let mut listed = Self::default();
        for row in rows {
            let [path, hash, size] = match <[String; 3]>::try_from(row) {
                Ok(row) => row,
                Err(row) => {
                    let note = "not a path, a hash and a size";
                    listed.wrong.push(Offender::new(row.join(","), note));
                    continue;
                }
            };
            if wheel.entry(&path).is_none() {
                let note = "listed, but not in the wheel";
                listed.wrong.push(Offender::new(&path, note));
            }
            if listed.files.contains_key(&path) {
                listed
                    .wrong
                    .push(Offender::new(&path, "listed more than once"));
            }
            listed.files.insert(path, (hash, size));
        }
        listed
    }

    /// By what an entry has to be hashed to compare it with what is listed, if by anything.
    pub(crate) fn algorithm(&self, entry: &Entry<'_>) -> Option<&'static Algorithm> {
        let (hash, size) = self.files.get(&entry.name)?;
        (!entry.zip.unread && size.parse() == Ok(entry.zip.size))
            .then(|| algorithm(hash.split_once('=')?.0))
            .flatten()
    }
}

fn finding(wheel: &Wheel<'_>, what: String) -> Finding {
    Finding::new(RuleId::Record, Severity::Error, &wheel.name, what)
}

pub(crate) fn check(contents: &Contents<'_>) -> Option<Finding> {
    let wheel = contents.wheel;
    let listed = match &contents.listed {
        Ok(listed) => listed,
        Err(finding) => return Some(finding.clone()),
    };
    let folder = wheel.dist_info().unwrap_or_default();
    let mut wrong = listed.wrong.clone();
    wrong.extend(contents.entries().filter_map(|(entry, seen)| {
        let name = entry.name.strip_prefix(folder);
        let name = name.and_then(|name| name.strip_prefix('/'));
        let unhashed = name.is_some_and(|name| UNHASHED.contains(&name));
        let note = match listed.files.get(&entry.name) {
            None if unhashed && name != Some("RECORD") => return None,
            None => "in the wheel, but not listed",
            Some((hash, size)) if unhashed && hash.is_empty() && size.is_empty() => return None,
            Some(_) if entry.zip.unread => return None,
            Some((hash, size)) => mismatch(entry, seen, hash, size)?,
        };
        Some(Offender::new(&entry.name, note))
    }));
    (!wrong.is_empty()).then(|| {
        let files = count(wrong.len(), "file", "files");
        finding(wheel, format!("RECORD is wrong about {files}")).about(wrong)
    })
}

/// What RECORD has wrong about an entry.
fn mismatch(entry: &Entry<'_>, seen: &Seen, hash: &str, size: &str) -> Option<&'static str> {
    let Some((name, listed)) = hash.split_once('=') else {
        return Some("listed without a hash");
    };
    if size.parse() != Ok(entry.zip.size) {
        return Some("another size than listed");
    }
    if algorithm(name).is_none() {
        return Some("listed with a hash that is none of sha256, sha384, sha512");
    }
    let found = seen
        .digest
        .as_ref()
        .map(|digest| base64_url(digest.as_ref()));
    (found.as_deref() != Some(listed)).then_some("another hash than listed")
}

/// Not the crate sha2's: without the processor's own instructions for it, hashing was more than half
/// of an audit, and ring is twice as fast.
fn algorithm(name: &str) -> Option<&'static Algorithm> {
    match name {
        "sha256" => Some(&SHA256),
        "sha384" => Some(&SHA384),
        "sha512" => Some(&SHA512),
        _ => None,
    }
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
