//! The module that an editable install adds to an environment. Python imports it at each start, by a
//! `.pth` file.

use std::collections::BTreeSet;

use camino::Utf8Path;
use mondo_plan::plan::Plan;

use super::place::{Place, Tree, trees};

const TEMPLATE: &str = include_str!("hook.py.in");

/// The module's text.
pub(super) fn text(plan: &Plan, place: &Place) -> String {
    let trees = trees(plan);
    let names = names(plan, &trees);
    filled(&plan.metadata.distribution, place, &names, &trees)
}

fn filled(distribution: &str, place: &Place, names: &BTreeSet<String>, trees: &[Tree]) -> String {
    let names: String = names
        .iter()
        .map(|name| format!("{}, ", quoted(name)))
        .collect();
    let list: String = trees
        .iter()
        .map(|tree| {
            format!(
                "({}, {}), ",
                quoted(&tree.package),
                quoted(tree.folder.as_str())
            )
        })
        .collect();
    TEMPLATE
        .replace("@distribution@", distribution)
        .replace("@overlay@", &quoted(place.overlay.as_str()))
        .replace("@project@", &quoted(place.project.as_str()))
        .replace("@names@", &format!("({})", names.trim_end_matches(' ')))
        .replace("@trees@", &format!("({})", list.trim_end_matches(' ')))
}

/// The names of the top-level modules and packages: the first part of the import root, and those of the project's own
/// Python.
fn names(plan: &Plan, trees: &[Tree]) -> BTreeSet<String> {
    let root = plan.identity.import_root.split('.').next();
    let mut names: BTreeSet<String> = root.map(str::to_owned).into_iter().collect();
    for tree in trees.iter().filter(|tree| tree.package.is_empty()) {
        let entries = tree.folder.read_dir_utf8().into_iter().flatten();
        for entry in entries.filter_map(Result::ok) {
            let name = Utf8Path::new(entry.file_name());
            if entry.path().is_dir() || name.extension() == Some("py") {
                names.extend(name.file_stem().map(str::to_owned));
            }
        }
    }
    names.retain(|name| name != "__pycache__" && !name.starts_with('.'));
    names
}

/// A string of Python.
fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use mondo_core::exec::Tool;

    #[test]
    fn an_import_without_the_work_folder_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let place = Place {
            overlay: dir.join("work \"x\""),
            project: dir.join("project"),
        };
        let names = BTreeSet::from(["toy_of_a_test".to_owned()]);
        let hook = dir.join("hook.py");
        fs_err::write(&hook, filled("toy", &place, &names, &[])).unwrap();
        let import = || {
            let tool = Tool::new("python3", "import the package").args([
                "-c",
                "import runpy, sys; runpy.run_path(sys.argv[1]); import json.tool, toy_of_a_test; print('there')",
            ]);
            tool.arg(&hook).output_unchecked().unwrap()
        };
        let lost = import();
        assert!(!lost.status.success());
        for word in [
            "ImportError: toy_of_a_test: the editable install of toy has lost its work folder",
            place.overlay.as_str(),
            "run `mondo develop` in",
            place.project.as_str(),
        ] {
            assert!(lost.stderr.contains(word), "{word}: {}", lost.stderr);
        }
        // A folder that the links point to may be lost as well, because it was moved, although the folder of links is
        // there.
        fs_err::create_dir(&place.overlay).unwrap();
        let tree = Tree {
            package: String::new(),
            folder: place.project.join("python"),
        };
        let with_tree = filled("toy", &place, &names, std::slice::from_ref(&tree));
        fs_err::write(&hook, with_tree).unwrap();
        let moved = import();
        assert!(!moved.status.success());
        let expected = format!("has lost its folder {}; run", tree.folder);
        assert!(moved.stderr.contains(&expected), "{}", moved.stderr);
        fs_err::create_dir_all(&tree.folder).unwrap();
        fs_err::write(place.overlay.join("toy_of_a_test.py"), "").unwrap();
        let found = import();
        assert_eq!(found.stdout.trim(), "there", "{}", found.stderr);
    }
}
