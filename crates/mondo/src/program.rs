//! The frame around each command: log, Ctrl-C handler, progress, and the exit code of an error.

use std::process::ExitCode;

use mondo_build::{Error, ErrorKind, Result};
use serde_json::{Value, json};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::args::Output;
use crate::console;
use crate::progress::{Terminal, Verbosity};
use crate::wrap::for_terminal;

/// Runs `command` and returns the process's exit code: it starts the log, handles Ctrl-C, draws
/// progress, and prints an error as text, or as JSON if `output` says so.
pub fn program(output: Output, command: impl FnOnce(&Terminal) -> Result<()>) -> ExitCode {
    start_log(output.verbosity());
    mondo_build::report_truncated_maps();
    // The second Ctrl-C ends the process at once, for anyone who cannot wait for the first to be heard.
    let handler = ctrlc::set_handler(|| {
        if mondo_build::interrupt::requested() {
            std::process::exit(130);
        }
        mondo_build::interrupt::request();
    });
    if let Err(error) = handler {
        tracing::warn!(%error, "cannot handle Ctrl-C");
    }
    let terminal = Terminal::new(output.verbosity());
    let result = command(&terminal);
    drop(terminal);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if output.json() {
                console::err(error_json(&error));
            } else {
                let text = format!("error[{}]: {error}", error.kind().name());
                console::err(for_terminal(&text));
            }
            ExitCode::from(error.kind().exit_code())
        }
    }
}

/// `-v` shows the programs that are started; `MONDO_LOG` (`target=level,…`) overrides it.
fn start_log(verbosity: Verbosity) {
    let default = match verbosity {
        // A target is a prefix: the first one is that of every crate whose name begins with mondo.
        Verbosity::Verbose => "mondo=debug,xtask=debug",
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

/// A result as indented JSON.
///
/// # Errors
///
/// [`ErrorKind::Io`] if the value has a map whose keys are not strings.
pub fn to_json(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string_pretty(value)
        .map_err(|error| Error::new(ErrorKind::Io, "the result is not JSON").caused_by(error))
}

/// An error as JSON: kind, exit code and its parts.
fn error_json(error: &Error) -> Value {
    json!({
        "error": error.kind().name(),
        "exit_code": error.kind().exit_code(),
        "what": error.what(),
        "at": error.place(),
        "details": error.listed(),
        "help": error.next_step(),
        "message": error.to_string(),
    })
}
