//! The architecture's rules as checks over the sources, which `cargo xtask tidy` runs, and checks of the pages.
//!
//! A rule has a name, and a line of ARCHITECTURE.md that begins "Architecture Invariant:" names it. What a compiler,
//! clippy or cargo-deny can check is not here: see `clippy.toml` and `deny.toml`.

mod cycles;
mod examples;
mod files;
mod layers;
pub mod pages;
mod sources;
mod texts;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::{Error, ErrorKind, Result};

use crate::sources::SourceFile;

/// Complains about files, each time with a place.
type Check = fn(&[SourceFile]) -> Vec<String>;

/// The rules that are code, by the names that ARCHITECTURE.md gives as `tidy: <name>`. [`texts`] has the others.
const RULES: [(&str, Check); 8] = [
    ("layers", layers::layers),
    ("no-cycles", cycles::no_cycles),
    ("no-folder-cycles", cycles::no_folder_cycles),
    ("concept-names", files::concept_names),
    ("module-layout", files::module_layout),
    ("file-size", files::file_size),
    ("glossary", files::glossary),
    ("rust-api-examples", examples::examples),
];

/// Runs every rule over the tracked files of the workspace.
///
/// # Errors
///
/// If a rule is broken, with every complaint; or if the files cannot be listed.
pub fn check(workspace: &Utf8Path) -> Result<()> {
    let files = sources::tracked(workspace)?;
    let mut results: Vec<(String, Vec<String>)> = RULES
        .iter()
        .map(|(name, check)| ((*name).to_owned(), check(&files)))
        .collect();
    results.extend(texts::rules().into_iter().map(|rule| {
        let found = rule.check(&files);
        (rule.name, found)
    }));
    let names: Vec<&str> = results.iter().map(|(name, _)| name.as_str()).collect();
    let undocumented = undocumented(&names, &files);
    results.push(("documented".to_owned(), undocumented));
    results.push(("machine-path".to_owned(), machine_paths(workspace, &files)));
    let failed: Vec<String> = results
        .into_iter()
        .flat_map(|(name, found)| {
            found
                .into_iter()
                .map(move |what| format!("[{name}] {what}"))
        })
        .collect();
    if failed.is_empty() {
        return Ok(());
    }
    let what = format!("{} breaches of the architecture", failed.len());
    Err(Error::new(ErrorKind::Check, what)
        .details(failed)
        .because("ARCHITECTURE.md says what each rule is for"))
}

/// Complains about a rule that ARCHITECTURE.md does not name: nobody would know of it.
fn undocumented(names: &[&str], files: &[SourceFile]) -> Vec<String> {
    let page = files.iter().find(|file| file.path == "ARCHITECTURE.md");
    let page = page.map_or("", |file| file.text.as_str());
    names
        .iter()
        .filter(|name| !page.contains(&format!("`tidy: {name}`")))
        .map(|name| format!("ARCHITECTURE.md does not name `tidy: {name}`"))
        .collect()
}

/// Complains about paths of the machine that this runs on: another machine may not have them.
fn machine_paths(workspace: &Utf8Path, files: &[SourceFile]) -> Vec<String> {
    let mut needles: Vec<String> = vec![format!("{workspace}/")];
    let home = std::env::var("HOME").ok().map(Utf8PathBuf::from);
    let home = home.filter(|home| home.components().count() > 1);
    needles.extend(home.map(|home| format!("{home}/.")));
    let found = |line: &str| {
        let needle = needles.iter().find(|needle| line.contains(*needle))?;
        Some(format!("names {needle}"))
    };
    files
        .iter()
        .flat_map(|file| file.complaints(&file.text, found))
        .collect()
}
