//! The phases of a build, for tests of what a build does and leaves undone: times depend on what else the machine does.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use mondo_build::progress::Sink;

/// A receiver of progress that keeps the phases which ended, and passes all on.
pub struct Phases<'a> {
    next: &'a dyn Sink,
    ended: Mutex<Vec<(String, String)>>,
}

impl<'a> Phases<'a> {
    /// A sink that records the phases, and passes everything on to `next`.
    #[must_use]
    pub fn new(next: &'a dyn Sink) -> Self {
        Self {
            next,
            ended: Mutex::default(),
        }
    }

    /// The phases so far, each with its outcome, in the order in which they ended.
    #[must_use]
    pub fn ended(&self) -> Vec<(String, String)> {
        let ended = self.ended.lock();
        ended.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Sink for Phases<'_> {
    fn begin(&self, phase: &str, detail: &str) {
        self.next.begin(phase, detail);
    }

    fn update(&self, detail: &str) {
        self.next.update(detail);
    }

    fn end(&self, phase: &str, elapsed: Duration, outcome: &str) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.push((phase.to_owned(), outcome.to_owned()));
        drop(ended);
        self.next.end(phase, elapsed, outcome);
    }

    fn note(&self, text: &str) {
        self.next.note(text);
    }
}
