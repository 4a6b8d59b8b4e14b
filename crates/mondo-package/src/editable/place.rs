//! The place of an editable install, and the folders of Python that it uses where they are.

use camino::Utf8PathBuf;
use mondo_plan::plan::Plan;

/// The place of an editable install, for its hook.
#[derive(Debug, Clone)]
pub struct Place {
    /// The folder of links.
    pub overlay: Utf8PathBuf,
    /// The folder of the project.
    pub project: Utf8PathBuf,
}

/// A folder of Python.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The dotted name of the package that the folder is; empty for the top level.
    pub package: String,
    /// The folder, absolute.
    pub folder: Utf8PathBuf,
}

/// The folders of a project's own Python, in which its files are edited.
#[must_use]
pub fn edited(plan: &Plan) -> Vec<Utf8PathBuf> {
    let of_crates = plan.crates.iter().flat_map(|one| &one.python);
    let of_crates = of_crates.map(|python| python.folder.clone());
    plan.python
        .sources
        .iter()
        .cloned()
        .chain(of_crates)
        .collect()
}

/// The folders whose Python files an editable install imports in place, each with the name of its package. The hook
/// looks in them for modules that the folder of links does not have yet.
#[must_use]
pub fn trees(plan: &Plan) -> Vec<Tree> {
    let sources = plan.python.sources.iter().map(|folder| Tree {
        package: String::new(),
        folder: folder.clone(),
    });
    // A crate that selects single files is not searched: a new file in its folder is not part of the bundle.
    let of_crates = plan.crates.iter().flat_map(|one| &one.python);
    let of_crates = of_crates
        .filter(|python| python.files.is_none())
        .map(|python| Tree {
            package: python.place(&plan.identity.import_root).replace('/', "."),
            folder: python.folder.clone(),
        });
    sources.chain(of_crates).collect()
}
