//! `cargo xtask`: arguments, progress and exit codes of this repository. What a bundle is made of
//! is decided and done in `mondo-build`; here are only the commands, and the project's own chores
//! (`tidy`, `test`, `bench`, `fuzz`, `conformance`).

mod args;
mod audit;
mod bench;
mod coexist;
mod commands;
mod conformance;
mod differential;
mod fuzz;
mod progress;
mod reach;
mod say;
mod size;
mod survey;
mod test;
mod tidy;
mod userlands;

use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

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
                say::err(commands::error_json(&error));
            } else {
                say::err(format!("error[{}]: {error}", error.kind().name()));
            }
            ExitCode::from(error.kind().exit_code())
        }
    }
}

/// `-v` shows what mondo runs; `MONDO_LOG` (`target=level,…`) overrides it.
fn start_log(verbosity: Verbosity) {
    let default = match verbosity {
        Verbosity::Verbose => {
            "mondo_core=debug,mondo_toolchain=debug,mondo_build=debug,xtask=debug"
        }
        Verbosity::Quiet | Verbosity::Normal => "warn",
    };
    let filter = std::env::var("MONDO_LOG")
        .ok()
        .and_then(|text| text.parse::<Targets>().ok());
    let filter = filter.or_else(|| default.parse().ok()).unwrap_or_default();
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .without_time();
    tracing_subscriber::registry()
        .with(lines)
        .with(filter)
        .init();
}
