//! The runner of phases: it reports the start of each phase, and records its time for the report.

use std::time::Duration;

use mondo_core::error::Result;
use mondo_core::progress::{self, Sink};

use crate::report::PhaseReport;

/// Runs phases one after the other.
pub(super) struct Phases<'a> {
    sink: &'a dyn Sink,
    /// The times of those that are over, in order.
    pub(super) times: Vec<PhaseReport>,
}

impl<'a> Phases<'a> {
    pub(super) fn new(sink: &'a dyn Sink) -> Self {
        Self {
            sink,
            times: Vec::new(),
        }
    }

    /// Runs the phase `name`. `work` returns its result and the summary for the phase's line of output.
    pub(super) fn run<T>(
        &mut self,
        name: &str,
        detail: &str,
        work: impl FnOnce() -> Result<(T, String)>,
    ) -> Result<T> {
        let (result, elapsed) = progress::phase(self.sink, name, detail, work)?;
        self.add(name, elapsed);
        Ok(result)
    }

    /// Adds a time that was measured elsewhere.
    pub(super) fn add(&mut self, name: &str, elapsed: Duration) {
        self.times.push(PhaseReport::new(name, elapsed));
    }
}
