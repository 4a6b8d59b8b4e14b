//! Editable installs (PEP 660): a folder of links in the work folder that looks like the unpacked wheel,
//! and a small wheel that puts this folder on Python's path.

mod hook;
mod install;
mod overlay;

use camino::Utf8PathBuf;
use mondo_core::error::Result;
use mondo_plan::metadata::Metadata;
use mondo_plan::plan::{NATIVE_DIR, Plan};

pub use hook::Tree;
pub use install::Environment;
pub use overlay::lay_out;

use crate::wheel::sbom::SbomInput;
use crate::wheel::{self, Epoch, Packed, Stage, Tag, WriteOptions};

/// The place of an editable install, for its hook.
#[derive(Debug, Clone)]
pub struct Place {
    /// The folder of links.
    pub overlay: Utf8PathBuf,
    /// The folder of the project.
    pub project: Utf8PathBuf,
}

/// The parts of `stage` for an editable install: those of the folder of links, and the licence texts,
/// which are installed.
#[must_use]
pub fn split(stage: Stage, dist_info: &str) -> (Stage, Stage) {
    let own = format!("{dist_info}/");
    let (installed, linked) = stage
        .entries
        .into_iter()
        .partition(|entry| entry.path.starts_with(&own));
    (Stage { entries: linked }, Stage { entries: installed })
}

/// Makes the small wheel of `plan`. `stage` has the licence texts.
///
/// # Errors
/// `ErrorKind::Wheel` where it cannot be made.
pub fn pack(plan: &Plan, place: &Place, tag: &Tag, mut stage: Stage) -> Result<Packed> {
    let metadata: &Metadata = &plan.metadata;
    let name = format!("_mondo_editable_{}", metadata.file_name()?);
    stage.bytes(format!("{name}.pth"), format!("import {name}\n"));
    stage.bytes(format!("{name}.py"), hook::text(plan, place));
    let sbom = SbomInput {
        packages: &[],
        crates: Vec::new(),
        native: Vec::new(),
        dialects: Vec::new(),
    };
    let options = WriteOptions {
        epoch: Epoch::from_environment()?,
        ..WriteOptions::default()
    };
    wheel::pack(&stage, metadata, tag, &sbom, &options)
}

/// The folders of Python that is in use where it is, each with the package that it is the contents of;
/// a name that the folder of links does not have yet is looked for there.
#[must_use]
pub fn trees(plan: &Plan) -> Vec<Tree> {
    let own = plan.python.sources.iter().map(|folder| Tree {
        package: String::new(),
        folder: folder.clone(),
    });
    // Of a selection of files, those that were laid out are all that there are.
    let of_crates = plan.crates.iter().filter_map(|one| {
        let python = one.python.as_ref().filter(|it| it.files.is_none())?;
        Some(Tree {
            package: python.place(&plan.identity.import_root).replace('/', "."),
            folder: python.folder.clone(),
        })
    });
    own.chain(of_crates).collect()
}

/// The folder of the native parts, below the folder of links.
#[must_use]
pub fn native_dir(plan: &Plan) -> String {
    format!(
        "{}/{NATIVE_DIR}",
        plan.identity.import_root.replace('.', "/")
    )
}
