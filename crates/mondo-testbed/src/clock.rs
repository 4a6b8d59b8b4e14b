//! The processor time of tests: that by the clock depends on what else the machine does.

use std::time::Duration;

use mondo_build::Result;

/// The processor time so far of this process and of those that it started and that ended: fields 14 to 17 of
/// proc(5)'s /proc/pid/stat, in hundredths of a second, the first of them after eleven that follow the name.
///
/// # Errors
///
/// If the system does not tell it.
pub fn processor_time() -> Result<Duration> {
    let stat = fs_err::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = after_name.split(' ').skip(11).take(4);
    let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(ticks * 10))
}
