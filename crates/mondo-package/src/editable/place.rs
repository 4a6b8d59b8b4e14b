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
    /// The dotted package that its contents are those of; empty for the top.
    pub package: String,
    /// The folder, absolute.
    pub folder: Utf8PathBuf,
}

/// The folders whose Python files an editable install imports in place, each with the package whose contents they are. A
/// module that the folder of links does not have yet is looked for in them.
#[must_use]
pub fn trees(plan: &Plan) -> Vec<Tree> {
    let own = plan.python.sources.iter().map(|folder| Tree {
        package: String::new(),
        folder: folder.clone(),
    });
    // Of a selection of files, those that were laid out are all that there are.
    let of_crates = plan.crates.iter().flat_map(|one| &one.python);
    let of_crates = of_crates
        .filter(|it| it.files.is_none())
        .map(|python| Tree {
            package: python.place(&plan.identity.import_root).replace('/', "."),
            folder: python.folder.clone(),
        });
    own.chain(of_crates).collect()
}
