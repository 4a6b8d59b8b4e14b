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
    let names: String = names(plan, &trees)
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
        .replace("@distribution@", &plan.metadata.distribution)
        .replace("@overlay@", &quoted(place.overlay.as_str()))
        .replace("@project@", &quoted(place.project.as_str()))
        .replace("@names@", &format!("({})", names.trim_end_matches(' ')))
        .replace("@trees@", &format!("({})", list.trim_end_matches(' ')))
}

/// The modules and packages at the top: the first part of the import root, and those of the project's
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
