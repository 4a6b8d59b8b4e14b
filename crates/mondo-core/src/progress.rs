//! Progress reports of the pipeline. The library never prints: the caller passes a [`Sink`] that
//! draws a spinner on a terminal, writes plain lines in CI, or does nothing.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Receives the progress of a run.
pub trait Sink: Sync {
    /// A phase starts: `plan`, `compile`, `link`, …; `detail` says what it works on.
    fn begin(&self, phase: &str, detail: &str);
    /// Details about the current phase while it runs.
    fn update(&self, detail: &str);
    /// The phase that began last has ended.
    fn end(&self, phase: &str, elapsed: Duration, outcome: &str);
    /// A message that gets a line of its own at every verbosity except quiet.
    fn note(&self, text: &str);
}

/// A sink that ignores everything; for tests and for callers who want silence.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Sink for Silent {
    fn begin(&self, _: &str, _: &str) {}
    fn update(&self, _: &str) {}
    fn end(&self, _: &str, _: Duration, _: &str) {}
    fn note(&self, _: &str) {}
}

/// A sink that keeps the details of phases that begin, the notes, and the phases that end; for tests.
#[derive(Debug, Default)]
pub struct Recorded {
    lines: Mutex<Vec<String>>,
    ended: Mutex<Vec<(String, String)>>,
}

impl Recorded {
    /// The lines so far, in order.
    #[must_use]
    pub fn into_lines(self) -> Vec<String> {
        let lines = self.lines.into_inner();
        lines.unwrap_or_else(PoisonError::into_inner)
    }

    /// The phases that have ended, each with its outcome, in order. Tests of what a build does and leaves undone
    /// compare these, because times depend on what else the machine does.
    #[must_use]
    pub fn into_ended(self) -> Vec<(String, String)> {
        let ended = self.ended.into_inner();
        ended.unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, line: &str) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push(line.to_owned());
    }
}

impl Sink for Recorded {
    fn begin(&self, _: &str, detail: &str) {
        self.push(detail);
    }
    fn update(&self, _: &str) {}
    fn end(&self, phase: &str, _: Duration, outcome: &str) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.push((phase.to_owned(), outcome.to_owned()));
    }
    fn note(&self, text: &str) {
        self.push(text);
    }
}

/// Runs `work` as the phase `name` and tells `sink`; returns the result and the time it took.
///
/// # Errors
/// Those of `work`.
pub fn phase<T, E>(
    sink: &dyn Sink,
    name: &str,
    detail: &str,
    work: impl FnOnce() -> Result<(T, String), E>,
) -> Result<(T, Duration), E> {
    let start = Instant::now();
    sink.begin(name, detail);
    let result = work();
    let elapsed = start.elapsed();
    match result {
        Ok((value, outcome)) => {
            sink.end(name, elapsed, &outcome);
            Ok((value, elapsed))
        }
        Err(error) => {
            sink.end(name, elapsed, "failed");
            Err(error)
        }
    }
}
