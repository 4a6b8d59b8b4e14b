//! The rule that crates depend downwards. The tables of crates in ARCHITECTURE.md are the layers: a crate depends only
//! on crates in rows below its own, in the same table.

use std::collections::BTreeSet;

use toml::{Table, Value};

use crate::sources::SourceFile;

/// A crate of the workspace, at a row of a table.
struct Crate<'a> {
    name: String,
    folder: &'a str,
    manifest: Table,
    table: usize,
    row: usize,
}

/// The rows of the tables of crates: the number of the table, and the folder in the first column.
fn rows(page: &str) -> Vec<(usize, &str)> {
    let mut table = 0;
    let mut rows = Vec::new();
    for line in page.lines() {
        if line.starts_with("| crate |") {
            table += 1;
        } else if let Some(row) = line.strip_prefix("| `").filter(|_| table > 0) {
            let folder = row.split('`').next().unwrap_or_default();
            rows.push((table, folder.trim_end_matches('/')));
        } else if line.starts_with("## ") {
            table = 0;
        }
    }
    rows
}

fn is_in(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

pub(crate) fn layers(files: &[SourceFile]) -> Vec<String> {
    let page = files.iter().find(|file| file.path == "ARCHITECTURE.md");
    let rows = rows(page.map_or("", |page| &page.text));
    let position = |path: &str| rows.iter().position(|(_, folder)| is_in(path, folder));
    let mut complaints = BTreeSet::new();
    let mut crates = Vec::new();
    for file in files {
        let folder: Vec<&str> = file.path.split('/').take(2).collect();
        if folder[0] == "crates" && position(&file.path).is_none() {
            complaints.insert(format!(
                "{}: has no row in ARCHITECTURE.md",
                folder.join("/")
            ));
        }
        let (Some(folder), Some(row)) =
            (file.path.strip_suffix("/Cargo.toml"), position(&file.path))
        else {
            continue;
        };
        match file.text.parse::<Table>() {
            Err(error) => _ = complaints.insert(format!("{}: {error}", file.path)),
            Ok(manifest) => crates.push(Crate {
                name: manifest["package"]["name"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned(),
                folder,
                manifest,
                table: rows[row].0,
                row,
            }),
        }
    }
    for dependent in &crates {
        let names = dependencies(&dependent.manifest);
        for other in crates
            .iter()
            .filter(|other| names.contains(&other.name.as_str()))
        {
            let is_below = other.table == dependent.table && other.row > dependent.row;
            // Crates of a crate's own tests are in its folder.
            if !is_below && !is_in(dependent.folder, other.folder) {
                complaints.insert(format!(
                    "{}: `{}` depends on `{}`, which is not below it in ARCHITECTURE.md",
                    dependent.folder, dependent.name, other.name
                ));
            }
        }
    }
    complaints.into_iter().collect()
}

/// The names in all tables of dependencies, those of single targets included.
fn dependencies(manifest: &Table) -> BTreeSet<&str> {
    const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let targets = manifest.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flat_map(Table::values);
    let tables = targets.filter_map(Value::as_table).chain([manifest]);
    tables
        .flat_map(|table| KINDS.iter().filter_map(|kind| table.get(*kind)?.as_table()))
        .flat_map(Table::keys)
        .map(String::as_str)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::file;

    /// Two tables, with `top` and `base` in the first one.
    const PAGE: &str = "| crate | |\n|---|---|\n| `crates/top` | x |\n| `crates/base` | y |\n\n\
                        | crate | |\n|---|---|\n| `bundle/` | z |\n\n## Next\n| `crates/other` | |\n";

    /// The complaints about a crate in `folder` that depends on `dependency`, beside the crates of the page.
    fn complaints(folder: &str, dependency: &str) -> Vec<String> {
        let manifest = |folder: &str, table: &str| {
            let name = folder.rsplit('/').next().unwrap();
            let text = format!("[package]\nname = \"{name}\"\n{table}");
            file(&format!("{folder}/Cargo.toml"), &text)
        };
        let table = format!("[target.'cfg(unix)'.dev-dependencies]\n{dependency}.workspace = true");
        let crates = ["crates/top", "crates/base", "bundle"];
        let others = crates.iter().filter(|other| **other != folder);
        let mut files: Vec<_> = others.map(|other| manifest(other, "")).collect();
        files.extend([file("ARCHITECTURE.md", PAGE), manifest(folder, &table)]);
        layers(&files)
    }

    #[test]
    fn a_crate_depends_on_crates_below_it() {
        assert_eq!(complaints("crates/top", "base"), [""; 0]);
        assert_eq!(complaints("crates/top", "serde"), [""; 0]);
        assert_eq!(complaints("crates/base/tests/faulty", "base"), [""; 0]);
    }

    #[test]
    fn a_dependency_upwards_or_across_the_tables_is_found() {
        for (folder, dependency) in [
            ("crates/base", "top"),
            ("crates/top", "bundle"),
            ("bundle", "base"),
        ] {
            assert_eq!(
                complaints(folder, dependency).len(),
                1,
                "{folder} -> {dependency}"
            );
        }
    }

    #[test]
    fn a_folder_without_a_row_is_found() {
        assert_eq!(
            complaints("crates/other", "serde"),
            ["crates/other: has no row in ARCHITECTURE.md"]
        );
    }
}
