//! Dialect crates: folders with a `dialect.toml` that says which dialects and passes their code
//! brings, how that code is made, and what ships for Python.
//!
//! A crate that comes out of [`load`] agrees with itself, and the files it names exist. Whether it
//! agrees with other crates and with the catalogue is the plan's to say.

mod check;
mod command;
mod file;
mod functions;
mod model;
#[cfg(test)]
pub(crate) mod tests;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{ErrorKind, Result};

use crate::document::Document;
use crate::manifest::{Manifest, Project};
pub use crate::names::DIALECT_TOML as FILE_NAME;
pub use command::Command;
pub use functions::UndefinedFunction;
pub use model::{
    Code, Cpp, CppName, CppOptions, CppRegistration, CppRegistrationKind, DEFAULT_STD, DataClasses,
    Dialect, DialectCrate, DialectRegistration, Extension, ExtensionKind, Generator, GeneratorRun,
    NANOBIND_SINCE, Package, PassGroup, Prebuilt, PythonFiles, Registrar, Rust, Tblgen, Tool,
};

/// The version of the format that this crate reads.
pub const FORMAT: u32 = 1;

/// Reads and checks the crate in `folder`. Every failure is of [`ErrorKind::Manifest`] and says where
/// it is.
///
/// # Errors
/// `ErrorKind::Manifest` where the file cannot be read, parsed or accepted.
pub fn load(folder: &Utf8Path) -> Result<DialectCrate> {
    check(Document::read(&folder.join(FILE_NAME), "dialect crate")?)
}

/// Reads and checks the `dialect.toml` in `folder` that was made from a project. Errors are placed in its entry of the
/// manifest, as far as they are about words that stand there.
///
/// # Errors
/// `ErrorKind::Manifest` where the file cannot be read, parsed or accepted.
pub fn load_made(folder: &Utf8Path, project: &Project) -> Result<DialectCrate> {
    let document = Document::read(&folder.join(FILE_NAME), "dialect crate")?;
    let mut one = check(document.made_from(project.origin()))?;
    one.place_classes(project);
    Ok(one)
}

/// True if the file at `path` is a `dialect.toml`: by its name, or by the key that begins one.
#[must_use]
pub fn is_crate_file(path: &Utf8Path) -> bool {
    path.file_name() == Some(FILE_NAME)
        || Document::read(path, "file").is_ok_and(|file| file.has_key("dialect-crate"))
}

/// Reads and checks the `dialect.toml` at `path`, whatever its name.
///
/// # Errors
/// `ErrorKind::Manifest` where the file cannot be read, parsed or accepted.
pub fn load_file(path: &Utf8Path) -> Result<DialectCrate> {
    check(Document::read(path, "dialect crate")?)
}

/// The crates that a manifest lists. A word without `/` that is not a folder beside the manifest is one
/// of those in `in_tree`.
///
/// # Errors
/// `ErrorKind::Manifest` where a crate cannot be read, parsed or accepted, or is named twice.
pub fn load_all(manifest: &Manifest, in_tree: &Utf8Path) -> Result<Vec<DialectCrate>> {
    let mut crates = Vec::new();
    for word in &manifest.crates {
        let written = word.get_ref();
        let beside = manifest.folder().join(written);
        let in_mondo = in_tree.join(written);
        let folder = if beside.join(FILE_NAME).is_file() {
            beside
        } else if !written.contains('/') && in_mondo.join(FILE_NAME).is_file() {
            in_mondo
        } else {
            return Err(manifest
                .error(
                    ErrorKind::Manifest,
                    word.span(),
                    format!("`contents.crates` names `{written}`, which is not a dialect crate"),
                )
                .because(format!("{} does not exist", beside.join(FILE_NAME)))
                .help(
                    "write a path relative to the manifest, or the folder name of one of \
                     mondo's own crates",
                ));
        };
        crates.push(load(&folder)?);
    }
    Ok(crates)
}

/// The folders of the dialect crates that a manifest names by their paths. mondo's own are not among them.
#[must_use]
pub fn folders(manifest: &Manifest) -> Vec<Utf8PathBuf> {
    let beside = manifest
        .crates
        .iter()
        .map(|word| manifest.folder().join(word.get_ref()));
    beside
        .filter(|folder| folder.join(FILE_NAME).is_file())
        .collect()
}

/// The JSON schema of `dialect.toml` (draft 2020-12), for editors. [`load`] checks more than it can
/// say.
#[must_use]
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(file::File).to_value()
}

fn check(source: Document) -> Result<DialectCrate> {
    let file = source.parse_format("dialect-crate", FORMAT, "dialect crate")?;
    check::check(file, source)
}
