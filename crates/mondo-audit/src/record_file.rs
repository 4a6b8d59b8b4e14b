//! RECORD file of a wheel (CSV: path, hash, size).

use std::collections::BTreeMap;

use ring::digest::{Algorithm, SHA256, SHA384, SHA512};

use crate::finding::Detail;
use crate::read::error::ReadError;
use crate::read::wheel::{Entry, Wheel};

/// A wheel whose RECORD is missing or illegible.
#[derive(Debug, Clone)]
pub(crate) struct NoRecord {
    /// The defect, as the sentence of a finding.
    pub(crate) what: String,
    /// The `.dist-info` folders, of a wheel that has not exactly one.
    pub(crate) folders: Vec<Detail>,
}

/// Contents of a legible RECORD.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// Hash and size by path.
    pub(crate) files: BTreeMap<String, (String, String)>,
    /// Errors of RECORD itself, independent of the contents of files.
    pub(crate) wrong: Vec<Detail>,
}

impl Listed {
    /// Reads the RECORD of a wheel. The inner error is that of a wheel without a legible RECORD.
    pub(crate) fn read(wheel: &Wheel<'_>) -> Result<Result<Self, NoRecord>, ReadError> {
        let fail = |what: String| {
            let folders = Vec::new();
            Ok(Err(NoRecord { what, folders }))
        };
        let Some(folder) = wheel.dist_info() else {
            let folders = wheel.dist_infos();
            let what = format!("has {} .dist-info folders instead of one", folders.len());
            let folders = folders.into_iter().map(Detail::named).collect();
            return Ok(Err(NoRecord { what, folders }));
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
                    listed.wrong.push(Detail::new(row.join(","), note));
                    continue;
                }
            };
            if wheel.entry(&path).is_none() {
                let note = "listed, but not in the wheel";
                listed.wrong.push(Detail::new(&path, note));
            }
            if listed.files.contains_key(&path) {
                listed
                    .wrong
                    .push(Detail::new(&path, "listed more than once"));
            }
            listed.files.insert(path, (hash, size));
        }
        listed
    }

    /// The hash algorithm that RECORD names for an entry, if the entry is listed with a known one.
    pub(crate) fn algorithm(&self, entry: &Entry<'_>) -> Option<&'static Algorithm> {
        let (hash, size) = self.files.get(&entry.name)?;
        (!entry.zip.unread && size.parse() == Ok(entry.zip.size))
            .then(|| algorithm(hash.split_once('=')?.0))
            .flatten()
    }
}

/// Looks up an algorithm by its name in RECORD. The implementation is ring's: on processors without SHA instructions
/// hashing took more than half of an audit, and ring is twice as fast as the crate sha2.
pub(crate) fn algorithm(name: &str) -> Option<&'static Algorithm> {
    match name {
        "sha256" => Some(&SHA256),
        "sha384" => Some(&SHA384),
        "sha512" => Some(&SHA512),
        _ => None,
    }
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
    fn csv_fields_may_be_quoted() {
        let rows = csv_rows("a,b,c\r\n\"x,\"\"y\"\"\",,1\n").expect("valid");
        assert_eq!(rows, [["a", "b", "c"], ["x,\"y\"", "", "1"]]);
        assert_eq!(csv_rows("a\n\"b"), Err(2));
        assert_eq!(csv_rows("\"a\"b\n"), Err(1));
    }
}
