//! Crates depend downwards only.

use std::collections::BTreeSet;

use toml::{Table, Value};

use crate::sources::{Rule, SourceFile};

pub(crate) const RULES: &[Rule] = &[Rule {
    name: "layers",
    check: layers,
}];

/// The crates that run while a bundle is built, lowest first.
const BUILD: &[&str] = &[
    "mondo-audit",
    "mondo-core",
    "mondo-plan",
    "mondo-toolchain",
    "mondo-project",
    "mondo-new",
    "mondo-link",
    "mondo-package",
    "mondo-build",
    "mondo",
    "mondo-testbed",
    "mondo-tidy",
    "mondo-acceptance",
    "xtask",
];

/// The crates that ship in a bundle, lowest first.
const RUNTIME: &[&str] = &[
    "mondo-bytecode",
    "mondo-sys",
    "mondo-ir",
    "mondo-runtime",
    "mondo-py",
    "mondo-dialect",
    "mondo-dialect-faulty",
    "mondo-dialect-sample",
    "mondo-dialect-units",
    "mondo-bundle",
];

/// The crates that name the handles of the C API: mondo-ir, which gives all others a safe API; and the runtime, which
/// defines the functions of `mondo.h`. mondo-ir calls those, so that the runtime cannot stand on mondo-ir.
const USERS_OF_SYS: &[&str] = &["mondo-ir", "mondo-runtime"];

/// The rows of ARCHITECTURE.md's tables of crates stand in the order of the lists, highest first: what a crate depends
/// on is below it on the page as well.
fn table_order(files: &[SourceFile]) -> Vec<String> {
    let Some(page) = files.iter().find(|file| file.path == "ARCHITECTURE.md") else {
        return Vec::new();
    };
    let row = |line: &str| {
        let name = line.strip_prefix("| `")?.split('`').next()?;
        let name = name.strip_prefix("crates/").unwrap_or(name);
        [BUILD, RUNTIME]
            .into_iter()
            .find_map(|list| Some((list, position(list, name)?, name.to_owned())))
    };
    let rows: Vec<_> = page.text.lines().filter_map(row).collect();
    rows.windows(2)
        .filter(|pair| pair[0].0 == pair[1].0 && pair[0].1 <= pair[1].1)
        .map(|pair| {
            format!(
                "ARCHITECTURE.md: `{}` stands above `{}`, which may depend on it",
                pair[0].2, pair[1].2
            )
        })
        .collect()
}

/// Each crate of the workspace is in one of the two lists, and depends on crates that stand before it in
/// the same list. Tests' and build scripts' dependencies count as well.
fn layers(files: &[SourceFile]) -> Vec<String> {
    let mut complaints = table_order(files);
    complaints.extend(folders_without_layer(files));
    for file in files {
        let ours = ["crates/", "bundle/", "xtask/"]
            .iter()
            .any(|folder| file.path.starts_with(folder));
        if !ours || !file.path.ends_with("Cargo.toml") || file.path.contains("/fuzz/") {
            continue;
        }
        let Ok(manifest) = file.text.parse::<Table>() else {
            complaints.push(format!("{}: is not TOML", file.path));
            continue;
        };
        let name = manifest
            .get("package")
            .and_then(|package| package.get("name"))
            .and_then(Value::as_str)
            .unwrap_or_default();
        let Some((list, place)) = [BUILD, RUNTIME]
            .into_iter()
            .find_map(|list| Some((list, position(list, name)?)))
        else {
            complaints.push(format!("{}: `{name}` has no layer", file.path));
            continue;
        };
        for dependency in dependencies(&manifest) {
            if dependency == "mondo-sys" && !USERS_OF_SYS.contains(&name) {
                complaints.push(format!(
                    "{}: `{name}` depends on `mondo-sys`; use mondo-ir, which is safe",
                    file.path
                ));
                continue;
            }
            let known = [BUILD, RUNTIME]
                .iter()
                .any(|list| position(list, dependency).is_some());
            let below = position(list, dependency).is_some_and(|at| at < place);
            if known && !below {
                complaints.push(format!(
                    "{}: `{name}` depends on `{dependency}`, which is not below it",
                    file.path
                ));
            }
        }
    }
    complaints
}

