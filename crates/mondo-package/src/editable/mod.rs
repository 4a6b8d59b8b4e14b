//! Editable installs (PEP 660): a folder of links in the work folder that looks like the unpacked wheel,
//! and a small wheel that puts this folder on Python's path.

mod hook;
mod install;
mod overlay;
mod place;

use mondo_core::error::Result;
use mondo_plan::metadata::Metadata;
use mondo_plan::plan::{NATIVE_DIR, Plan};

pub use install::Environment;
pub use overlay::{Origins, lay_out};
pub use place::{Place, Tree, edited, trees};

use crate::wheel::sbom::SbomInput;
use crate::wheel::{self, Epoch, Packed, Stage, Tag, WriteOptions};

/// Splits `stage` for an editable install: the entries that go into the folder of links, and the entries of
/// `.dist-info`, such as licence texts, that go into the small wheel.
#[must_use]
pub fn split(stage: Stage, dist_info: &str) -> (Stage, Stage) {
    let metadata = format!("{dist_info}/");
    let (installed, linked) = stage
        .entries
        .into_iter()
        .partition(|entry| entry.path.starts_with(&metadata));
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
        archives: Vec::new(),
    };
    let options = WriteOptions {
        epoch: Epoch::from_environment()?,
        ..WriteOptions::default()
    };
    wheel::pack(&stage, metadata, tag, &sbom, &options)
}

/// The folder of the native parts, below the folder of links.
#[must_use]
pub fn native_dir(plan: &Plan) -> String {
    format!(
        "{}/{NATIVE_DIR}",
        plan.identity.import_root.replace('.', "/")
    )
}
