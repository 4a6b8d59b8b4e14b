//! `mondo test-project`.

use camino::Utf8Path;
use mondo_build::bundle::Options;
use mondo_build::progress::Sink;
use mondo_build::project_tests;
use mondo_build::{Error, ErrorKind, Result};

use crate::args::TestProjectArgs;
use crate::console;
use crate::program::to_json;

/// Bundles, runs the project's tests, and prints the result of each.
pub(super) fn run(
    args: &TestProjectArgs,
    manifest: &Utf8Path,
    workspace: &Utf8Path,
    json: bool,
    sink: &dyn Sink,
) -> Result<()> {
    let options = Options {
        out_dir: args.out_dir.clone(),
        ..args
            .toolchain
            .over(args.select.options(manifest, workspace))
    };
    let results = project_tests::run(&args.name, &args.tests, &args.with, &options, sink)?;
    if json {
        console::out(to_json(&results)?);
    } else {
        for one in &results {
            console::out(format!("{:<12} {}", one.result, one.name));
        }
    }
    let failed: Vec<_> = results.iter().filter(|result| result.failed()).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let details = failed.iter().map(|result| match &result.output {
        Some(output) => format!("{}\n{output}", result.name),
        None => result.name.clone(),
    });
    let help = project_tests::next_step(&args.name, &results, &options);
    let error = Error::new(
        ErrorKind::Check,
        format!(
            "{} of {} tests of `{}` fail",
            failed.len(),
            results.len(),
            args.name
        ),
    )
    .details(details);
    Err(match help {
        Some(help) => error.help(help),
        None => error,
    })
}
