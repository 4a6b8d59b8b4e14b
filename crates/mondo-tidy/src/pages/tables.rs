//! The pages of docs/reference whose tables are written by hand and compared with the code: exit codes
//! and environment variables.

use std::collections::BTreeSet;

use camino::Utf8Path;
use mondo_build::{ErrorKind, Result};

use mondo_testbed::files::tracked;

/// The names of our environment variables begin so.
const PREFIX: &str = "MONDO_";

/// Complaints about rows that are missing, and about rows of what no longer exists.
///
/// # Errors
///
/// If a page or a source cannot be read.
pub(super) fn differences(workspace: &Utf8Path) -> Result<Vec<String>> {
    let exit_codes = ErrorKind::ALL
        .iter()
        .map(|kind| format!("{} `{}`", kind.exit_code(), kind.name()))
        // clap's, and success.
        .chain(["0 `success`".to_owned()])
        .collect();
    let mut variables = BTreeSet::new();
    for path in tracked(workspace, &["*.rs", "*.py", "*.cpp", "*.h", "*.sh"])? {
        if let Ok(text) = fs_err::read_to_string(workspace.join(&path)) {
            variables.extend(quoted(&text));
            variables.extend(read(&text));
        }
    }
    let mut complaints = compare(workspace, "exit-codes.md", 2, &exit_codes)?;
    complaints.extend(compare(workspace, "environment.md", 1, &variables)?);
    Ok(complaints)
}

/// Compares the first `columns` columns of a page's tables with the rows that the code has.
fn compare(
    workspace: &Utf8Path,
    page: &str,
    columns: usize,
    wanted: &BTreeSet<String>,
) -> Result<Vec<String>> {
    let text = fs_err::read_to_string(workspace.join("docs/reference").join(page))?;
    let found = rows(&text, columns);
    let ours = |row: &&String| columns > 1 || row.starts_with("`MONDO_");
    let missing = wanted
        .difference(&found)
        .map(|row| format!("docs/reference/{page}: has no row for {row}"));
    let extra = found
        .difference(wanted)
        .filter(ours)
        .map(|row| format!("docs/reference/{page}: the code has no {row}"));
    Ok(missing.chain(extra).collect())
}

/// The first columns of each row of the tables, without their heads.
fn rows(text: &str, columns: usize) -> BTreeSet<String> {
    let lines: Vec<&str> = text.lines().collect();
    let is_head = |index: usize| {
        lines
            .get(index + 1)
            .is_some_and(|line| line.starts_with("|--"))
    };
    let rows = lines.iter().enumerate().filter(|(index, line)| {
        line.starts_with("| ") && !is_head(*index) && !line.starts_with("|--")
    });
    rows.map(|(_, line)| {
        let cells: Vec<&str> = line
            .split('|')
            .skip(1)
            .take(columns)
            .map(str::trim)
            .collect();
        cells.join(" ")
    })
    .collect()
}

/// Calls and lookups that read an environment variable, up to its name.
const READS: &[&str] = &[
    "var(\"",
    "var_os(\"",
    "variable(\"",
    "getenv(\"",
    "option_env!(\"",
    "environ.get(\"",
    "environ[\"",
];

/// Variables that cargo sets for build scripts: no user does.
fn is_of_cargo(name: &str) -> bool {
    ["OUT_DIR", "CARGO_MANIFEST_DIR"].contains(&name)
        || ["CARGO_FEATURE_", "DEP_"]
            .iter()
            .any(|start| name.starts_with(start))
}

/// The environment variables that a source reads, whatever their names.
fn read(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for start in READS {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back();
            if before.is_some_and(|each| each.is_alphanumeric() || each == '_') {
                continue;
            }
            let name = text[at + start.len()..]
                .split('"')
                .next()
                .unwrap_or_default();
            if !is_of_cargo(name) {
                found.insert(format!("`{name}`"));
            }
        }
    }
    found
}

/// The environment variables that a source names: as a string literal, or with a `$` in a shell.
fn quoted(text: &str) -> BTreeSet<String> {
    let is_name = |each: char| each.is_ascii_uppercase() || each == '_';
    text.match_indices(PREFIX)
        .filter_map(|(start, _)| {
            let name: String = text[start..]
                .chars()
                .take_while(|each| is_name(*each))
                .collect();
            let before = text[..start].chars().next_back()?;
            let after = text[start + name.len()..].chars().next()?;
            let named = (before == '"' && after == '"') || before == '$';
            (named && name != PREFIX).then(|| format!("`{name}`"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn variables_are_told_from_macros_and_prefixes() {
        let source =
            "env::var(\"MONDO_CACHE_DIR\")\n#ifndef MONDO_H\n\"MONDO_MLIR_22\" $MONDO_REMAPS;";
        assert_eq!(
            quoted(source),
            set(&["`MONDO_CACHE_DIR`", "`MONDO_REMAPS`"])
        );
    }

    #[test]
    fn variables_are_found_where_they_are_read() {
        let source = "std::env::var(\"CI\") env::var_os(\"OUT_DIR\") allowlist_var(\"MAJOR\") \
             environ[\"CC\"] .env(\"LANG\", \"C\") variable(\"XDG_CACHE_HOME\")?";
        assert_eq!(read(source), set(&["`CC`", "`CI`", "`XDG_CACHE_HOME`"]));
    }

    #[test]
    fn rows_are_told_from_heads() {
        let page = "| code | kind | |\n|---|---|---|\n| 0 | `success` | |\n| 1 | `check` | x |\n";
        assert_eq!(rows(page, 2), set(&["0 `success`", "1 `check`"]));
    }
}
