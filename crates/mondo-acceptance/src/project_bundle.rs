//! Bundles of projects, and what is expected of them.

use camino::Utf8PathBuf;
use mondo::console;
use mondo_build::bundle::{Bundle, Options};
use mondo_build::project_tests::TestResult;
use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::Context;

/// The options of a bundle with the manifest `manifest`.
pub(crate) fn options(context: &Context<'_>, manifest: Utf8PathBuf, name: &str) -> Options {
    Options {
        out_dir: context.scratch().join(format!("{name}-dist")),
        ..Options::new(manifest, context.workspace)
    }
}

/// Fails if one of the tests of the project `name` has failed.
pub(crate) fn passed(name: &str, results: &[TestResult]) -> Result<()> {
    let failed: Vec<String> = results
        .iter()
        .filter(|result| result.failed())
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
    if failed.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Check,
        format!("tests of the project `{name}` fail"),
    )
    .details(failed))
}

/// Fails, with the report of the projects in `made`, unless `holds`.
pub(crate) fn expect(holds: bool, what: &str, made: &Bundle) -> Result<()> {
    if holds {
        return Ok(());
    }
    Err(
        Error::new(ErrorKind::Check, format!("this does not hold: {what}"))
            .at(&made.wheel)
            .because(format!("{:?}", made.report.projects)),
    )
}
