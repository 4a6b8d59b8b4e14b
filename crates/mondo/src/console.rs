//! Lines to standard output and standard error that do not mind when nobody reads them any more:
//! `mondo plan | head` ends quietly, and a closed terminal does not stop a build.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;

/// The spinner on the terminal, which is taken away for each line and drawn again below it.
static SPINNER: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// A result, on standard output.
pub fn out(text: impl std::fmt::Display) {
    // Whoever closed the pipe has seen enough.
    let _ = without_spinner(|| writeln!(std::io::stdout(), "{text}"));
}

/// Progress or an error, on standard error.
pub fn err(text: impl std::fmt::Display) {
    // There is nowhere left to complain to.
    let _ = without_spinner(|| writeln!(std::io::stderr(), "{text}"));
}

/// Sets the spinner, or takes it away.
pub(crate) fn spin(spinner: Option<ProgressBar>) {
    *SPINNER.lock().unwrap_or_else(PoisonError::into_inner) = spinner;
}

fn without_spinner<T>(write: impl FnOnce() -> T) -> T {
    let spinner = SPINNER
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    match spinner {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}
