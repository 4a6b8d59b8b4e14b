//! The product's commands, a file each: they hand the arguments to `mondo-build` or `mondo-audit` and
//! print the result.

mod audit;
mod bundle;
mod doctor;
mod kit;
mod manifest;
mod matrix;
mod new_dialect;
mod publish;
mod shell;
mod size;

use camino::Utf8Path;
use mondo_build::Result;
use mondo_build::progress::Sink;

use crate::args::{Command, Output};
use crate::workspace::project;

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
            let place = place(&args.select.manifest.manifest)?;
            bundle::make(args, &place, json, output.verbosity(), sink)
        }
        Command::Plan(args) => bundle::plan(args, json),
        Command::Matrix(args) => matrix::list(args, &place(MANIFESTS.into())?, json, sink),
        Command::Audit(args) => audit::run(args, json),
        Command::Doctor(args) => doctor::report(args, json),
        Command::Manifest(args) => manifest::check(args),
        Command::Size(args) => size::run(args, &place(&args.manifest.manifest)?, json, sink),
        Command::NewDialect(args) => new_dialect::create(args),
        Command::Kit(args) => kit::run(args, &place(MANIFESTS.into())?, json, sink),
        Command::Publish(args) => publish::check(args, json),
        Command::Completions(args) => shell::completions(args),
        Command::Man(args) => shell::manual(args),
    }
}

/// A path in the current folder, for commands whose arguments name no manifest.
const MANIFESTS: &str = "manifests";
