//! Interruption by Ctrl-C as a value. The binary's signal handler calls [`request`]. Every phase calls [`check`] at
//! its start and inside its long loops, and `exec` stops child processes. No files are left behind, because each
//! temporary file has an RAII guard, whose `Drop` runs while the error is returned.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, ErrorKind, Result};

/// A flag that one thread sets to kill the programs which another thread has started with
/// [`crate::exec::Tool::until`], with all their child processes.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Sets the flag. It cannot be cleared.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Errors with [`ErrorKind::Interrupted`] once the flag is set, or [`request`] was called.
    ///
    /// # Errors
    /// `ErrorKind::Interrupted`.
    pub fn check(&self) -> Result<()> {
        check()?;
        if self.0.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorKind::Interrupted, "interrupted")
                .because("another part of the build has failed"));
        }
        Ok(())
    }
}

/// An RAII guard that sets a [`Stop`] when it is dropped, on every way out of a scope.
#[derive(Debug)]
pub struct StopOnDrop<'a>(pub &'a Stop);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.set();
    }
}

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Asks the pipeline to stop at the next opportunity. Safe to call from a signal-handling thread.
pub fn request() {
    REQUESTED.store(true, Ordering::Relaxed);
}

/// True if an interruption was requested.
#[must_use]
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Errors with [`ErrorKind::Interrupted`] once a stop was asked for.
///
/// # Errors
/// `ErrorKind::Interrupted` after [`request`].
pub fn check() -> Result<()> {
    if requested() {
        return Err(Error::new(ErrorKind::Interrupted, "interrupted")
            .because("mondo replaced nothing; earlier results are unchanged"));
    }
    Ok(())
}
