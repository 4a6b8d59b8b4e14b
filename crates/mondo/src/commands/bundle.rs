//! `mondo bundle` and `mondo plan`.

use camino::Utf8Path;
use mondo_build::Result;
use mondo_build::bundle::{self, Options};
use mondo_build::progress::Sink;

use crate::args::{BundleArgs, PlanArgs};
use crate::console;
use crate::program::to_json;
use crate::progress::Verbosity;

/// Makes the bundle that the arguments select, and prints its report.
pub(super) fn make(
    args: &BundleArgs,
    manifest: &Utf8Path,
    workspace: &Utf8Path,
    json: bool,
    verbosity: Verbosity,
    sink: &dyn Sink,
) -> Result<()> {
    let options = Options {
        kit: args.kit.clone(),
        out_dir: args.out_dir.clone(),
        report: args.report.clone(),
        force: args.force,
        layout: args.layout.into(),
        ..args
            .toolchain
            .over(args.select.options(manifest, workspace))
    };
    let bundle = bundle::bundle(&options, sink)?;
    if json {
        console::out(to_json(&bundle.report)?);
    } else if verbosity == Verbosity::Quiet {
        for wheel in [&bundle.wheel].into_iter().chain(&bundle.crate_wheels) {
            console::out(wheel);
        }
    } else {
        let state = if bundle.up_to_date {
            "up to date"
        } else {
            "made"
        };
        console::out(format!(
            "{state}: {}\n{}  {:<18} {}",
            bundle.wheel,
            bundle.report.table(),
            "report",
            options.reports().join("report.json")
        ));
    }
    Ok(())
}

/// Prints what the bundle would consist of.
pub(super) fn plan(
    args: &PlanArgs,
    manifest: &Utf8Path,
    workspace: &Utf8Path,
    json: bool,
    sink: &dyn Sink,
) -> Result<()> {
    let options = args
        .compilers
        .over(args.select.options(manifest, workspace));
    let plan = match args.build {
        true => bundle::build_projects_and_plan(&options, sink)?,
        false => bundle::plan_of_last_build(&options)?,
    };
    bundle::check_archives(&plan)?;
    console::out(if json {
        to_json(&plan)?
    } else {
        plan.summary()
    });
    Ok(())
}
