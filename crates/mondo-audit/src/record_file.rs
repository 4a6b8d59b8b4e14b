//! RECORD file of a wheel (CSV: path, hash, size).

use ring::digest::{Algorithm, SHA256, SHA384, SHA512};

use crate::detail_list::DetailList;
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

/// Contents of a legible RECORD: memory for each entry of the wheel and not for each row, since a few kilobytes can unpack to
/// millions of rows.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// The row of each entry of the wheel, by the entry's index. Of entries with one name, the first has it.
    rows: Vec<Option<Row>>,
    /// Errors of RECORD itself, independent of the contents of files.
    pub(crate) wrong: DetailList,
}

/// Hash and size of a file.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) hash: Box<str>,
    pub(crate) size: Box<str>,
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
        if record.zip.unread {
            return fail(format!("{name} was not read"));
        }
        let bytes = wheel.contents(record)?;
        let Ok(text) = std::str::from_utf8(&bytes) else {
            return fail(format!("{name} is not UTF-8"));
        };
        let mut listed = Self::default();
        listed.rows.resize_with(wheel.entries.len(), || None);
        match csv_rows(text, |row| listed.add(row, wheel)) {
            Ok(()) => Ok(Ok(listed)),
            Err(line) => fail(format!("{name} is not a CSV file: line {line}")),
        }
    }

    fn add(&mut self, row: CsvRow<'_>, wheel: &Wheel<'_>) {
        let Some([path, hash, size]) = row.fields else {
            self.wrong.push(row.text, "not a path, a hash and a size");
            return;
        };
        let Some(place) = wheel.place(path) else {
            self.wrong.push(path, "listed, but not in the wheel");
            return;
        };
        let kept = |text: &str| text.chars().take(LONGEST).collect::<String>().into();
        let row = Row {
            hash: kept(hash),
            size: kept(size),
        };
        if self.rows[place].replace(row).is_some() {
            self.wrong.push(path, "listed more than once");
        }
    }

    /// The row of an entry.
    pub(crate) fn row(&self, entry: &Entry<'_>, wheel: &Wheel<'_>) -> Option<&Row> {
        self.rows.get(wheel.place(&entry.name)?)?.as_ref()
    }

    /// The hash algorithm that RECORD names for an entry, if the entry is listed with a known one.
    pub(crate) fn algorithm(
        &self,
        entry: &Entry<'_>,
        wheel: &Wheel<'_>,
    ) -> Option<&'static Algorithm> {
        let Row { hash, size } = self.row(entry, wheel)?;
        (!entry.zip.unread && size.parse() == Ok(entry.zip.size))
            .then(|| algorithm(hash.split_once('=')?.0))
            .flatten()
    }
}

/// The most characters that are kept of a hash or size. Those of SHA-512 are shorter, and what is longer is wrong.
const LONGEST: usize = 128;

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

/// A row of a CSV file.
#[derive(Debug)]
struct CsvRow<'t> {
    /// The row as it stands in the file.
    text: &'t str,
    /// Its fields, if it has three.
    fields: Option<[&'t str; 3]>,
}

/// Gives the rows of a CSV file (RFC 4180), with either line ending, to `add`. The error is a line's number.
fn csv_rows(text: &str, mut add: impl FnMut(CsvRow<'_>)) -> Result<(), usize> {
    let mut fields = [const { String::new() }; 3];
    let (mut place, mut start) = (0, 0);
    let (mut quoted, mut is_empty) = (false, true);
    let mut line = 1;
    let mut chars = text.char_indices().peekable();
    let mut finish = |fields: &mut [String; 3], count: usize, text: &str| {
        if !text.is_empty() {
            let [path, hash, size] = &*fields;
            let three = [path.as_str(), hash.as_str(), size.as_str()];
            let fields = (count == 2).then_some(three);
            add(CsvRow { text, fields });
        }
        fields.iter_mut().for_each(String::clear);
    };
    let push = |fields: &mut [String; 3], place: usize, char: char| {
        if let Some(field) = fields.get_mut(place) {
            field.push(char);
        }
    };
    while let Some((at, char)) = chars.next() {
        line += usize::from(char == '\n');
        let next = chars.peek().map(|(_, next)| *next);
        match char {
            '"' if quoted && next == Some('"') => {
                chars.next();
                push(&mut fields, place, char);
                is_empty = false;
            }
            '"' if quoted => {
                quoted = false;
                if !matches!(next, None | Some(',' | '\n' | '\r')) {
                    return Err(line);
                }
            }
            _ if quoted => {
                push(&mut fields, place, char);
                is_empty = false;
            }
            '"' if is_empty => quoted = true,
            '"' => return Err(line),
            ',' => (place, is_empty) = (place + 1, true),
            '\r' if next == Some('\n') => {}
            '\n' => {
                let row = &text[start..at];
                finish(&mut fields, place, row.strip_suffix('\r').unwrap_or(row));
                (place, start, is_empty) = (0, at + 1, true);
            }
            _ => {
                push(&mut fields, place, char);
                is_empty = false;
            }
        }
    }
    if quoted {
        return Err(line);
    }
    finish(&mut fields, place, &text[start..]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_fields_may_be_quoted() {
        let rows = |text: &str| {
            let mut rows = Vec::new();
            csv_rows(text, |row| {
                let fields = row.fields.map(|fields| fields.map(str::to_owned));
                rows.push(fields.ok_or(row.text.to_owned()));
            })
            .map(|()| rows)
        };
        let three = |fields: [&str; 3]| Ok(fields.map(str::to_owned));
        assert_eq!(
            rows("a,b,c\r\n\n\"x,\"\"y\"\"\",,1\na,b\na,b,c,d\r\n,,"),
            Ok(vec![
                three(["a", "b", "c"]),
                three(["x,\"y\"", "", "1"]),
                Err("a,b".to_owned()),
                Err("a,b,c,d".to_owned()),
                three(["", "", ""]),
            ])
        );
        assert_eq!(rows("a\n\"b"), Err(2));
        assert_eq!(rows("\"a\"b\n"), Err(1));
    }
}
