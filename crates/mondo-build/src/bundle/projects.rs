//! The projects of a manifest: they are built by their own `CMake` and become dialect crates.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, Result};
use mondo_core::progress::{self, Sink};
use mondo_core::source::Source;
use mondo_link::compile::CompiledCrate;
use mondo_link::link::{self, UnlinkedCode};
use mondo_plan::dialect_crate::{self, DialectCrate};
use mondo_plan::manifest::Manifest;
use mondo_plan::plan::Plan;
use mondo_project::{self as project, Description, Prepared, Tools};
use mondo_toolchain::{Linker, Toolchain};

use super::embedded;
use super::options::Options;
use super::own_files;

/// The projects of a manifest, once they are built.
#[derive(Default)]
pub(super) struct Projects {
    /// In the form of dialect crates.
    pub(super) crates: Vec<DialectCrate>,
    pub(super) prepared: Vec<Prepared>,
}

/// Builds the projects, and adds their dialects to those that the manifest names.
pub(super) fn build(
    manifest: &mut Manifest,
    options: &Options,
    toolchain: &Toolchain,
    linker: &Linker,
    sink: &dyn Sink,
) -> Result<Projects> {
    if manifest.projects.is_empty() {
        return Ok(Projects::default());
    }
    let tools = Tools::find(&options.python, options.offline, sink)?;
    let projects = manifest.projects.clone();
    let names: Vec<&str> = projects
        .iter()
        .map(|project| project.name.get_ref().as_str())
        .collect();
    let (mut prepared, _) = progress::phase(sink, "projects", &names.join(", "), || {
        let prepared = project::prepare(project::Request {
            projects: &projects,
            toolchain,
            linker,
            tools: &tools,
            python: &options.python,
            work: &options.work_dir,
            check_wheel: &|project, has_extensions| manifest.check_wheel(project, has_extensions),
            sink,
        })?;
        let outcome = outcome(&prepared);
        Ok::<_, Error>((prepared, outcome))
    })?;
    for one in &prepared {
        if !one.host.is_empty() {
            let found: Vec<String> = one
                .host
                .iter()
                .map(|(name, path)| format!("{name} = {path}"))
                .collect();
            sink.note(&format!(
                "the CMake of the project `{}` found these on this machine: {}",
                one.name,
                found.join(", ")
            ));
        }
    }
    for one in &mut prepared {
        one.excluded.iter().for_each(|note| sink.note(note));
        if let Some(said) = one.origin.license_note(&manifest.metadata.license) {
            sink.note(&said);
            one.notes.push(said);
        }
    }
    let descriptions: Vec<Description> = prepared.iter().map(Prepared::description).collect();
    for built in &descriptions {
        if let Some((root, folder)) = alias(built, manifest) {
            project::alias(&folder, root, &manifest.import_root)?;
        }
    }
    let crates = enter(manifest, &descriptions)?;
    Ok(Projects { crates, prepared })
}

/// The projects as their last build left them, in the form of dialect crates. Their dialects are added to those that the
/// manifest names. Nothing is built or written.
pub(super) fn as_last_built(manifest: &mut Manifest, work: &Utf8Path) -> Result<Vec<DialectCrate>> {
    let descriptions: Vec<Description> = manifest
        .projects
        .iter()
        .map(|project| Description::of_last_build(project, work))
        .collect::<Result<_>>()?;
    enter(manifest, &descriptions)
}

