//! `cargo xtask test`: every check of the project, in groups that can also be run alone. Without `--all`
//! it is the gate, which covers every part of the project once.

mod api;
mod attack;
mod disk;
mod docs;
mod extent;
mod ir;
mod older_llvm;
mod prefixes;
mod python;
mod reproducible;
mod rust;
mod rust_dialects;
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
use mondo_testbed::{Context, Extent};

use table::Row;

use crate::fuzz;
use crate::group::Group;

/// Runs `groups`, or those that the extent has, to the end; then says how long each took and which of
/// them failed. `older` are the bundles of [`Group::OlderLlvm`].
pub(crate) fn run(
    groups: &[Group],
    extent: Extent,
    older: &[String],
    context: &Context<'_>,
) -> Result<()> {
    let groups = match groups {
        [] => extent::groups(extent, Group::value_variants()),
        named => named.to_vec(),
    };
    let mut rows = Vec::new();
    for group in groups {
        let name = group.name();
        console::err(format!("==== {name}"));
        let start = Instant::now();
        let result = disk::reserve(context).and_then(|()| check(group, extent, older, context));
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

/// The manifest with each of MLIR's tools.
const ALL_TOOLS: &str = "default-tools";

fn check(group: Group, extent: Extent, older: &[String], context: &Context<'_>) -> Result<()> {
    match group {
        Group::Tidy => {
            mondo_tidy::check(context.workspace)?;
            rust::deny(context)?;
            rust::locks(context)
        }
        Group::Fmt => rust::fmt(context),
        Group::Clippy => rust::clippy(context),
        Group::Unit => rust::unit(context),
        Group::Fuzz => fuzz_targets(extent, context),
        Group::Lint => python::lint(context),
        Group::Docs => docs::check(extent, context),
        Group::Bundle => extent::manifests(extent)
            .iter()
            .try_for_each(|name| context.bundle(name).map(drop)),
        Group::Wheel => wheel::check(extent, context),
        Group::Page => page::check(context),
        Group::Python => python::suites(extent, context),
        Group::Api => api::check(context, extent),
        Group::Distributions => distributions::check(context),
        Group::OlderLlvm => older_llvm::check(extent, older, context),
        Group::RustDialects => rust_dialects::check(context),
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
            let manifest = context.workspace.join("manifests/default.toml");
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

/// The gate calls the targets' functions; `--all` also has libFuzzer build and search.
fn fuzz_targets(extent: Extent, context: &Context<'_>) -> Result<()> {
    fuzz::over_seeds(context.workspace)?;
    extent::fuzz_seconds(extent).map_or(Ok(()), |seconds| {
        fuzz::run(&[], seconds, false, context.workspace)
    })
}

/// Each of MLIR's tools: our tests of the language servers, and upstream's of all tools. Those are in LLVM's
/// sources, which no package of the toolchain has, and which two of the tools are compiled from.
fn tools(context: &Context<'_>) -> Result<()> {
    let wheel = context.bundle(ALL_TOOLS)?.wheel;
    python::tools(context, ALL_TOOLS, &wheel)?;
    let manifest = format!("manifests/{ALL_TOOLS}.toml");
    let manifest = context.workspace.join(manifest);
    conformance::tools(&manifest, "", context)
}
