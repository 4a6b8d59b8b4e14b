//! A TOML file that people write: where something stands in it, and what serde says about it, turned
//! into errors that name file, line, column, key and the nearest known word.

use std::collections::BTreeMap;
use std::ops::Range;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use serde::de::DeserializeOwned;

use crate::spanned::Spanned;

/// A TOML file's text and the path it is called by in messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    path: Utf8PathBuf,
    text: String,
    /// The part of another file that this one was made from, in which errors are placed.
    origin: Option<Box<Origin>>,
}

/// The part of a file that another one was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) document: Document,
    /// The words that stand in both, with their places in the first.
    pub(crate) words: Vec<Spanned<String>>,
    /// The place for all others.
    pub(crate) start: Range<usize>,
}

/// The most bytes of a file. Those that people write have some thousands.
const LARGEST: u64 = 1 << 20;

/// The most bytes of a key. The longest that the formats have is a third of that.
const LONGEST_KEY: usize = 100;

/// The most bytes of a text in quotes.
const LONGEST_TEXT: usize = 16 << 10;

/// The key that says of which kind a file is, the kind, and what such a file is for.
const KINDS: [(&str, &str, &str); 2] = [
    (
        "dialect-crate",
        "dialect crate",
        "check it with `mondo manifest`; to bundle it, add its folder to `contents.crates` of \
         a manifest",
    ),
    (
        "manifest",
        "manifest",
        "pass it to `mondo bundle --manifest`; `contents.crates` lists folders with a \
         dialect.toml",
    ),
];

