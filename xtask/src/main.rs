//! `cargo xtask`: arguments, progress and exit codes of this repository. What a bundle is made of
//! is decided and done in `mondo-build`; here are only the commands, and the project's own chores
//! (`tidy`, `test`, `bench`).

mod args;
mod bench;
mod commands;
mod progress;
mod test;
mod tidy;

use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;

use crate::args::Args;
use crate::progress::{Terminal, Verbosity};

fn main() -> ExitCode {
    let args = Args::parse();
    let verbosity = args.verbosity();
    start_log(verbosity);
    // The second Ctrl-C ends the process at once, for whoever cannot wait for the first to be heard.
    let handler = ctrlc::set_handler(|| {
        if mondo_build::interrupt::requested() {
            std::process::exit(130);
        }
        mondo_build::interrupt::request();
    });
    if let Err(error) = handler {
        tracing::warn!(%error, "Ctrl-C will not be handled");
    }
    let terminal = Terminal::new(verbosity);
    let result = commands::run(&args, &terminal);
    drop(terminal);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if args.json() {
                eprintln!("{}", commands::error_json(&error));
            } else {
                eprintln!("error[{}]: {error}", error.kind().name());
            }
            ExitCode::from(error.kind().exit_code())
        }
    }
}

fn start_log(verbosity: Verbosity) {
    let default = match verbosity {
        Verbosity::Verbose => "mondo_build=debug,xtask=debug",
        Verbosity::Quiet | Verbosity::Normal => "warn",
    };
    let filter = EnvFilter::try_from_env("MONDO_LOG").unwrap_or_else(|_| EnvFilter::new(default));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .without_time()
        .init();
}
