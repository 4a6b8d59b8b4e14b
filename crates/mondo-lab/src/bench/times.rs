//! Repeated measurements of time, and their median.

use mondo_build::Result;
use std::time::{Duration, Instant};

/// The number of repetitions of a measurement.
pub(super) const RUNS: usize = 5;

pub(super) fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<Duration> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

pub(super) fn median(mut run: impl FnMut() -> Result<Duration>) -> Result<Duration> {
    let times = (0..RUNS).map(|_| run()).collect::<Result<_>>()?;
    Ok(middle(times))
}

pub(super) fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
