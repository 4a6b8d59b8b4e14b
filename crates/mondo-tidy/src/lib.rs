//! The architecture's rules as checks over the sources, which `cargo xtask tidy` runs, and checks of the pages.
//!
//! A rule has a name, and a line of ARCHITECTURE.md that begins "Architecture Invariant:" names it. What a
//! compiler or clippy can check is not here: `clippy.toml` lists the types that are not to be used.

mod cycles;
mod examples;
mod glossary;
mod layers;
pub mod pages;
mod sources;
mod text_rules;
mod unsafe_blocks;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::{Error, ErrorKind, Result};

use crate::sources::{Rule, SourceFile};

/// Every rule, in the order of ARCHITECTURE.md.
fn rules() -> impl Iterator<Item = &'static Rule> {
    [
        layers::RULES,
        cycles::RULES,
        text_rules::RULES,
        glossary::RULES,
        unsafe_blocks::RULES,
        examples::RULES,
    ]
    .into_iter()
    .flatten()
}

/// Runs every rule over the tracked files of the workspace.
///
/// # Errors
///
/// If a rule is broken, with every complaint; or if the files cannot be listed.
pub fn check(workspace: &Utf8Path) -> Result<()> {
    let files = sources::tracked(workspace)?;
    let mut failed = Vec::new();
    for rule in rules() {
        for complaint in (rule.check)(&files) {
            failed.push(format!("[{}] {complaint}", rule.name));
        }
    }
    failed.extend(undocumented(&files));
    failed.extend(machine_paths(workspace, &files));
    if failed.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Check,
        format!("{} breaches of the architecture", failed.len()),
    )
    .details(failed)
    .because("ARCHITECTURE.md says what each rule is for"))
}

/// Complains about a rule that ARCHITECTURE.md does not name: nobody would know of it.
fn undocumented(files: &[SourceFile]) -> Vec<String> {
    let page = files.iter().find(|file| file.path == "ARCHITECTURE.md");
    let page = page.map_or("", |file| file.text.as_str());
    rules()
        .filter(|rule| !page.contains(&format!("`tidy: {}`", rule.name)))
        .map(|rule| {
            format!(
                "[documented] ARCHITECTURE.md does not name `tidy: {}`",
                rule.name
            )
        })
        .collect()
}

/// Complains about paths of the machine that this runs on: they may not be there on the next one.
fn machine_paths(workspace: &Utf8Path, files: &[SourceFile]) -> Vec<String> {
    let mut needles: Vec<String> = vec![format!("{workspace}/")];
    let home = std::env::var("HOME").ok().map(Utf8PathBuf::from);
    needles.extend(
        home.filter(|home| home.components().count() > 1)
            .map(|home| format!("{home}/.")),
    );
    files
        .iter()
        .flat_map(|file| {
            file.complaints(&file.text, |line| {
                let found = needles
                    .iter()
                    .find(|needle| line.contains(needle.as_str()))?;
                Some(format!("[machine-path] names {found}"))
            })
        })
        .collect()
}
