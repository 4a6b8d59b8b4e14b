//! The projects of a manifest: they are built by their own `CMake` and become dialect crates.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, Result};
use mondo_core::progress::{self, Sink};
use mondo_core::source::Source;
use mondo_plan::dialect_crate::{self, DialectCrate};
use mondo_plan::manifest::Manifest;
use mondo_plan::plan::Plan;
use mondo_project::{self as project, Description, Prepared, Tools};
use mondo_toolchain::{Linker, Toolchain};

use super::embedded;
use super::options::Options;
use super::own_files;

/// Builds the projects, adds their dialects to those that the manifest names, and calls `plan` with the projects in the
/// form of dialect crates. Checks the projects against the plan: their files must not be in the way of the bundle's
/// own. Groups of MLIR's Python package that they embed and this bundle lacks are reported, and become notes for the
/// report.
pub(super) fn build_and_plan(
    manifest: &mut Manifest,
    options: &Options,
    toolchain: &Toolchain,
    linker: &Linker,
    source: &Source,
    sink: &dyn Sink,
    plan: impl FnOnce(&Manifest, Vec<DialectCrate>) -> Result<Plan>,
) -> Result<(Vec<Prepared>, Plan)> {
    if manifest.projects.is_empty() {
        return Ok((Vec::new(), plan(manifest, Vec::new())?));
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
    let plan = plan(manifest, crates)?;
    own_files::check(&manifest.projects, &prepared, &plan, source)?;
    for one in &mut prepared {
        let missing = embedded::notes(one, &plan);
        missing.iter().for_each(|note| sink.note(note));
        one.notes.extend(missing);
    }
    Ok((prepared, plan))
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
