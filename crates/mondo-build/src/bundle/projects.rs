//! The projects of a manifest: built by their own `CMake`, then dialect crates like others.

use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::progress::{self, Sink};
use mondo_link::extension;
use mondo_plan::dialect_crate::{self, DialectCrate};
use mondo_plan::manifest::Manifest;
use mondo_project::{self as project, Prepared, Tools};
use mondo_toolchain::{Linker, Toolchain};

use super::options::Options;

/// Builds the projects, and adds their dialects to those that the manifest names.
pub(super) fn build(
    manifest: &mut Manifest,
    options: &Options,
    toolchain: &Toolchain,
    linker: &Linker,
    sink: &dyn Sink,
) -> Result<Vec<DialectCrate>> {
    if manifest.projects.is_empty() {
        return Ok(Vec::new());
    }
    let python = extension::program();
    let tools = Tools::find(&python, options.offline)?;
    let projects = manifest.projects.clone();
    let names: Vec<&str> = projects
        .iter()
        .map(|it| it.name.get_ref().as_str())
        .collect();
    let (prepared, _) = progress::phase(sink, "projects", &names.join(", "), || {
        let prepared = project::prepare(project::Request {
            projects: &projects,
            toolchain,
            linker,
            tools: &tools,
            python: &python,
            work: &options.work_dir,
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
                "the CMake of `{}` found on this machine: {}",
                one.name,
                found.join(", ")
            ));
        }
    }
    manifest.add_dialects(prepared.iter().flat_map(|it| it.dialects.iter().cloned()));
    prepared
        .iter()
        .map(|it| dialect_crate::load(&it.folder))
        .collect()
}

/// `toy: 12 steps, 4 archives`.
fn outcome(prepared: &[Prepared]) -> String {
    let parts = prepared.iter().map(|it| match it.steps {
        0 => format!("{}: {} archives", it.name, it.archives),
        steps => format!("{}: {} archives, {steps} steps", it.name, it.archives),
    });
    parts.collect::<Vec<_>>().join("; ")
}

/// The plan of a manifest with projects needs them built; without, there is nothing to do.
pub(super) fn built(manifest: &mut Manifest) -> Result<Vec<DialectCrate>> {
    let Some(first) = manifest.projects.first() else {
        return Ok(Vec::new());
    };
    Err(manifest
        .error(
            ErrorKind::Plan,
            first.name.span(),
            "the plan of a bundle with projects is not known before they are configured",
        )
        .help("run `mondo bundle`, whose report has the plan"))
}
