//! Bundles of projects, and what is expected of them.

use camino::Utf8PathBuf;
use mondo::console;
use mondo_build::Result;
use mondo_build::bundle::{Bundle, Options};
use mondo_build::project_tests::{self, TestResult};
use mondo_testbed::Context;
use mondo_testbed::verdict::expect;

/// The options of a bundle with the manifest `manifest`.
pub(crate) fn options(context: &Context<'_>, manifest: Utf8PathBuf, name: &str) -> Options {
    Options {
        out_dir: context.scratch().join(format!("{name}-dist")),
        ..Options::new(manifest, context.workspace)
    }
}

/// Runs the tests of the project `name` with the packages `with`, all of which have to pass.
pub(crate) fn tested(
    name: &str,
    with: &[String],
    options: &Options,
    context: &Context<'_>,
) -> Result<()> {
    passed(
        name,
        &project_tests::run(name, &[], with, options, context.sink)?,
    )
}

/// Fails if one of the tests of the project `name` has failed.
pub(crate) fn passed(name: &str, results: &[TestResult]) -> Result<()> {
    let failed = results.iter().filter(|result| result.failed());
    let failed: Vec<String> = failed
        .map(|result| {
            format!(
                "{}\n{}",
                result.name,
                result.output.as_deref().unwrap_or_default()
            )
        })
        .collect();
    let count = results.len();
    console::err(format!("{name}: {} of {count} tests", count - failed.len()));
    let what = format!("tests of the project `{name}` fail");
    expect(failed.is_empty(), what, failed.join("\n"))
}

/// Fails, with the report of the projects in `made`, unless `holds`.
pub(crate) fn shows(holds: bool, what: &str, made: &Bundle) -> Result<()> {
    let what = format!("{}: this does not hold: {what}", made.wheel);
    expect(holds, what, format!("{:?}", made.report.projects))
}
