//! `cargo lab coexist`: loads mondo's wheels and other people's into one process, in each order. Writes
//! docs/measurements/coexistence.md.

use mondo_build::Result;
use mondo_testbed::Context;

use crate::folders::measurement;
use crate::packages;

/// Runs each ordered pair of packages, and writes the table.
pub(crate) fn run(context: &Context<'_>) -> Result<()> {
    let wheels = [
        context.bundle("default")?.wheel,
        context.bundle("acme")?.wheel,
        context.third_label()?,
    ];
    let (others, venv) = packages::others(context)?;
    let files: Vec<&str> = wheels.iter().map(|wheel| wheel.as_str()).collect();
    let install = ["--no-index", "--no-deps", "--force-reinstall"];
    venv.pip_install(&[&install[..], &files[..]].concat())?;
    let mut table = venv
        .python("load packages side by side")
        .arg(context.workspace.join("tests/python/side_by_side/table.py"))
        .arg("--out")
        .arg(measurement(context, "coexistence.md"));
    for package in others {
        if let Some(root) = &package.import {
            table = table.arg(format!(
                "--other={} {}={root}",
                package.name, package.version
            ));
        }
    }
    table
        .args(["mlir", "acme.mlir", Context::THIRD_ROOT])
        .stream()
}