/// Adds built projects to the manifest: their dialects, wheels and aliases. Returns them as dialect crates.
fn enter(manifest: &mut Manifest, descriptions: &[Description]) -> Result<Vec<DialectCrate>> {
    let projects = manifest.projects.clone();
    for project in &projects {
        let name = project.name.get_ref();
        let Some(built) = descriptions.iter().find(|built| &built.name == name) else {
            continue;
        };
        let default = manifest.default_wheel(project);
        manifest.name_wheel(project, Some(default).filter(|_| built.extensions > 0));
        if let Some((root, folder)) = alias(built, manifest) {
            manifest.add_alias(name, root, folder);
        }
    }
    manifest.add_dialects(
        descriptions
            .iter()
            .flat_map(|built| built.dialects.iter().cloned()),
    );
    let load = |built: &Description| {
        let mut entries = projects.iter();
        match entries.find(|project| project.name.get_ref() == &built.name) {
            Some(project) => dialect_crate::load_made(&built.folder, project),
            None => dialect_crate::load(&built.folder),
        }
    };
    descriptions.iter().map(load).collect()
}

/// The package by which a project's users import the bundle, if it has another name than the import root, and the folder
/// that has it.
fn alias<'d>(built: &'d Description, manifest: &Manifest) -> Option<(&'d str, Utf8PathBuf)> {
    let root = built.python_root.as_deref()?;
    (root != manifest.import_root).then(|| (root, built.folder.with_file_name("alias")))
}

/// Sentences about who asks for the archives that no project makes.
pub(super) fn asked(prepared: &[Prepared]) -> BTreeMap<Utf8PathBuf, String> {
    let all = prepared.iter().flat_map(|project| &project.asked);
    all.map(|(path, who)| (path.clone(), who.clone())).collect()
}

/// The code of the projects that is not linked.
pub(super) struct Unlinked<'a>(pub(super) &'a [Prepared]);

impl UnlinkedCode for Unlinked<'_> {
    fn definitions(&self, symbols: &[&str]) -> Result<BTreeMap<String, link::Unlinked>> {
        let mut all = BTreeMap::new();
        for prepared in self.0 {
            for (symbol, found) in prepared.unlinked(symbols)? {
                all.entry(symbol).or_insert_with(|| link::Unlinked {
                    place: format!(
                        "{} of the target `{}` of the project `{}`, which is not linked",
                        found.place, found.target, prepared.name
                    ),
                    target: found.target,
                    project: prepared.name.clone(),
                });
            }
        }
        Ok(all)
    }
}

/// `toy: 12 steps, 4 archives`.
fn outcome(prepared: &[Prepared]) -> String {
    let parts = prepared.iter().map(|project| match project.steps {
        0 => format!("{}: {} archives", project.name, project.archives),
        steps => format!(
            "{}: {} archives, {steps} steps",
            project.name, project.archives
        ),
    });
    parts.collect::<Vec<_>>().join("; ")
}

impl Projects {
    /// Checks the projects against the plan: their files must not be in the way of the bundle's own. Groups of MLIR's
    /// Python package that they embed and this bundle lacks are reported, and become notes for the report.
    pub(super) fn check(
        &mut self,
        manifest: &Manifest,
        plan: &Plan,
        source: &Source,
        sink: &dyn Sink,
    ) -> Result<()> {
        own_files::check(&manifest.projects, &self.prepared, plan, source)?;
        for one in &mut self.prepared {
            let missing = embedded::notes(one, plan);
            missing.iter().for_each(|note| sink.note(note));
            one.notes.extend(missing);
        }
        Ok(())
    }
}

/// Adds to an error of the link or of the audit the owners of the archives that it names.
pub(super) fn name_owners(error: Error, crates: &[CompiledCrate]) -> Error {
    let said = error.to_string();
    let archives = crates
        .iter()
        .flat_map(|one| one.archives().map(move |path| (one, path)));
    let named = archives.filter_map(|(one, path)| {
        let file = path.file_name()?;
        let there = said.contains(&format!(" {file}("));
        there.then(|| format!("{file} belongs to `{}`", one.name))
    });
    let named: Vec<String> = named.collect();
    error.details(named)
}

/// A text with the names, versions and licences of the projects. They are inputs of the wheel besides the projects'
/// code and Python.
pub(super) fn fingerprint(prepared: &[Prepared]) -> String {
    let origins: Vec<_> = prepared.iter().map(|project| &project.origin).collect();
    format!("{origins:?}")
}
