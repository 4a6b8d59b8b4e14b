//! The terms of the glossary: code and pages use them and not the words that they replaced, and what the glossary says of
//! the code is so.

use std::collections::BTreeMap;

use toml::{Table, Value};

use crate::rule::Rule;
use crate::sources::SourceFile;

pub(crate) const RULES: &[Rule] = &[
    Rule {
        name: "terms",
        check: terms,
    },
    Rule {
        name: "glossary",
        check: glossary,
    },
];

const GLOSSARY: &str = "docs/reference/glossary.md";

/// Lines of files that may have a former word: the key `link.glibc-floor` of manifests keeps its name.
const KEY: (&str, &str) = ("crates/mondo-plan/src/manifest/", "glibc_floor");

/// The table of `data/terms.toml`.
#[derive(Debug)]
struct Terms {
    /// The former words, with the terms that they became.
    former: BTreeMap<String, String>,
}

impl Terms {
    /// The words that are refused. The table is compiled in, and a test reads it.
    fn read() -> Self {
        let table = include_str!("../data/terms.toml").parse::<Table>();
        let table = table.unwrap_or_default();
        let rows = table.get("former").and_then(Value::as_table);
        let rows = rows.into_iter().flatten();
        let row = |(word, term): (&String, &Value)| Some((word.clone(), term.as_str()?.to_owned()));
        Self {
            former: rows.filter_map(row).collect(),
        }
    }

    /// The complaint about a line, if a former word stands in it.
    fn refused(&self, line: &str) -> Option<String> {
        let line = separated(line);
        let found = self.former.iter().find(|(word, _)| has_word(&line, word))?;
        Some(format!("says `{}`; the term is: {}", found.0, found.1))
    }
}

/// A line in lower case, with `_` between the parts of identifiers in mixed case.
fn separated(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut before = ' ';
    for each in line.chars() {
        if each.is_uppercase() && before.is_lowercase() {
            text.push('_');
        }
        text.extend(each.to_lowercase());
        before = each;
    }
    text
}

/// True if a word stands in the line, with no letter beside it.
fn has_word(line: &str, word: &str) -> bool {
    let word = word.to_lowercase();
    let is_letter = |each: Option<char>| each.is_some_and(char::is_alphabetic);
    line.match_indices(&word).any(|(at, _)| {
        let (before, behind) = (&line[..at], &line[at + word.len()..]);
        !is_letter(before.chars().next_back()) && !is_letter(behind.chars().next())
    })
}

/// No former word stands in an identifier, comment, message or page.
fn terms(files: &[SourceFile]) -> Vec<String> {
    const FOLDERS: &[&str] = &[
        "crates/",
        "bundle/",
        "xtask/",
        "tests/",
        "docs/",
        "examples/",
    ];
    const TEXT: &[&str] = &[
        ".rs", ".h", ".cpp", ".td", ".py", ".pyi", ".cmake", ".sh", ".toml", ".md",
    ];
    let terms = Terms::read();
    files
        .iter()
        .filter(|file| FOLDERS.iter().any(|folder| file.path.starts_with(folder)))
        .filter(|file| TEXT.iter().any(|end| file.path.ends_with(end)))
        .filter(|file| file.path != GLOSSARY && !file.path.starts_with("crates/mondo-tidy/"))
        .flat_map(|file| {
            file.complaints(&file.text, |line| {
                let is_key = file.path.starts_with(KEY.0) && line.contains(KEY.1);
                (!is_key).then(|| terms.refused(line)).flatten()
            })
        })
        .collect()
}

/// Each file and crate that the glossary says a term is defined in is there, and each row of `data/terms.toml` is on the
/// page: the former word, and the term.
fn glossary(files: &[SourceFile]) -> Vec<String> {
    let Some(page) = files.iter().find(|file| file.path == GLOSSARY) else {
        return Vec::new();
    };
    let exists = |path: &str| {
        let folder = format!("{path}/");
        files
            .iter()
            .any(|file| file.path == path || file.path.starts_with(&folder))
    };
    let mut complaints = page.complaints(&page.text, |line| {
        let cells: Vec<&str> = line.strip_prefix('|')?.split('|').collect();
        let [_, _, places, _] = cells[..] else {
            return None;
        };
        let missing = places.split('`').skip(1).step_by(2);
        let missing: Vec<&str> = missing.filter(|path| !exists(path)).collect();
        (!missing.is_empty()).then(|| format!("there is no {}", missing.join(", ")))
    });
    let text = page.text.to_lowercase();
    for (word, term) in Terms::read().former {
        for name in [word.replace('_', " "), term] {
            if !text.contains(&name.to_lowercase()) {
                complaints.push(format!(
                    "{GLOSSARY}: has no `{name}`, which data/terms.toml has"
                ));
            }
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::file;

    #[test]
    fn the_table_is_read() {
        assert!(Terms::read().former.len() > 20);
    }

    #[test]
    fn former_words_are_refused_however_they_are_written() {
        for line in [
            "let left_out = 1;",
            "struct LeftOut;",
            "set(MONDO_LEFT_OUT x)",
            "// The numbers that are stood for.",
            "self.bury(root);",
            "// Each offender has a line.",
            "fn python_floor() {}",
            "PyContextRef homeOf(MlirType raw)",
        ] {
            assert_eq!(terms(&[file("crates/a/src/b.rs", line)]).len(), 1, "{line}");
        }
        for line in [
            "// An argument may be left out.",
            "a.floor() + floor_div(b)",
            "clean(leaning)",
            "// The key is `link.glibc-floor`.",
        ] {
            assert!(
                terms(&[file("crates/a/src/b.rs", line)]).is_empty(),
                "{line}"
            );
        }
        let key = "pub(super) glibc_floor: Option<String>,";
        assert!(terms(&[file("crates/mondo-plan/src/manifest/file.rs", key)]).is_empty());
        assert_eq!(
            terms(&[file("crates/mondo-plan/src/plan.rs", key)]).len(),
            1
        );
    }

    #[test]
    fn the_glossary_names_files_that_are_there() {
        let all = Terms::read().former;
        let words = all
            .iter()
            .map(|(word, term)| format!("{} {term}\n", word.replace('_', " ")));
        let words: String = words.collect();
        let row = "| term | meaning | defined in |\n|---|---|---|\n| kit | an SDK | `crates/mondo-core`, [x](y.md) |\n";
        let there = file("crates/mondo-core/Cargo.toml", "");
        let page = file(GLOSSARY, &format!("{words}{row}"));
        assert_eq!(glossary(&[page.clone(), there.clone()]), [""; 0]);
        assert_eq!(
            glossary(&[page]),
            [format!(
                "{GLOSSARY}:{}: there is no crates/mondo-core",
                all.len() + 3
            )]
        );
        let short = file(GLOSSARY, row);
        assert!(glossary(&[short, there]).len() > 20);
    }
}
