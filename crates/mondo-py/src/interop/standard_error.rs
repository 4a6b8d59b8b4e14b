//! Standard error, as native code writes it.

use std::io::{self, Write};

use pyo3::prelude::*;

/// Writes a line. The thread is detached meanwhile: standard error may be a pipe that another thread of this process reads,
/// as in notebooks.
pub(crate) fn write(py: Python<'_>, line: &str) {
    py.detach(|| {
        // Nobody can be told of an error.
        let _ = writeln!(io::stderr().lock(), "{line}");
    });
}
