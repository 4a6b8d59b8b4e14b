//! Bundle descriptions: versioned TOML, read strictly.
//!
//! A manifest that comes out of [`load`] has been checked by itself: its words are well formed and
//! the files it names exist. Whether the dialects, pass groups and targets exist is the plan's to
//! say, which knows the catalogue; the spans in [`Manifest`] let it point at the word.
//!
//! In a pyproject.toml the manifest is `[tool.mondo]`, and `[project]` has the metadata.

mod check;
mod define;
mod dialect_classes;
mod file;
mod model;
mod order;
mod project;
mod project_folders;
mod project_names;
mod project_sources;
mod project_tools;
mod pyproject;
#[cfg(test)]
mod tests;

use camino::Utf8Path;
#[cfg(doc)]
use mondo_core::error::ErrorKind;
use mondo_core::error::Result;

use crate::document::Document;
pub use define::owned_by_mondo;
pub use dialect_classes::DialectClass;
pub use model::{
    LinkOptions, LlvmRequest, Manifest, Overrides, PythonPlan, SdistPlan, UnwindTables, WheelPlan,
};
pub use project::{Project, ProjectClasses, PythonRoot, Word, unfit_for_cmake};
pub(crate) use project_names::lacks_tool;
pub use project_sources::{Archive, ProjectSource};
pub use project_tools::{OwnProgram, ProjectTool};
pub use pyproject::manifest_place;

/// The version of the manifest format that this crate reads.
pub const FORMAT: u32 = 1;

/// Reads and checks a manifest. Every failure is of [`ErrorKind::Manifest`] and says where it is.
///
/// # Errors
/// `ErrorKind::Manifest` where it cannot be read, parsed or accepted.
pub fn load(path: &Utf8Path) -> Result<Manifest> {
    load_with(path, &Overrides::default())
}

/// As [`load`], with some of its words replaced.
///
/// # Errors
/// `ErrorKind::Manifest` where it cannot be read, parsed or accepted.
pub fn load_with(path: &Utf8Path, overrides: &Overrides) -> Result<Manifest> {
    check(Document::read(path, "manifest")?, overrides)
}

/// Checks a manifest's text; `path` is what messages call it and where relative paths start.
///
/// # Errors
/// `ErrorKind::Manifest` where it cannot be parsed or accepted.
pub fn parse(text: &str, path: &Utf8Path) -> Result<Manifest> {
    check(Document::new(path, text), &Overrides::default())
}

/// The JSON schema of manifests (draft 2020-12), for editors. [`load`] checks more than it can say.
#[must_use]
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(file::File).to_value()
}

fn check(source: Document, overrides: &Overrides) -> Result<Manifest> {
    let file = if source.file_name() == pyproject::FILE_NAME {
        pyproject::parse(&source, FORMAT)?
    } else {
        source.parse_format("manifest", FORMAT, "manifest")?
    };
    check::check(file, source, overrides)
}
