//! The product's commands, a file each: they hand the arguments to `mondo-build` or `mondo-audit` and
//! print the result.

mod audit;
mod bundle;
mod doctor;
mod manifest;
mod matrix;
mod new_dialect;
mod size;
mod test_project;

use mondo_build::Result;
use mondo_build::progress::Sink;

use crate::args::{Command, Output};
use crate::workspace::workspace;

/// Runs a command: its result goes to standard output, its progress to `sink`.
///
/// # Errors
///
/// The error of the command; its kind is the exit code of the process.
pub fn run(command: &Command, output: Output, sink: &dyn Sink) -> Result<()> {
    let json = output.json();
    match command {
        Command::Bundle(args) => bundle::make(args, &workspace()?, json, output.verbosity(), sink),
        Command::Plan(args) => bundle::plan(args, &workspace()?, json, sink),
        Command::Matrix(args) => matrix::list(args, &workspace()?, json, sink),
        Command::Audit(args) => audit::run(args, json),
        Command::Doctor(args) => doctor::report(args, json),
        Command::Manifest(args) => manifest::check(args),
        Command::Size(args) => size::run(args, &workspace()?, json, sink),
        Command::NewDialect(args) => new_dialect::create(args),
        Command::TestProject(args) => test_project::run(args, &workspace()?, json, sink),
    }
}
