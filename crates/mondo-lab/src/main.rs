//! `cargo lab`: research on bundles. It compares the audit with binutils, audits other people's wheels, runs wheels in other distributions and beside other packages, measures, and fuzzes. Neither
//! the product nor the gate depends on it.

mod agrees;
mod api_diff;
mod args;
mod bench;
mod browser;
mod clients;
mod coexist;
mod conformance;
mod damage;
mod distributions;
mod folders;
mod fuzz;
mod packages;
mod page;
mod survey;

use std::process::ExitCode;

use clap::Parser;
use mondo_build::Result;
use mondo_testbed::Context;

use crate::args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    mondo::program(args.output, |terminal| run(&args, terminal))
}

fn run(args: &Args, terminal: &mondo::Terminal) -> Result<()> {
    let workspace = mondo::workspace()?;
    let context = || Context::new(&workspace, terminal);
    match &args.command {
        Command::Survey => survey::run(&context()?),
        Command::Agrees(args) => args.wheels.iter().try_for_each(|wheel| agrees::run(wheel)),
        Command::Coexist => coexist::run(&context()?),
        Command::ApiDiff(args) => api_diff::run(&context()?, args),
        Command::Clients => clients::run(&context()?),
        Command::Distributions(args) => match &args.smoke {
            Some(wheel) => distributions::smoke(&context()?, wheel),
            None => distributions::run(&context()?, args.fresh, &args.python),
        },
        Command::Page(args) => page::check(&context()?, &args.wheel),
        Command::Conformance(conformance) if conformance.tools => {
            conformance::tools::run(conformance, &context()?, args.output)
        }
        Command::Conformance(conformance) => {
            conformance::run(conformance, &context()?, args.output)
        }
        Command::Damage(damage) => damage::run(damage, &context()?),
        Command::Fuzz(fuzz) => fuzz::run(&fuzz.targets, fuzz.seconds, !fuzz.fresh, &workspace),
        Command::Bench(bench) => {
            let json = args.output.json();
            bench::run(
                bench.what,
                &bench.paths,
                &context()?,
                bench.instructions,
                json,
            )
        }
    }
}