impl Document {
    pub(crate) fn new(path: &Utf8Path, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            origin: None,
        }
    }

    /// Marks the document as made from a part of another file, which messages then name.
    pub(crate) fn made_from(self, origin: Origin) -> Self {
        Self {
            origin: Some(Box::new(origin)),
            ..self
        }
    }

    /// True if it was made from a part of another file.
    pub(crate) fn is_made(&self) -> bool {
        self.origin.is_some()
    }

    /// Reads a file; one that is missing or not UTF-8 is an error of the file, not of the system.
    pub(crate) fn read(path: &Utf8Path, called: &str) -> Result<Self> {
        let refused = || {
            Error::new(ErrorKind::Manifest, format!("cannot read the {called}")).at(path.as_str())
        };
        let bytes = file::read(path, LARGEST).map_err(|error| {
            let why = match std::error::Error::source(&error) {
                Some(system) => system.to_string(),
                None => error.what().to_owned(),
            };
            refused()
                .because(why)
                .help("check the path; it is relative to the current folder")
        })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            refused()
                .because(format!("it is not UTF-8: {error}"))
                .help("save the file as UTF-8")
        })?;
        Ok(Self {
            path: path.to_owned(),
            text,
            origin: None,
        })
    }

    /// True if the file says that it is of the kind that `key` is for.
    pub(crate) fn has_key(&self, key: &str) -> bool {
        let table = toml::from_str::<toml::Table>(&self.text);
        table.is_ok_and(|table| table.contains_key(key))
    }

    /// The path by which messages call it.
    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// The folder that relative paths of this file start from.
    pub(crate) fn folder(&self) -> &Utf8Path {
        self.path.parent().unwrap_or(Utf8Path::new(""))
    }

    /// The file's name, without its folder.
    pub(crate) fn file_name(&self) -> &str {
        self.path.file_name().unwrap_or_default()
    }

    /// The header of a table, or the start of a file that has no such header.
    pub(crate) fn table_span(&self, table: &str) -> Range<usize> {
        let header = format!("[{table}]");
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            if line.trim_start().starts_with(&header) {
                return start..start + line.trim_end().len();
            }
            start += line.len();
        }
        0..0
    }

    /// `file:line:column` of a byte offset; both count from one, columns in characters.
    pub(crate) fn place(&self, offset: usize) -> String {
        if let Some(origin) = &self.origin {
            let quoted = self
                .text
                .get(offset..)
                .and_then(|rest| rest.strip_prefix('"'));
            let word = quoted.and_then(|rest| rest.split('"').next());
            let same = origin
                .words
                .iter()
                .find(|same| Some(same.get_ref().as_str()) == word);
            let span = same.map_or_else(|| origin.start.clone(), Spanned::span);
            return origin.document.place(span.start);
        }
        let before = self.text.get(..offset).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before[start..].chars().count() + 1;
        format!("{}:{line}:{column}", self.path)
    }

    /// An error about the words at `span`.
    pub(crate) fn error(
        &self,
        kind: ErrorKind,
        span: Range<usize>,
        what: impl Into<String>,
    ) -> Error {
        Error::new(kind, what).at(self.place(span.start))
    }

    /// Parses the text; unknown keys and wrong types are placed, and the nearest known key is named.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        // A file that is not TOML is explained below.
        if let Ok(table) = toml::from_str::<toml::Table>(&self.text) {
            self.check_lengths(&table)?;
        }
        toml::from_str(&self.text).map_err(|error| self.explain(&error))
    }

    /// Refuses keys and texts that are longer than anybody writes. They become names of files and parts of messages.
    fn check_lengths(&self, table: &toml::Table) -> Result<()> {
        // Other programs' tables of a project file are none of ours.
        let is_ours = |key: &str| match self.file_name() {
            "pyproject.toml" => matches!(key, "project" | "tool"),
            _ => true,
        };
        let tables = table.iter().filter(|(key, _)| is_ours(key));
        let mut pending: Vec<(&str, &toml::Value)> = Vec::new();
        for (key, value) in tables {
            match (key.as_str(), value) {
                ("tool", toml::Value::Table(tools)) if self.file_name() == "pyproject.toml" => {
                    pending.extend(tools.get("mondo").map(|table| ("mondo", table)));
                }
                _ => pending.push((key, value)),
            }
        }
        while let Some((key, value)) = pending.pop() {
            if key.len() > LONGEST_KEY {
                return Err(self.too_long("key", key, LONGEST_KEY));
            }
            match value {
                toml::Value::String(text) if text.len() > LONGEST_TEXT => {
                    let error = self.too_long("text", text, LONGEST_TEXT);
                    return Err(error.because(format!(
                        "`{key}` has {} bytes; the limit is {LONGEST_TEXT}",
                        text.len()
                    )));
                }
                toml::Value::Array(list) => pending.extend(list.iter().map(|part| (key, part))),
                toml::Value::Table(table) => {
                    pending.extend(table.iter().map(|(key, value)| (key.as_str(), value)));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn too_long(&self, called: &str, word: &str, most: usize) -> Error {
        let start: String = word.chars().take(WORD_SHOWN).collect();
        // A word with escapes does not stand in the file as it is.
        let place = self.text.find(&start).unwrap_or_default();
        let what = format!("the {called} `{start}…` is too long");
        self.error(ErrorKind::Manifest, place..place, what)
            .because(format!("it has {} bytes; the limit is {most}", word.len()))
    }

    /// Parses a file whose `key` says of which `format` it is, and refuses another format before anything
    /// else: a later one may have keys that this program does not know. `called` is the file's kind.
    pub(crate) fn parse_format<T: DeserializeOwned>(
        &self,
        key: &str,
        format: u32,
        called: &str,
    ) -> Result<T> {
        let keys: BTreeMap<String, Spanned<toml::Value>> = self.parse()?;
        let other = KINDS
            .iter()
            .find(|(of, ..)| *of != key && keys.contains_key(*of));
        if let (None, Some((_, other, help))) = (keys.get(key), other) {
            let what = format!("this is a {other}, not a {called}");
            return Err(self.error(ErrorKind::Manifest, 0..0, what).help(*help));
        }
        self.check_format(keys.get(key), 0..0, key, format, called)?;
        self.parse()
    }

    /// Refuses a file of another format than `format`. `written` is what it says of that, and `start`
    /// the place where it could.
    pub(crate) fn check_format(
        &self,
        written: Option<&Spanned<toml::Value>>,
        start: Range<usize>,
        key: &str,
        format: u32,
        called: &str,
    ) -> Result<()> {
        let Some(written) = written else {
            let what = format!("the {called} has no format");
            return Err(self
                .error(ErrorKind::Manifest, start, what)
                .help(format!("begin it with `{key} = {format}`")));
        };
        match written.get_ref().as_integer().map(u32::try_from) {
            Some(Ok(other)) if other != format => {
                let what = format!("unknown {called} format {other}");
                Err(self
                    .error(ErrorKind::Manifest, written.span(), what)
                    .because(format!("this mondo supports format {format}"))
                    .help(format!(
                        "update mondo, or write the {called} in the supported format"
                    )))
            }
            _ => Ok(()),
        }
    }

    fn explain(&self, error: &toml::de::Error) -> Error {
        let message = error.message();
        let key = key_path(error);
        let placed = |what: String| match error.span() {
            Some(span) => self.error(ErrorKind::Manifest, span, what),
            None => Error::new(ErrorKind::Manifest, what).at(self.path.as_str()),
        };
        // serde itself words these four messages, in `serde::de::Error`; any other message is
        // passed on unchanged.
        if let Some(rest) = message.strip_prefix("unknown field ") {
            let words = backticked(rest);
            let (unknown, known) = words.split_first().unwrap_or((&"", &[]));
            return placed(format!("unknown key `{unknown}` in {}", table(&key)))
                .help(suggest(unknown, known.iter().copied()));
        }
        if let Some(rest) = message.strip_prefix("missing field ") {
            let missing = backticked(rest).first().copied().unwrap_or_default();
            return placed(format!("missing key `{missing}` in {}", table(&key)))
                .help(format!("add `{missing} = …`"));
        }
        if let Some(rest) = message.strip_prefix("unknown variant ") {
            let words = backticked(rest);
            let (unknown, known) = words.split_first().unwrap_or((&"", &[]));
            return placed(format!("invalid `{key}`: `{unknown}`"))
                .help(suggest(unknown, known.iter().copied()));
        }
        let mismatch = message
            .strip_prefix("invalid type: ")
            .or_else(|| message.strip_prefix("invalid value: "))
            .and_then(|rest| rest.rsplit_once(", expected "));
        if let Some((found, expected)) = mismatch {
            let (found, expected) = (plainly(found), plainly(expected));
            let error = placed(format!("`{key}` has the wrong type"))
                .because(format!("expected {expected}, found {found}"));
            return match (expected, found) {
                ("a string", "a list" | "a table") => error,
                ("a string", _) => error.help("put it in quotes"),
                ("a list", _) => error.help("write it as `[…]`"),
                _ => error,
            };
        }
        placed("this is not valid TOML".to_owned()).because(message)
    }
}

/// The dotted key that toml names in an error's long form, which has no accessor of its own.
fn key_path(error: &toml::de::Error) -> String {
    let mut bare = error.clone();
    bare.set_input(None);
    bare.to_string()
        .lines()
        .filter_map(|line| line.strip_prefix("in `")?.strip_suffix('`'))
        .next_back()
        .unwrap_or_default()
        .to_owned()
}

/// serde's names of types in the words that TOML has for them.
fn plainly(name: &str) -> &str {
    match name {
        "sequence" | "a sequence" => "a list",
        "map" | "a map" => "a table",
        "u8" | "u32" => "a whole number",
        name if name.starts_with("struct ") => "a table",
        name => name,
    }
}

fn table(key: &str) -> String {
    if key.is_empty() {
        "the top level of this file".to_owned()
    } else {
        format!("[{key}]")
    }
}

fn backticked(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The characters that are shown of a word that is too long.
const WORD_SHOWN: usize = 40;

/// The number of words that are listed where none is near.
const WORDS_SHOWN: usize = 60;

/// "did you mean …?" with the nearest words, or the list of all where none is near.
pub fn suggest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.into_iter().collect();
    known.sort_unstable();
    known.dedup();
    did_you_mean(word, &known).unwrap_or_else(|| {
        let more = known.len().saturating_sub(WORDS_SHOWN);
        let rest = match more {
            0 => String::new(),
            more => format!(", … and {more} more"),
        };
        known.truncate(WORDS_SHOWN);
        format!("the choices are: {}{rest}", known.join(", "))
    })
}

/// "did you mean …?" with the nearest words, if any is near.
pub fn did_you_mean(word: &str, known: &[&str]) -> Option<String> {
    let near = nearest(word, known);
    let quoted: Vec<String> = near.iter().map(|word| format!("`{word}`")).collect();
    (!near.is_empty()).then(|| format!("did you mean {}?", quoted.join(" or ")))
}

/// At most three words that a typing error could have turned into `word`, the nearest first. Case
/// and the difference between `-` and `_` do not count.
fn nearest<'a>(word: &str, known: &[&'a str]) -> Vec<&'a str> {
    // The distance takes time in proportion to the product of the lengths.
    if word.len() > LONGEST_KEY {
        return Vec::new();
    }
    let fold = |word: &str| word.to_lowercase().replace('_', "-");
    let word = fold(word);
    let most = (word.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &str)> = known
        .iter()
        .map(|known| (strsim::damerau_levenshtein(&word, &fold(known)), *known))
        .filter(|(distance, _)| *distance <= most)
        .collect();
    near.sort_unstable();
    near.into_iter().take(3).map(|(_, known)| known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_from_one() {
        let source = Document::new("m.toml".into(), "a = 1\n\"ö\" = 2\n");
        assert_eq!(source.place(0), "m.toml:1:1");
        assert_eq!(source.place(6), "m.toml:2:1");
        assert_eq!(source.place("a = 1\n\"ö\"".len()), "m.toml:2:4");
        assert_eq!(source.place(999), "m.toml:3:1");
    }

    #[test]
    fn words_have_a_limit() {
        let long = "a".repeat(1_000_000);
        let key = format!("[x]\n[x.y]\n{long} = 1\n");
        let text = format!("[x]\nk = [{{ z = \"{long}\" }}]\n");
        for (name, text, place, why) in [
            (
                "m.toml",
                &key,
                "m.toml:3:1",
                "it has 1000000 bytes; the limit is 100",
            ),
            (
                "m.toml",
                &text,
                "m.toml:2:13",
                "`z` has 1000000 bytes; the limit is 16384",
            ),
        ] {
            let document = Document::new(name.into(), text);
            let error = document.parse::<toml::Table>().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Manifest);
            assert_eq!(error.place(), Some(place));
            let message = error.to_string();
            assert!(message.contains(why) && message.len() < 300, "{message}");
        }
        let others = format!("[tool.other]\n{long} = \"{long}\"\n[other]\n{long} = 1\n");
        let document = Document::new("pyproject.toml".into(), &others);
        document.parse::<toml::Table>().unwrap();
        let ours = others.replace("[tool.other]", "[tool.mondo]");
        let document = Document::new("pyproject.toml".into(), &ours);
        assert!(document.parse::<toml::Table>().is_err());
        assert!(nearest(&long, &["a", "b"]).is_empty());
    }

    #[test]
    fn a_file_has_a_limit_and_is_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(dir.path()).unwrap().join("m.toml");
        fs_err::write(&path, "#".repeat(1 << 20)).unwrap();
        Document::read(&path, "manifest").unwrap();
        fs_err::write(&path, "#".repeat((1 << 20) + 1)).unwrap();
        for (path, why) in [
            (path.as_path(), "larger than 1048576 bytes"),
            ("/dev/zero".into(), "found a device"),
            (&path.with_file_name("nothing"), "No such file"),
        ] {
            let error = Document::read(path, "manifest").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Manifest);
            assert!(error.to_string().contains(why), "{error}");
        }
    }

    #[test]
    fn errors_of_a_file_that_was_made_are_placed_in_the_other_one() {
        let manifest = Document::new("bundle.toml".into(), "name = \"one\"\npasses = \"f\"\n");
        let generated = Document::new("dialect.toml".into(), "[a]\nx = \"f\"\ny = \"g\"\n");
        let document = generated.made_from(Origin {
            document: manifest,
            words: vec![Spanned::new(22..25, "f".to_owned())],
            start: 7..12,
        });
        assert_eq!(document.place("[a]\nx = ".len()), "bundle.toml:2:10");
        assert_eq!(
            document.place("[a]\nx = \"f\"\ny = ".len()),
            "bundle.toml:1:8"
        );
    }

    #[test]
    fn nearest_words_come_first_and_distant_ones_not_at_all() {
        let known = ["affine", "arith", "func", "arm_sve", "arm_sme"];
        assert_eq!(nearest("fnc", &known), ["func"]);
        assert_eq!(nearest("arm-svr", &known), ["arm_sve", "arm_sme"]);
        assert!(nearest("tensorflow", &known).is_empty());
        assert_eq!(suggest("zzzzz", ["b", "a"]), "the choices are: a, b");
        let many: Vec<String> = (100..300).map(|number| format!("a{number}")).collect();
        let hint = suggest("zzzzz", many.iter().map(String::as_str));
        assert!(hint.ends_with("a159, … and 140 more"), "{hint}");
    }
}
