//! `cargo xtask test`: every check of the project, in groups that can also be run alone. Without `--all`
//! it is the gate, which covers every part of the project once.

mod api;
mod attack;
mod disk;
mod docs;
mod extent;
mod ir;
mod lifetime;
mod older_llvm;
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
use mondo_acceptance::{backend, cache, crates, downstream, hosts, installed, projects, vendoring};
use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::{Context, Extent, fuzz};

use table::Row;

use crate::group::Group;
use crate::lab;

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
        Group::Clippy => rust::clippy(extent, context),
        Group::Unit => rust::unit(extent, context),
        Group::Fuzz => fuzz(extent, context),
        Group::Lint => python::lint(context),
        Group::Docs => docs::check(extent, context),
        Group::Bundle => extent::manifests(extent)
            .iter()
            .try_for_each(|name| context.bundle(name).map(drop)),
        Group::Wheel => wheel::check(extent, context),
        Group::Page => with_default_wheel(context, "page", &[]),
        Group::Python => python::suites(extent, context),
        Group::Api => api::check(context, extent),
        Group::Distributions => with_default_wheel(context, "distributions", &["--smoke"]),
        Group::OlderLlvm => older_llvm::check(extent, older, context),
        Group::RustDialects => rust_dialects::check(context),
        Group::Ir => ir::check(extent, context),
        Group::Lifetime => lifetime::check(context),
        Group::Attack => attack::check(extent, context),
        Group::Reproducible => reproducible::check(context),
        Group::Downstream => downstream::check(context),
        Group::Vendoring => vendoring::check(extent, context),
        Group::Crates => crates::check(extent, context),
        Group::Projects => projects::check(extent, context),
        Group::BadInput => rust::bad_input(context),
        Group::Backend => backend::check(extent, context),
        Group::Conformance => conformance(context),
        Group::Clients => lab::run(context.workspace, "clients", &[]),
        Group::Tools => tools(context),
        Group::Cache => cache::check(context),
        Group::Installed => installed::check(extent, context),
        Group::Hosts => hosts::check(extent, context),
    }
}

/// The gate calls the targets' functions; `--all` also has libFuzzer build and search.
fn fuzz(extent: Extent, context: &Context<'_>) -> Result<()> {
    fuzz::over_seeds(context.workspace)?;
    extent::fuzz_seconds(extent).map_or(Ok(()), |seconds| {
        let seconds = seconds.to_string();
        lab::run(
            context.workspace,
            "fuzz",
            &["--fresh", "--seconds", &seconds],
        )
    })
}

/// Upstream's own Python tests, which are in LLVM's sources like those of its tools.
fn conformance(context: &Context<'_>) -> Result<()> {
    let mlir = projects::llvm_sources(context)?;
    let sources = ["--llvm-src", mlir.as_str()];
    let wheel = context.bundle("default")?.wheel;
    let over_default = [&sources[..], &["--wheel", wheel.as_str()]].concat();
    lab::run(context.workspace, "conformance", &over_default)?;
    let over_its_dialect = [&sources[..], &["--test-dialect"]].concat();
    lab::run(context.workspace, "conformance", &over_its_dialect)
}

/// Each of MLIR's tools: our tests of the language servers, and upstream's of all tools. Those are in LLVM's
/// sources, which no package of the toolchain has, and which two of the tools are compiled from.
fn tools(context: &Context<'_>) -> Result<()> {
    let mlir = projects::llvm_sources(context)?;
    let wheel = context.bundle(ALL_TOOLS)?.wheel;
    python::tools(context, ALL_TOOLS, &wheel)?;
    let arguments = [
        "--tools",
        "--llvm-src",
        mlir.as_str(),
        "--wheel",
        wheel.as_str(),
    ];
    lab::run(context.workspace, "conformance", &arguments)
}

/// Runs a command of `cargo lab` that ends with the wheel of the default manifest. That is made here: for
/// another program, `mondo_build::bundle` would make it again.
fn with_default_wheel(context: &Context<'_>, command: &str, options: &[&str]) -> Result<()> {
    let wheel = context.bundle("default")?.wheel;
    let arguments = [options, &[wheel.as_str()]].concat();
    lab::run(context.workspace, command, &arguments)
}
