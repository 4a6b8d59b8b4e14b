//! `cargo xtask`: the checks and measurements of this repository, and the product's commands as aliases of `mondo …`.

mod args;
mod bench;
mod damage;
mod fuzz;
mod group;
mod test;

use mondo_acceptance::conformance;
use mondo_build::Result;
use mondo_testbed::{Context, Extent};
use std::process::ExitCode;

use crate::args::{Args, Command};

fn main() -> ExitCode {
    let args: Args = mondo::parse("cargo xtask");
    mondo::program(args.output, |terminal| run(&args, terminal))
}

fn run(args: &Args, terminal: &mondo::Terminal) -> Result<()> {
    let output = args.output;
    let workspace = mondo::workspace()?;
    let context = || Context::new(&workspace, terminal);
    match &args.command {
        Command::Product(command) => mondo::run(command, output, Some(&workspace), terminal),
        Command::Test(test) => test::run(&test.groups, Extent::new(test.all), &context()?),
        Command::Tidy => mondo_tidy::check(&workspace),
        Command::Fuzz(fuzz) => fuzz::run(&fuzz.targets, fuzz.seconds, !fuzz.fresh, &workspace),
        Command::Damage(damage) => damage::run(damage, &context()?),
        Command::Bench(bench) if bench.rust => bench::rust(&context()?),
        Command::Bench(bench) => bench::run(&context()?, output.json(), bench.instructions),
        Command::Conformance(args) => {
            let (manifest, pattern) = (args.manifest.path()?, args.pattern.as_str());
            let check = match args.tools {
                true => conformance::tools,
                false => conformance::python,
            };
            check(&manifest, pattern, &context()?)
        }
    }
}
