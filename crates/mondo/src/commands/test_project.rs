//! `mondo test-project`.

use std::collections::BTreeSet;

use camino::Utf8Path;
use mondo_build::bundle::Options;
use mondo_build::progress::Sink;
use mondo_build::project_tests;
use mondo_build::{Error, ErrorKind, Result};

use crate::args::TestProjectArgs;
use crate::console;
use crate::program::to_json;

/// MLIR's own Python package.
const UPSTREAM: &str = "mlir";

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
    let failed: Vec<_> = results.iter().filter(|it| it.failed()).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let details = failed.iter().map(|it| match &it.output {
        Some(output) => format!("{}\n{output}", it.name),
        None => it.name.clone(),
    });
    let outputs = failed.iter().filter_map(|it| it.output.as_deref());
    let help = help(&args.name, outputs);
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

/// The next step where tests import what the environment does not have.
fn help<'a>(project: &str, outputs: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut missing: BTreeSet<&str> = outputs
        .flat_map(|output| output.split("No module named '").skip(1))
        .filter_map(|rest| rest.split(['.', '\'']).next())
        .filter(|name| !name.is_empty())
        .collect();
    let mut steps = Vec::new();
    if missing.remove(UPSTREAM) {
        steps.push(format!(
            "`python-root = \"{UPSTREAM}\"` in the `[[project]]` of `{project}` lets Python import the bundle's package \
             by the name of MLIR's own"
        ));
    }
    if !missing.is_empty() {
        let names: Vec<&str> = missing.into_iter().collect();
        steps.push(format!(
            "`--with` adds packages to the environment; missing: {}",
            names.join(", ")
        ));
    }
    Some(steps.join("\n")).filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tests_import_in_vain_has_a_next_step() {
        let outputs = [
            "E   ModuleNotFoundError: No module named 'mlir'",
            "E   ModuleNotFoundError: No module named 'numpy.linalg'\nNo module named 'torch'",
        ];
        let help = help("npu", outputs.into_iter()).unwrap();
        let lines: Vec<&str> = help.lines().collect();
        assert!(lines[0].starts_with("`python-root = \"mlir\"` in the `[[project]]` of `npu`"));
        assert!(lines[1].ends_with("missing: numpy, torch"), "{help}");
        assert_eq!(super::help("npu", ["assert 1 == 2"].into_iter()), None);
    }
}
