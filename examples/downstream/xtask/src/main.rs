//! tinyc's own `cargo xtask [bundle | matrix]`: a few lines over mondo-build.

use std::process::ExitCode;

use mondo_build::bundle::{Options, bundle};
use mondo_build::matrix::{Axes, matrix};
use mondo_build::progress::Silent;
use mondo_build::{Error, ErrorKind, Result, audit};

/// The LLVM versions that the dialect's C++ is written for.
const LLVM: &[&str] = &["22"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            error.kind().exit_code().into()
        }
    }
}

fn run(arguments: &[String]) -> Result<String> {
    let workspace = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let mut options = Options::new(format!("{workspace}/pyproject.toml"), workspace.into());
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["matrix"] => {
            let llvm = LLVM.iter().map(|&version| version.into()).collect();
            let manifests = vec![options.manifest];
            matrix(&Axes { manifests, llvm, ..Axes::default() }, &Silent)?.to_json()
        }
        ["bundle", ref rest @ ..] => {
            options.overrides.llvm = rest.first().map(|&version| version.into());
            let made = bundle(&options, &Silent)?;
            audit::gate(&[made.wheel.clone()], &options.out_dir.join("audit.sarif"))?;
            Ok(format!("{}\n{}", made.wheel, made.report.table()))
        }
        _ => Err(Error::new(ErrorKind::Check, "usage: cargo xtask bundle [LLVM] | matrix")),
    }
}
