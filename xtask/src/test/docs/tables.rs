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
    fn rows_are_told_from_heads() {
        let page = "| code | kind | |\n|---|---|---|\n| 0 | `success` | |\n| 1 | `check` | x |\n";
        assert_eq!(rows(page, 2), set(&["0 `success`", "1 `check`"]));
    }
}