/// Complains about a folder of crates/ that is not a crate: nothing would check what depends on it.
fn folders_without_layer(files: &[SourceFile]) -> BTreeSet<String> {
    // A folder of crates, each of which has a layer or is a dialect in C++.
    const GROUPS: &[&str] = &["dialects"];
    let folder = |file: &SourceFile| {
        let (name, _) = file.path.strip_prefix("crates/")?.split_once('/')?;
        Some(name.to_owned())
    };
    let is_crate = |name: &str| {
        let manifest = format!("crates/{name}/Cargo.toml");
        GROUPS.contains(&name) || files.iter().any(|file| file.path == manifest)
    };
    let folders: BTreeSet<String> = files.iter().filter_map(folder).collect();
    folders
        .into_iter()
        .filter(|name| !is_crate(name))
        .map(|name| format!("crates/{name}: is not a crate, so it has no layer"))
        .collect()
}

fn position(list: &[&str], name: &str) -> Option<usize> {
    list.iter().position(|one| *one == name)
}

/// The names in every table of dependencies, those for one target included.
fn dependencies(manifest: &Table) -> Vec<&str> {
    const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let targets = manifest.get("target").and_then(Value::as_table);
    let tables = targets
        .into_iter()
        .flat_map(Table::values)
        .filter_map(Value::as_table)
        .chain([manifest]);
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

    fn manifest(path: &str, name: &str, dependency: &str) -> SourceFile {
        let text = format!(
            "[package]\nname = \"{name}\"\n[dev-dependencies]\n{dependency}.workspace = true"
        );
        file(path, &text)
    }

    #[test]
    fn the_page_has_the_order_of_the_layers() {
        let page = |rows: &str| file("ARCHITECTURE.md", rows);
        let right =
            "| `crates/mondo` | x |\n| `crates/mondo-core` | y |\n\n| `crates/mondo-py` | z |\n";
        assert_eq!(layers(&[page(right)]), [""; 0]);
        let wrong = "| `crates/mondo-core` | x |\n| `xtask` | y |\n";
        assert_eq!(layers(&[page(wrong)]).len(), 1);
    }

    #[test]
    fn a_folder_is_a_crate() {
        let header = file("crates/mondo-x/include/x.h", "");
        assert_eq!(
            layers(std::slice::from_ref(&header)),
            ["crates/mondo-x: is not a crate, so it has no layer"]
        );
        let files = [
            header,
            manifest("crates/mondo-x/Cargo.toml", "mondo-core", "serde"),
        ];
        assert_eq!(layers(&files), [""; 0]);
    }

    #[test]
    fn a_crate_depends_on_what_is_below_it() {
        let wrong = [
            ("mondo-core", "mondo-plan"),
            ("mondo-link", "mondo-sys"),
            ("mondo-py", "mondo-core"),
            ("mondo-acceptance", "xtask"),
            ("new-crate", "serde"),
            ("mondo-dialect", "mondo-sys"),
            ("mondo-py", "mondo-sys"),
        ];
        for (name, dependency) in wrong {
            let file = manifest("crates/x/Cargo.toml", name, dependency);
            assert_eq!(layers(&[file]).len(), 1, "{name} -> {dependency}");
        }
        for (name, dependency) in [
            ("mondo-plan", "mondo-core"),
            ("mondo-core", "serde"),
            ("mondo-dialect", "mondo-ir"),
            ("mondo-runtime", "mondo-sys"),
        ] {
            let file = manifest("crates/x/Cargo.toml", name, dependency);
            assert!(layers(&[file]).is_empty(), "{name} -> {dependency}");
        }
    }
}
