//! tinyc's own `cargo xtask`: a dozen lines over mondo-build.

use std::process::ExitCode;

use mondo_build::bundle::{Options, bundle};
use mondo_build::progress::Silent;

fn main() -> ExitCode {
    let workspace: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    match bundle(&Options::new(format!("{workspace}/tinyc.toml"), workspace.into()), &Silent) {
        Ok(made) => {
            println!("{}\n{}", made.wheel, made.report.table());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            error.kind().exit_code().into()
        }
    }
}
