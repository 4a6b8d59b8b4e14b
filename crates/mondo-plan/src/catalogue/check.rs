//! The consistency check of a catalogue: unique names per LLVM version, and references that exist.

use std::collections::BTreeMap;

use mondo_core::error::{Error, ErrorKind, Result};

use super::model::Catalogue;
use super::release::{Entry, Release};
use crate::document::{Document, suggest};
use crate::spanned::Spanned;

pub(super) fn check(catalogue: &Catalogue, source: &Document) -> Result<()> {
    for &major in &catalogue.llvm {
        let release = Release::new(catalogue, major);
        unique(&catalogue.archives, &release.archives, source, major)?;
        unique(&catalogue.dialects, &release.dialects, source, major)?;
        unique(&catalogue.pass_groups, &release.pass_groups, source, major)?;
        unique(
            &catalogue.translations,
            &release.translations,
            source,
            major,
        )?;
        unique(
            &catalogue.runtime_libraries,
            &release.runtime_libraries,
            source,
            major,
        )?;
        unique(
            &catalogue.llvm_targets,
            &release.llvm_targets,
            source,
            major,
        )?;
        unique(&catalogue.tools, &release.tools, source, major)?;
        for archive in archives_named(catalogue, &release) {
            known(archive, &release.archives, "an archive", source)?;
        }
    }
    let anywhere = |set: &Spanned<String>, entries: &BTreeMap<&str, ()>| {
        known(set, entries, "known in any version", source)
    };
    let dialects = names(&catalogue.dialects);
    for member in catalogue.sets.dialects.values().flatten() {
        anywhere(member, &dialects)?;
    }
    let extensions = catalogue
        .dialects
        .iter()
        .flat_map(|dialect| &dialect.extensions);
    for dialect in extensions.flat_map(|extension| &extension.depends) {
        anywhere(dialect, &dialects)?;
    }
    let together = catalogue.dialect_extensions.iter();
    for dialect in together.flat_map(|extension| &extension.dialects) {
        anywhere(dialect, &dialects)?;
    }
    let of_tool = catalogue.tool_translations.iter();
    for dialect in of_tool.clone().flat_map(|row| &row.dialects) {
        anywhere(dialect, &dialects)?;
    }
    let translations = names(&catalogue.translations);
    for translation in of_tool.filter_map(|row| row.translation.as_ref()) {
        anywhere(translation, &translations)?;
    }
    for dialect in catalogue.stubs.iter().flat_map(|stub| &stub.unless) {
        anywhere(dialect, &dialects)?;
    }
    let targets = names(&catalogue.llvm_targets);
    for target in catalogue.stubs.iter().flat_map(|stub| &stub.only_targets) {
        anywhere(target, &targets)?;
    }
    for dialect in catalogue.pass_parts.iter().flat_map(|part| &part.dialects) {
        anywhere(dialect, &dialects)?;
    }
    let groups = names(&catalogue.pass_groups);
    for part in &catalogue.pass_parts {
        anywhere(&part.group, &groups)?;
    }
    for member in catalogue.sets.passes.values().flatten() {
        anywhere(member, &groups)?;
    }
    Ok(())
}

fn names<E: Entry>(entries: &[E]) -> BTreeMap<&str, ()> {
    entries
        .iter()
        .map(|entry| (entry.name().get_ref().as_str(), ()))
        .collect()
}

/// Refuses two entries with one name in one LLVM version: `chosen` holds the last of such entries,
/// so that any other is a duplicate.
fn unique<E: Entry>(
    all: &[E],
    chosen: &BTreeMap<&str, &E>,
    source: &Document,
    major: u32,
) -> Result<()> {
    for entry in all.iter().filter(|entry| entry.versions().contain(major)) {
        let name = entry.name();
        if let Some(last) = chosen.get(name.get_ref().as_str())
            && last.name().span() != name.span()
        {
            return Err(refuse(
                source,
                last.name(),
                format!("`{}` is listed twice for LLVM {major}", name.get_ref()),
            ));
        }
    }
    Ok(())
}

fn archives_named<'a>(
    catalogue: &'a Catalogue,
    release: &Release<'a>,
) -> impl Iterator<Item = &'a Spanned<String>> {
    let dialects = release
        .dialects
        .values()
        .flat_map(|dialect| release.archives_of(dialect));
    let groups = release.pass_groups.values();
    let groups = groups.filter_map(|group| release.archive_of_group(group));
    let translations = release
        .translations
        .values()
        .flat_map(|entry| &entry.archives);
    catalogue
        .base
        .iter()
        .chain([&catalogue.execution_engine, &catalogue.everything.archive])
        .chain(dialects.collect::<Vec<_>>())
        .chain(groups.collect::<Vec<_>>())
        .chain(translations.collect::<Vec<_>>())
}

fn known<E>(
    name: &Spanned<String>,
    entries: &BTreeMap<&str, E>,
    what: &str,
    source: &Document,
) -> Result<()> {
    if entries.contains_key(name.get_ref().as_str()) {
        return Ok(());
    }
    Err(
        refuse(source, name, format!("`{}` is not {what}", name.get_ref()))
            .help(suggest(name.get_ref(), entries.keys().copied())),
    )
}

fn refuse(source: &Document, name: &Spanned<String>, what: String) -> Error {
    source.error(ErrorKind::Manifest, name.span(), what)
}
