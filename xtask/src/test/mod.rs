//! `cargo xtask test`: every check of the project, in groups that can also be run alone. Without `--all`
//! it is the gate, which covers every part of the project once.

mod api;
mod attack;
mod disk;
mod docs;
mod ir;
mod other_llvm;
mod prefixes;
mod python;
mod reproducible;
mod rust;
mod table;
mod wheel;
mod workflows;

use std::time::Instant;

use clap::ValueEnum;
use mondo::console;
use mondo_acceptance::{
    backend, cache, clients, conformance, crates, distributions, downstream, hosts, installed,
    language, page, projects, vendoring,
};
use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::{Context, Extent, Venv};

use table::Row;

use crate::fuzz;
use crate::group::Group;

/// The manifest with each of MLIR's tools.
const ALL_TOOLS: &str = "default-tools";

/// Seconds that libFuzzer runs each target: enough to get through the seeds and some million inputs made of them.
const FUZZ_SECONDS: u32 = 60;

/// Runs `groups`, or those that the extent has, to the end; then says how long each took and which of
/// them failed.
pub(crate) fn run(groups: &[Group], extent: Extent, context: &Context<'_>) -> Result<()> {
    let mut groups = groups.to_vec();
    if groups.is_empty() {
        groups.extend_from_slice(Group::value_variants());
        groups.retain(|group| extent.is_all() || group.in_gate());
    }
    let mut rows = Vec::new();
    for group in groups {
        let name = group.name();
        console::err(format!("==== {name}"));
        let start = Instant::now();
        let result = disk::reserve(context).and_then(|()| check(group, extent, context));
        let time = start.elapsed();
        let seconds = time.as_secs_f64();
        match &result {
            Ok(()) => console::err(format!("==== {name}: passed in {seconds:.1} s")),
            Err(error) if error.kind() == ErrorKind::Interrupted => return result,
            Err(error) => {
                console::err(format!("error[{}]: {error}", error.kind().name()));
                console::err(format!("==== {name}: FAILED in {seconds:.1} s"));
            }
        }
        rows.push(Row {
            group: name,
            time,
            passed: result.is_ok(),
        });
    }
    console::out(table::table(&rows));
    let failed = rows.into_iter().filter(|row| !row.passed);
    let failed: Vec<String> = failed.map(|row| row.group).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let all = if extent.is_all() { "--all " } else { "" };
    Err(Error::new(ErrorKind::Check, "checks failed")
        .help(format!(
            "run one group alone: cargo xtask test {all}{}",
            failed[0]
        ))
        .details(failed))
}

fn check(group: Group, extent: Extent, context: &Context<'_>) -> Result<()> {
    match group {
        Group::Tidy => {
            mondo_tidy::check(context.workspace)?;
            rust::deny(context)?;
            rust::locks(context)
        }
        Group::Fmt => rust::fmt(context),
        Group::Clippy => rust::clippy(context),
        Group::Unit => rust::unit(context),
        // The gate calls the targets' functions; `--all` also has libFuzzer build and search.
        Group::Fuzz if extent.is_all() => {
            fuzz::over_seeds(context.workspace)?;
            fuzz::run(&[], FUZZ_SECONDS, false, context.workspace)
        }
        Group::Fuzz => fuzz::over_seeds(context.workspace),
        Group::Lint => python::lint(context),
        Group::Docs => docs::check(extent, context),
        Group::Bundle => extent
            .first(2, &wheel::MANIFESTS)
            .iter()
            .try_for_each(|name| context.bundle(name).map(drop)),
        Group::Wheel => wheel::check(extent, context),
        Group::Page => page::check(context),
        Group::Python => python::suites(extent, context),
        Group::Api => api::check(context, extent),
        Group::Distributions => distributions::check(context),
        Group::OtherLlvm => other_llvm::check(extent, context),
        Group::RustDialects => python::dialects(context),
        Group::Language => language::check(extent, context),
        Group::Ir => ir::check(extent, context),
        Group::Lifetime => python::lifetime(context),
        Group::Attack => attack::check(extent, context),
        Group::Reproducible => reproducible::check(context),
        Group::Downstream => downstream::check(context),
        Group::Vendoring => vendoring::check(extent, context),
        Group::Crates => crates::check(extent, context),
        Group::Projects => projects::check(extent, context),
        Group::BadInput => rust::bad_input(context),
        Group::Backend => backend::check(extent, context),
        Group::Conformance => {
            let manifest = context.manifest("default");
            conformance::python(&manifest, "", context)
        }
        Group::Clients => clients::check(context),
        Group::Tools => tools(context),
        Group::Cache => cache::check(context),
        Group::Installed => installed::check(extent, context),
        Group::Hosts => hosts::check(extent, context),
        Group::Prefixes => prefixes::check(context),
    }
}

/// Each of MLIR's tools: our tests of the language servers, and upstream's of all tools. Those are in LLVM's
/// sources, which no package of the toolchain has, and which two of the tools are compiled from.
fn tools(context: &Context<'_>) -> Result<()> {
    let venv = Venv::with_wheels(context, ALL_TOOLS, [&context.bundle(ALL_TOOLS)?.wheel])?;
    let env = [("MONDO_IMPORT_ROOT", "mlir"), ("MONDO_BUNDLE", ALL_TOOLS)];
    python::pytest(context, &venv, &env, "tools")?;
    let manifest = context.manifest(ALL_TOOLS);
    conformance::tools(&manifest, "", context)
}
