//! The product's commands, a file each: they hand the arguments to `mondo-build` or `mondo-audit` and
//! print the result.

mod audit;
mod bundle;
mod cache;
mod check;
mod develop;
mod doctor;
mod kit;
mod manifest;
mod matrix;
mod new_dialect;
mod new_project;
mod pep517;
mod shell;
mod size;
mod test_project;
mod toolchain;

use camino::Utf8Path;
use mondo_build::Result;
use mondo_build::progress::Sink;

use crate::args::{Command, Output};
use crate::workspace::project;

pub use self::toolchain::request;

/// Runs a command: its result goes to standard output, its progress to `sink`. Intermediate files go
/// below `workspace`, or below the project of the command's manifest.
///
/// # Errors
///
/// The error of the command; its kind is the exit code of the process.
pub fn run(
    command: &Command,
    output: Output,
    workspace: Option<&Utf8Path>,
    sink: &dyn Sink,
) -> Result<()> {
    let json = output.json();
    let place = |manifest: &Utf8Path| match workspace {
        Some(workspace) => Ok(workspace.to_owned()),
        None => project(manifest),
    };
    match command {
        Command::Bundle(args) => {
            let manifest = args.select.manifest.path()?;
            bundle::make(
                args,
                &manifest,
                &place(&manifest)?,
                json,
                output.verbosity(),
                sink,
            )
        }
        Command::Develop(args) => {
            let manifest = args.select.manifest.path()?;
            develop::run(args, &manifest, &place(&manifest)?, json, sink)
        }
        Command::Plan(args) => {
            let manifest = args.select.manifest.path()?;
            bundle::plan(args, &manifest, &place(&manifest)?, json, sink)
        }
        Command::Matrix(args) => matrix::list(args, json, sink),
        Command::Audit(args) => audit::run(args, json, output.verbosity()),
        Command::Doctor(args) => doctor::report(args, json, output.verbosity(), sink),
        Command::Sources(args) => toolchain::sources(args, json, sink),
        Command::Manifest(args) => manifest::check(args),
        Command::Size(args) => {
            // A wheel needs no manifest.
            let manifest = match args.wheel.is_some() || !args.diff.is_empty() {
                true => args.manifest.path().unwrap_or(MANIFESTS.into()),
                false => args.manifest.path()?,
            };
            size::run(args, &manifest, &place(&manifest)?, json, sink)
        }
        Command::New(args) => new_project::create(args),
        Command::Init(args) => new_project::begin(args),
        Command::NewDialect(args) => new_dialect::create(args),
        Command::Kit(args) => kit::run(args, &place(MANIFESTS.into())?, json, sink),
        Command::Pep517(args) => pep517::run(args, output.verbosity(), sink),
        Command::Check(args) => check::run(args, json),
        Command::Cache(args) => cache::run(args, json),
        Command::Toolchain(args) => toolchain::run(args, json, sink),
        Command::Completions(args) => shell::completions(args),
        Command::Man(args) => shell::manual(args),
        Command::TestProject(args) => {
            let manifest = args.select.manifest.path()?;
            test_project::run(args, &manifest, &place(&manifest)?, json, sink)
        }
    }
}

/// A path in the current folder, for commands whose arguments name no manifest.
const MANIFESTS: &str = "manifests";
