//! Lines to standard output and standard error that do not mind when nobody reads them any more:
//! `mondo plan | head` ends quietly, and a closed terminal does not stop a build.

use std::io::Write;

/// A result, on standard output.
pub fn out(text: impl std::fmt::Display) {
    // Whoever closed the pipe has seen enough.
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Progress or an error, on standard error.
pub fn err(text: impl std::fmt::Display) {
    // There is nowhere left to complain to.
    let _ = writeln!(std::io::stderr(), "{text}");
}
