//! `cargo xtask`: the checks of this repository, and the product's commands as aliases of `mondo …`.

mod args;
mod group;
mod lab;
mod test;

use mondo_build::Result;
use mondo_testbed::{Context, Extent};
use std::process::ExitCode;

use crate::args::{Args, Command, LabArgs};

fn main() -> ExitCode {
    let args: Args = mondo::parse("cargo xtask");
    mondo::program(args.output, |terminal| run(&args, terminal))
}

fn run(args: &Args, terminal: &mondo::Terminal) -> Result<()> {
    let output = args.output;
    let workspace = mondo::workspace()?;
    let lab = |name, args: &LabArgs| {
        let mut arguments: Vec<&str> = output.flags();
        arguments.extend(args.arguments.iter().map(String::as_str));
        lab::run(&workspace, name, &arguments)
    };
    match &args.command {
        Command::Product(command) => mondo::run(command, output, Some(&workspace), terminal),
        Command::Test(test) => {
            let context = Context::new(&workspace, terminal)?;
            test::run(&test.groups, Extent::new(test.all), &test.older, &context)
        }
        Command::Tidy => mondo_tidy::check(&workspace),
        Command::Fuzz(args) => lab("fuzz", args),
        Command::Bench(args) => lab("bench", args),
        Command::Conformance(args) => lab("conformance", args),
    }
}
