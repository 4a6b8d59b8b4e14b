//! The pages of docs/reference whose tables are written by hand and compared with the code: exit codes and environment
//! variables.

use std::collections::BTreeSet;

use camino::Utf8Path;
use mondo_build::{ErrorKind, Result};
use mondo_testbed::files::tracked;

/// Complaints about rows that are missing, and about rows of what no longer exists.
///
/// # Errors
///
/// If a page or a source cannot be read.
pub(super) fn differences(workspace: &Utf8Path) -> Result<Vec<String>> {
    let code = |kind: &ErrorKind| format!("| {} | `{}` |", kind.exit_code(), kind.name());
    // clap's, and success.
    let mut codes = BTreeSet::from(["| 0 | `success` |".to_owned()]);
    codes.extend(ErrorKind::ALL.iter().map(code));
    let mut variables = BTreeSet::new();
    for path in tracked(workspace, &["*.rs", "*.py", "*.cpp", "*.h", "*.sh"])? {
        if let Ok(text) = fs_err::read_to_string(workspace.join(&path)) {
            variables.extend(variables_of(&text).map(|name| format!("| `{name}`")));
        }
    }
    let pages = [
        ("exit-codes.md", codes, "| "),
        // The page also names variables that libraries read.
        ("environment.md", variables, "| `MONDO_"),
    ];
    let mut complaints = Vec::new();
    for (name, starts, ours) in pages {
        let page = format!("docs/reference/{name}");
        let text = fs_err::read_to_string(workspace.join(&page))?;
        let found = differing_rows(&text, &starts, ours);
        complaints.extend(found.iter().map(|what| format!("{page}: {what}")));
    }
    Ok(complaints)
}

/// Compares the rows that begin with `ours` with `starts`, the beginnings that the code has.
fn differing_rows(page: &str, starts: &BTreeSet<String>, ours: &str) -> Vec<String> {
    // The line after the head of a table has dashes.
    let following = page.lines().skip(1).chain([""]);
    let rows = page.lines().zip(following);
    let rows = rows.filter(|(line, next)| line.starts_with("| ") && !next.starts_with("|--"));
    let rows: Vec<&str> = rows.map(|(line, _)| line).collect();
    let is_missing = |start: &&String| !rows.iter().any(|row| row.starts_with(*start));
    let missing = starts.iter().filter(is_missing);
    let missing = missing.map(|start| format!("has no row that begins `{start}`"));
    let is_known = |row: &str| starts.iter().any(|start| row.starts_with(start));
    let extra = rows
        .iter()
        .filter(|row| row.starts_with(ours) && !is_known(row));
    let extra = extra.map(|row| format!("the code has nothing of the row `{row}`"));
    missing.chain(extra).collect()
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

/// The environment variables that a source reads, and those of ours that it names: as a string literal, or with a `$` in
/// a shell. Variables that cargo sets for build scripts are not those of users.
fn variables_of(text: &str) -> impl Iterator<Item = &str> {
    let is_other = |each: char| !each.is_ascii_alphanumeric() && each != '_';
    text.split(is_other).filter(move |name| {
        let start = name.as_ptr() as usize - text.as_ptr() as usize;
        let (before, after) = (&text[..start], &text[start + name.len()..]);
        let is_read = READS.iter().any(|read| {
            let call = before.strip_suffix(read);
            call.is_some_and(|call| call.is_empty() || call.ends_with(is_other))
        });
        let is_quoted = before.ends_with('"') && after.starts_with('"') || before.ends_with('$');
        let is_of_cargo = ["OUT_DIR", "CARGO_MANIFEST_DIR"].contains(name)
            || ["CARGO_FEATURE_", "DEP_"]
                .iter()
                .any(|start| name.starts_with(start));
        let is_ours = name.strip_prefix("MONDO_").is_some_and(|rest| {
            !rest.is_empty()
                && !rest.contains(|each: char| each.is_ascii_lowercase() || each.is_ascii_digit())
        });
        !name.is_empty() && (is_read && !is_of_cargo || is_ours && is_quoted)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<&str> {
        variables_of(source).collect()
    }

    #[test]
    fn variables_are_told_from_macros_and_prefixes() {
        let source =
            "(\"MONDO_CACHE_DIR\")\n#ifndef MONDO_H\n\"MONDO_\" \"MONDO_MLIR_22\" $MONDO_REMAPS;";
        assert_eq!(found(source), ["MONDO_CACHE_DIR", "MONDO_REMAPS"]);
    }

    #[test]
    fn variables_are_found_where_they_are_read() {
        let source = "std::env::var(\"CI\") env::var_os(\"OUT_DIR\") allowlist_var(\"MAJOR\") \
             environ[\"CC\"] .env(\"LANG\", \"C\") variable(\"XDG_CACHE_HOME\")?";
        assert_eq!(found(source), ["CI", "CC", "XDG_CACHE_HOME"]);
    }

    #[test]
    fn missing_rows_and_rows_of_the_past_are_found() {
        let page = "| code | kind | |\n|---|---|---|\n| 0 | `success` | |\n| 1 | `check` | x |\n";
        let starts = |all: &[&str]| all.iter().map(|start| (*start).to_owned()).collect();
        let all = starts(&["| 0 | `success` |", "| 1 | `check` |"]);
        assert_eq!(differing_rows(page, &all, "| "), [""; 0]);
        let other = starts(&["| 0 | `success` |", "| 2 | `usage` |"]);
        assert_eq!(differing_rows(page, &other, "| ").len(), 2);
    }
}
